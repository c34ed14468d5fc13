import type { Diagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { checkFixture } from '../../testing/check-fixture.ts'
import { loadSite } from '../load/load-site.ts'
import { planPages } from '../plan/plan-pages.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { checkTitles } from './check-titles.ts'

/** Returns the findings of a site whose pages have the given frontmatter, by path. */
function titlesOf(navigation: object, pages: Readonly<Record<string, string>>) {
  const files = Object.entries(pages).map(([path, text]) => [`${path}.mdx`, `---\n${text}\n---\n`])
  const { site } = loadSite(
    memoryTree({
      'docs.json': JSON.stringify({ name: 'Plants', navigation }),
      ...Object.fromEntries(files),
    }),
  )
  if (site === undefined) throw new Error('The site cannot be read.')
  const found: Diagnostic[] = []
  checkTitles({ site, pages: planPages(site), report: (one) => void found.push(one) })
  return found.map(({ code, place, message }) => [code, place.file, message].join(' '))
}

const soil = (file: string, other: string) =>
  `nav/duplicate-title ${file}.mdx This page and ${other}.mdx both have the title "Soil", so search results and agents cannot tell them apart.`

const groups = (first: readonly string[], second: readonly string[]) => ({
  groups: [
    { group: 'Start', pages: first },
    { group: 'Care', pages: second },
  ],
})

describe('pages with the same title', () => {
  test('a duplicate title is reported per language and version unless docs.json ignores it', async () => {
    const { found, planted, diagnostics, suppressedCount } =
      await checkFixture('pages-of-one-title')
    expect(found).toEqual(planted)
    expect(suppressedCount).toBe(1)
    expect(diagnostics[0]).toMatchObject({
      severity: 'note',
      hint: 'Make the `title` of one of them more specific. Its `sidebarTitle` can stay short.',
    })
  })

  test('the report of a duplicate title names the first page with that title', () => {
    const pages = { a: 'title: Soil', b: 'title: Soil', c: 'title: Soil' }
    const tabs = Object.keys(pages).map((tab) => ({ tab, pages: [tab] }))
    expect(titlesOf({ tabs }, pages)).toEqual([soil('b', 'a'), soil('c', 'a')])
  })

  test('titles that differ in any character are not duplicates', () => {
    const pages = { a: 'title: Soil', b: 'title: Soils' }
    expect(titlesOf(groups(['a'], ['b']), pages)).toEqual([])
  })

  test('a page without a title is compared by the title that is derived from its path', () => {
    const pages = { 'a/soil': 'icon: leaf', 'b/soil': 'icon: leaf' }
    const found = titlesOf(groups(['a/soil'], ['b/soil']), pages)
    expect(found).toEqual([soil('b/soil', 'a/soil')])
  })

  test.each(['hidden: true', 'noindex: true', 'url: https://example.com', 'openapi: GET /soil'])(
    'the title of a page with `%s` is not reported as a duplicate',
    (field) => {
      const pages = { a: 'title: Soil', b: `title: Soil\n${field}` }
      expect(titlesOf(groups(['a'], ['b']), pages)).toEqual([])
      expect(titlesOf(groups(['b'], ['a']), pages)).toEqual([])
    },
  )

  test('pages that are hidden or not in the navigation are not reported as duplicate titles', () => {
    const pages = { a: 'title: Soil', b: 'title: Soil', c: 'title: Soil' }
    const { groups: shown } = groups(['a'], [])
    expect(
      titlesOf({ groups: [...shown, { group: 'Old', hidden: true, pages: ['b'] }] }, pages),
    ).toEqual([])
  })

  test('a page that is in two versions is compared with the pages of both', () => {
    const versions = [
      { version: '2.0', pages: ['a'] },
      { version: '1.0', ...groups(['b'], ['a']) },
    ]
    const pages = { a: 'title: Soil', b: 'title: Soil' }
    expect(titlesOf({ versions }, pages)).toEqual([soil('b', 'a')])
    const [first, second] = versions
    const hidden = { ...first, hidden: true }
    expect(titlesOf({ versions: [hidden, second] }, pages)).toEqual([soil('b', 'a')])
  })

  test('adjacent pages with the same title are reported only once', () => {
    const pages = { a: 'title: Soil', b: 'title: Soil' }
    expect(titlesOf({ pages: ['a', 'b'] }, pages)).toEqual([
      'nav/same-title b.mdx Two pages next to each other in the sidebar have the title "Soil": this page and a.mdx.',
    ])
  })

  test('of adjacent pages with the same sidebar title, one can also have the title of a distant page', () => {
    const pages = {
      a: 'title: Soil',
      b: 'title: Loam\nsidebarTitle: Earth',
      c: 'title: Soil\nsidebarTitle: Earth',
    }
    expect(titlesOf(groups(['a'], ['b', 'c']), pages)).toEqual([
      'nav/same-title c.mdx Two pages next to each other in the sidebar have the title "Earth": this page and b.mdx.',
      soil('c', 'a'),
    ])
  })
})
