/**
 * Checks which pages the search index of a build contains, and how a second build updates the
 * index.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { askSite } from '../../../testing/built-search.ts'
import { type Files, TemporarySite } from '../../../testing/temporary-site.ts'

const page = (fields: string, text = 'Lavender.') => `---\n${fields}\n---\n\n${text}\n`

function docs(navigation: unknown, more: object = {}): string {
  return JSON.stringify({ name: 'Garden', navigation, ...more })
}

describe('searchable pages', () => {
  const PAGES: Files = {
    'shown.mdx': page('title: Shown'),
    'hidden.mdx': page('title: Hidden\nhidden: true'),
    'noindex.mdx': page('title: Unindexed\nnoindex: true'),
    'unsearchable.mdx': page('title: Unsearchable\nsearchable: false'),
    'unlisted.mdx': page('title: Unlisted'),
    'secret.mdx': page('title: Secret'),
    'known.mdx': page('title: Known'),
    'again.mdx': page('title: Again'),
  }
  const GROUPS = [
    { group: 'A', pages: ['shown', 'hidden', 'noindex', 'unsearchable'] },
    { group: 'B', hidden: true, pages: ['secret'] },
    {
      group: 'C',
      hidden: true,
      searchable: true,
      pages: ['known', { group: 'D', hidden: false, pages: ['again'] }],
    },
  ]

  test('search finds listed pages, and hidden pages only if they are `searchable`', async () => {
    using site = new TemporarySite({ 'docs.json': docs({ groups: GROUPS }), ...PAGES })
    await site.build()
    const found = await askSite(site, 'all', 'lavender')
    expect(found.toSorted()).toEqual(['/again', '/known', '/shown'])
  })

  test('search finds all pages with `seo.indexing: all`, except those that opt out', async () => {
    const config = docs({ groups: GROUPS }, { seo: { indexing: 'all' } })
    using site = new TemporarySite({ 'docs.json': config, ...PAGES })
    await site.build()
    const found = await askSite(site, 'all', 'lavender')
    expect(found.toSorted()).toEqual(
      ['/again', '/hidden', '/known', '/secret', '/shown', '/unlisted'].toSorted(),
    )
  })
})

describe('an index per language and version', () => {
  const versions = (folder: string) => [
    { version: 'v2', default: true, pages: [`${folder}/v2`] },
    { version: 'v1', pages: [`${folder}/v1`] },
  ]
  const FILES: Files = {
    'docs.json': docs({
      languages: [
        { language: 'en', default: true, versions: versions('en') },
        { language: 'de', versions: versions('de') },
      ],
    }),
    ...Object.fromEntries(
      ['en/v1', 'en/v2', 'de/v1', 'de/v2'].map((path) => [`${path}.mdx`, page(`title: ${path}`)]),
    ),
  }

  test('an index contains only the pages of its language and version', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    const names = readdirSync(join(site.root, 'out/_octavo/search')).toSorted()
    expect(names).toEqual(['de-v1.bin', 'de-v2.bin', 'en-v1.bin', 'en-v2.bin'])
    expect(await askSite(site, 'en-v2', 'lavender')).toEqual(['/en/v2'])
    expect(await askSite(site, 'de-v1', 'lavender')).toEqual(['/de/v1'])
    expect(site.read('de/v1/index.html')).toContain('data-index="/_octavo/search/de-v1.bin"')
  })

  test('a page without a version is in the indexes of all versions', async () => {
    using site = new TemporarySite({
      'docs.json': docs({
        tabs: [
          { tab: 'Guides', versions: versions('g') },
          { tab: 'Blog', pages: ['blog'] },
        ],
      }),
      'g/v1.mdx': page('title: Old'),
      'g/v2.mdx': page('title: New'),
      'blog.mdx': page('title: Blog'),
    })
    await site.build()
    expect((await askSite(site, 'all-v1', 'lavender')).toSorted()).toEqual(['/blog', '/g/v1'])
    expect((await askSite(site, 'all-v2', 'lavender')).toSorted()).toEqual(['/blog', '/g/v2'])
    // Readers of a page without a version search the pages of the default version.
    expect((await askSite(site, 'all', 'lavender')).toSorted()).toEqual(['/blog', '/g/v2'])
  })
})

describe('a second build of the index', () => {
  const COUNT = 30
  const names = Array.from({ length: COUNT }, (_, at) => `p${at}`)
  const text = (at: number) => `## Part ${at}\n\nWords word${at} of${at * 7} page.\n`
  const FILES: Files = {
    'docs.json': docs({ pages: names }),
    ...Object.fromEntries(
      names.map((name, at) => [`${name}.mdx`, page(`title: P ${at}`, text(at))]),
    ),
  }
  const EDIT: Files = { 'p7.mdx': page('title: P 7', '## Other\n\nNewly written, word7.\n') }

  async function coldHashes(files: Files): Promise<Files> {
    using site = new TemporarySite(files)
    await site.build()
    return site.hashes()
  }

  test('after an edit, the output equals that of a cold build and search finds the new words', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    expect(await askSite(site, 'all', 'word7')).toContain('/p7#part-7')
    site.write(EDIT)
    await site.build()
    expect(site.hashes()).toEqual(await coldHashes({ ...FILES, ...EDIT }))
    expect(await askSite(site, 'all', 'newly')).toEqual(['/p7#other'])
    expect(await askSite(site, 'all', 'word7')).toEqual(['/p7#other'])
  })

  test('a large index, of which only the edited page is counted, equals that of a cold build', async () => {
    const many = Array.from({ length: 510 }, (_, at) => `p${at}`)
    const files: Files = {
      'docs.json': docs({ pages: many }),
      ...Object.fromEntries(
        many.map((name, at) => [`${name}.mdx`, page(`title: P ${at}`, text(at))]),
      ),
    }
    const edit = { 'p300.mdx': page('title: P 300', text(300).replace('Words', 'Unheard')) }
    using site = new TemporarySite(files)
    await site.build()
    site.write(edit)
    await site.build()
    expect(site.hashes()).toEqual(await coldHashes({ ...files, ...edit }))
  })

  test('a build without changes does not write any file', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    expect(await site.build()).toMatchObject({ writtenCount: 0, removedCount: 0 })
  })

  test.each(['json', 'bin'])(
    'a broken search cache (.%s file) does not affect the output',
    async (ending) => {
      using site = new TemporarySite(FILES)
      await site.build()
      const before = site.hashes()
      const folder = join(site.root, 'cache')
      const [name = ''] = readdirSync(folder).filter(
        (one) => one.startsWith('search-') && one.endsWith(ending),
      )
      for (const broken of ['', '{', '{"terms":[1],"pages":[]}\n', 'null\n']) {
        writeFileSync(join(folder, name), broken)
        rmSync(join(site.root, 'out/_octavo/search'), { recursive: true })
        await site.build()
        expect(site.hashes(), broken).toEqual(before)
      }
    },
  )

  test('search files that were removed are written again', async () => {
    using site = new TemporarySite(FILES)
    await site.build()
    const before = site.hashes()
    rmSync(join(site.root, 'out/_octavo/search-data'), { recursive: true })
    await site.build()
    expect(site.hashes()).toEqual(before)
  })
})
