/**
 * Checks where a page is visible. Each row is a setting of a page, and each column is a place that
 * may list the page.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'

const page = (fields = '') => `---\ntitle: Page\n${fields}\n---\n\nText.\n`

const DOCS = {
  name: 'Seen',
  colors: { primary: '#0f766e' },
  navigation: {
    groups: [
      { group: 'All', pages: ['index', 'hidden', 'noindex', 'unsearchable'] },
      { group: 'Away', hidden: true, pages: ['away'] },
      { group: 'Found', hidden: true, searchable: true, pages: ['found', 'found-hidden'] },
    ],
  },
}

const FILES = {
  'index.mdx': page(),
  'hidden.mdx': page('hidden: true'),
  'noindex.mdx': page('noindex: true'),
  'unsearchable.mdx': page('searchable: false'),
  'unlisted.mdx': page(),
  'away.mdx': page(),
  'found.mdx': page(),
  'found-hidden.mdx': page('hidden: true'),
}

/** Another test covers the search index. */
type Row = readonly [name: string, nav: boolean, sitemap: boolean, engines: boolean, llms: boolean]

const NAVIGABLE: readonly Row[] = [
  ['index', true, true, true, true],
  ['hidden', false, false, false, false],
  // Search engines may index an unlisted page, but no list contains it.
  ['unlisted', false, false, true, false],
  ['noindex', true, false, false, false],
  ['unsearchable', true, true, true, true],
  ['away', false, false, false, false],
  ['found', false, true, true, true],
  ['found-hidden', false, false, false, false],
]

const ALL: readonly Row[] = [
  ['hidden', false, true, true, true],
  ['unlisted', false, true, true, true],
  ['noindex', true, false, false, false],
  ['away', false, true, true, true],
]

describe.each([
  ['navigable', NAVIGABLE],
  ['all', ALL],
] as const)('visibility with `seo.indexing` %s', (indexing, rows) => {
  let site: TemporarySite
  beforeAll(async () => {
    site = new TemporarySite({
      ...FILES,
      'docs.json': JSON.stringify({ ...DOCS, seo: { indexing } }),
    })
    await site.build({ siteUrl: 'https://docs.example.com' })
  })
  afterAll(() => site[Symbol.dispose]())

  test.each(rows)(
    'the page "%s" has the correct visibility: navigation %s, sitemap %s, engines %s, llms.txt %s',
    (name, ...row) => {
      const address = name === 'index' ? '/' : `/${name}`
      const file = name === 'index' ? 'index.html' : `${name}/index.html`
      const html = site.read(file)
      expect([
        site.read('index.html').includes(`<a href="${address}"`),
        site.read('sitemap.xml').includes(`<loc>https://docs.example.com${address}</loc>`),
        !html.includes('<meta name="robots" content="noindex">'),
        site.read('llms.txt').includes(`(https://docs.example.com/${name}.md)`),
      ]).toEqual(row)
      const isListed = row[3]
      expect(
        site.read('llms-full.txt').includes(`Source: https://docs.example.com${address}\n`),
      ).toBe(isListed)
      expect(site.read('markdown.zip').includes(`${name}.md`)).toBe(isListed)
      // The page and its Markdown can still be read at their URLs.
      expect(site.read(`${name}.md`)).toContain('# Page')
    },
  )
})
