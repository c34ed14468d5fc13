/**
 * Checks that access labels apply to every output. Each page of the site contains unique words.
 * Every output is checked as several readers receive it, and must contain the words of exactly
 * those pages that they may read.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { type ManifestEntry, mayRead, omitRanges, type Reader } from '@octavo/model'
import { SearchEngine, type SearchRoot } from '@octavo/search'
import { JoinedSearch } from '@octavo/search/joined-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltManifest, builtManifest } from '../../testing/built-manifest.ts'
import { LABELLED_PAGES, LABELLED_SITE, OPERATION } from '../../testing/labelled-site.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'

const reader = (hasSiteAccess: boolean, ...groups: readonly string[]): Reader => ({
  hasSiteAccess,
  groups: new Set(groups),
})

const READERS: readonly (readonly [name: string, reader: Reader])[] = [
  ['an anonymous reader', reader(false)],
  ['a reader with access', reader(true)],
  ['a reader in group a', reader(true, 'a')],
  ['a reader in group b', reader(true, 'b')],
  ['a reader in both groups', reader(true, 'a', 'b')],
]

/** Unique words, each with the label of the page that contains it. */
const CANARIES = [
  ...LABELLED_PAGES.flatMap(({ label, title, heading, text, description, path, slug }) =>
    [title, heading, text, description, path.includes(slug) ? slug : title].map((word) => {
      return { label, word }
    }),
  ),
  ...[OPERATION.title, OPERATION.text, OPERATION.slug, OPERATION.schema, OPERATION.field].map(
    (word) => ({ label: OPERATION.label, word }),
  ),
]

/**
 * Number of characters at the end of a word to search for, because an index omits the prefix that a
 * word shares with the previous word.
 */
const END_LENGTH = 8

describe.each([
  ['without protection', {}],
  ['with protection', { auth: { mode: 'password' } }],
])('a site %s', (_, config) => {
  let site: TemporarySite
  let manifest: BuiltManifest
  beforeAll(async () => {
    site = new TemporarySite({
      ...LABELLED_SITE,
      'docs.json': JSON.stringify({ ...JSON.parse(LABELLED_SITE['docs.json'] ?? ''), ...config }),
    })
    await site.build({ siteUrl: 'https://docs.example.com' })
    manifest = builtManifest(site)
  })
  afterAll(() => site[Symbol.dispose]())

  const bytesOf = ({ path }: ManifestEntry): Uint8Array => {
    const bytes = readFileSync(join(site.root, 'out', path))
    return path.endsWith('.bin') ? inflateRawSync(bytes) : bytes
  }
  /** Returns a file as a reader receives it, or undefined if the reader may not read it. */
  const seenBy = (who: Reader, path: string): string | undefined => {
    const entry = manifest.entries.find((one) => one.path === path)
    if (entry === undefined || !mayRead(who, entry.access)) return undefined
    const may = (access: ManifestEntry['access']) => mayRead(who, access)
    return Buffer.from(omitRanges(bytesOf(entry), entry.ranges ?? [], may)).toString('latin1')
  }

  describe.each(READERS)('a site for %s', (_name, who) => {
    test('no file contains a word of a page that the reader may not read', () => {
      const hidden = CANARIES.filter(({ label }) => !mayRead(who, label))
      const leaks = manifest.entries.flatMap(({ path }) => {
        const text = seenBy(who, path)?.toLowerCase()
        return hidden.flatMap(({ word }) => {
          return text?.includes(word.toLowerCase().slice(-END_LENGTH)) ? [`${word} in ${path}`] : []
        })
      })
      expect(leaks).toEqual([])
    })

    test('no file path that the reader can see names a page that the reader may not read', () => {
      const hidden = LABELLED_PAGES.filter(({ label }) => !mayRead(who, label))
      const paths = manifest.entries.filter(({ access }) => mayRead(who, access))
      const leaks = paths.filter(({ path }) => hidden.some(({ slug }) => path.includes(slug)))
      expect(leaks).toEqual([])
    })

    test('the reader gets every page that they may read, and every page lists all of them', () => {
      const open = LABELLED_PAGES.filter(({ label }) => mayRead(who, label))
      for (const { path, title, heading, text, description } of open) {
        const html = seenBy(who, `${path}/index.html`)
        const markdown = seenBy(who, `${path}.md`)
        for (const word of [title, heading, text, description]) {
          expect(html).toContain(word)
          expect(markdown).toContain(word)
        }
        const beside = open.filter((one) => one.isListed && /^(?:guides|\w+$)/.test(one.path))
        if (!path.startsWith('guides/')) continue
        for (const other of beside) expect(html, path).toContain(other.title)
      }
      const list = seenBy(who, 'llms.txt') ?? ''
      const listed = open.filter((one) => one.isListed && !one.path.startsWith('de/'))
      // Anonymous readers can only read the list if some page is public, as on this site.
      expect(listed.filter(({ title }) => !list.includes(title))).toEqual([])
    })

    test('search finds exactly the pages that the reader may read', async () => {
      const places = manifest.root.search.filter((one) => {
        return one.scope === 'en' && mayRead(who, one.access)
      })
      const read = (path: string) => inflateRawSync(readFileSync(join(site.root, 'out', path)))
      const engines = places.map(({ path }) => {
        const root = JSON.parse(read(path).toString()) as SearchRoot
        return new SearchEngine(root, async (file) => read(`${root.folder}/${file}.bin`))
      })
      const search = new JoinedSearch(engines)
      for (const { path, text, label, isListed } of LABELLED_PAGES) {
        if (path.startsWith('de/')) continue
        const { pages } = await search.find(text, 5)
        const urls = (await search.load(pages)).map(({ page }) => page.url)
        const isFound = isListed && mayRead(who, label)
        expect([text, urls.includes(`/${path}`)]).toEqual([text, isFound])
      }
    })

    test('the HTML that the reader gets is well-formed', () => {
      for (const { path } of manifest.entries) {
        const html = path.endsWith('.html') ? seenBy(who, path) : undefined
        if (html !== undefined) expect([path, unbalancedTags(html)]).toEqual([path, []])
      }
    })
  })

  test('no file contains access markers, and file sizes match the manifest', () => {
    for (const entry of manifest.entries) {
      // A font may contain the same bytes as a marker by chance.
      if (entry.path.endsWith('.woff2')) continue
      const bytes = bytesOf(entry)
      expect([entry.path, Buffer.from(bytes).includes(Buffer.from('\uFDD0'))]).toEqual([
        entry.path,
        false,
      ])
      if (entry.path.endsWith('.bin')) continue
      expect(bytes.length).toBe(entry.size)
    }
  })

  const accessOf = (path: string) => manifest.entries.find((one) => one.path === path)?.access

  test('the label of a file covers all pages that use the file', () => {
    expect(accessOf('images/shared.svg')).toBe('default')
    expect(accessOf('images/own.svg')).toEqual(['a', 'b'])
    expect(accessOf('files/own.pdf')).toEqual(['a'])
    // docs.json names this logo, so every page shows it.
    expect(accessOf('images/logo.svg')).toBe('public')
    expect(accessOf('images/unused.svg')).toBe('default')
    const islands = manifest.entries.filter(({ path }) => /islands\/[\da-f]{16}\.js$/.test(path))
    expect(islands.map(({ access }) => access)).toEqual([['a']])
  })

  test('the manifest names the logo, which a host shows on its sign-in page', () => {
    const { name } = JSON.parse(LABELLED_SITE['docs.json'] ?? '')
    const logo = { light: 'images/logo.svg', dark: 'images/logo.svg' }
    expect(manifest.root.brand).toEqual({ name, logo })
  })

  test('fragments of a specification have the label of the pages that load them', () => {
    const api = manifest.entries.filter(({ path }) => path.startsWith('_octavo/api/'))
    expect(new Set(api.map(({ access }) => String(access)))).toEqual(
      new Set(['public', 'default', 'a']),
    )
    for (const { path, access } of api) {
      const isOfA = String(access) === 'a'
      expect([path, site.read(path).includes(OPERATION.schema)]).toEqual([path, isOfA])
    }
    const playgrounds = api.filter(({ path }) => /\/try-\w+\.json$/.test(path))
    expect(playgrounds.map(({ access }) => String(access)).toSorted()).toEqual([
      'a',
      'default',
      'public',
    ])
    // The specification contains all operations, so only readers of all of them may read it.
    expect(accessOf('api/plants.yaml')).toEqual(['a'])
  })

  test("a page's preview image has the same label as the page", () => {
    for (const { path, label } of LABELLED_PAGES) {
      const html = site.read(`${path}/index.html`)
      const image = /content="https:\/\/docs\.example\.com\/(_octavo\/og\/[^"]+)"/.exec(html)?.[1]
      expect([path, image === undefined ? label : accessOf(image)]).toEqual([path, label])
    }
  })

  test('files for all readers contain only pages that all readers may read', () => {
    const isProtected = 'auth' in config
    for (const path of ['sitemap.xml', 'llms-full.txt', 'markdown.zip']) {
      const text = site.read(path)
      const held = LABELLED_PAGES.filter(({ slug }) => text.includes(slug)).map(
        ({ label }) => label,
      )
      expect([path, held]).toEqual([path, isProtected ? ['public'] : ['public', 'default']])
      expect(accessOf(path)).toBe(isProtected ? 'public' : 'default')
    }
  })

  test('readers who open a folder are redirected to the first page that they may read', () => {
    const targets = manifest.root.redirects.filter(({ source }) => source === '/guides')
    const first = (who: Reader) => targets.find(({ access }) => mayRead(who, access))?.destination
    const [, ofDefault, ofA, ofB] = LABELLED_PAGES.map(({ path }) => `/${path}`)
    expect(first(reader(true, 'a'))).toBe(ofA)
    expect(first(reader(true, 'b'))).toBe(ofDefault)
    expect(first(reader(false))).toBe(undefined)
    expect(ofB).not.toBe(ofA)
  })
})

describe('a rebuild after a label change', () => {
  test.each([
    ['gets groups', 'groups: [c]'],
    ['is made public', 'public: true'],
  ])('a rebuild has the same output as a cold build after a page %s', async (_, line) => {
    const [, page] = LABELLED_PAGES
    const file = `${page?.path}.mdx`
    const changed = { [file]: (LABELLED_SITE[file] ?? '').replace('---\n', `---\n${line}\n`) }
    using warm = new TemporarySite(LABELLED_SITE)
    await warm.build()
    warm.write(changed)
    await warm.build()
    using cold = new TemporarySite({ ...LABELLED_SITE, ...changed })
    await cold.build()
    expect(warm.hashes()).toEqual(cold.hashes())
    expect(builtManifest(warm)).toEqual(builtManifest(cold))
  })
})

test('all files of a site without labels have a default label and no access ranges', async () => {
  const files = Object.entries(LABELLED_SITE).map(([path, text]) => {
    return [path, text.replaceAll(/^(?:groups|public): .*\n|metadata: \{[^}]*\}/gm, '')]
  })
  using site = new TemporarySite(Object.fromEntries(files))
  await site.build({ siteUrl: 'https://docs.example.com' })
  const { root, entries } = builtManifest(site)
  expect(new Set(entries.map(({ access }) => JSON.stringify(access)))).toEqual(
    // Files for plain hosts have this label, because a host that reads the manifest does not serve
    // them.
    new Set(['"public"', '"default"', '[]']),
  )
  const isPublic = entries.filter(({ access }) => access === 'public').map(({ path }) => path)
  const own = /^(?:_octavo\/(?:scripts|styles|islands|icons-|[\w-]+-|oauth)|robots\.txt)/
  expect(isPublic.filter((path) => !own.test(path))).toEqual([])
  expect(entries.filter(({ ranges }) => ranges !== undefined)).toEqual([])
  expect([...root.labels.values()]).toEqual([[]])
})

const VOID =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|path|use|!doctype)$/i

/** Returns the tags that are not closed properly. */
function unbalancedTags(html: string): readonly string[] {
  const text = html.replaceAll(/<(script|style)\b[^>]*>.*?<\/\1>/gs, '')
  const open: string[] = []
  const wrong: string[] = []
  for (const [, slash, name = '', end] of text.matchAll(
    /<(\/?)([!a-z][\w:-]*)(?:"[^"]*"|[^>"])*?(\/?)>/gi,
  )) {
    if (slash === '' && end !== '/' && !VOID.test(name)) open.push(name)
    else if (slash === '/' && open.pop() !== name) wrong.push(name)
  }
  return [...wrong, ...open]
}
