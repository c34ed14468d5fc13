/**
 * One access label decides on every surface. Each page of the site holds words that stand on no other;
 * every output is looked at as several readers get it, and holds the words of pages that they may
 * read and of no others.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { leaveOut, type ManifestEntry, mayRead, type Reader } from '@octavo/model'
import { SearchEngine, type SearchRoot } from '@octavo/search'
import { JoinedSearch } from '@octavo/search/joined-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltManifest, builtManifest } from '../../testing/built-manifest.ts'
import { LABELLED_PAGES, LABELLED_SITE, OPERATION } from '../../testing/labelled-site.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'

const reader = (isLetIn: boolean, ...groups: readonly string[]): Reader => ({
  isLetIn,
  groups: new Set(groups),
})

const READERS: readonly (readonly [name: string, reader: Reader])[] = [
  ['a stranger', reader(false)],
  ['somebody who is let in', reader(true)],
  ['somebody in group a', reader(true, 'a')],
  ['somebody in group b', reader(true, 'b')],
  ['somebody in both groups', reader(true, 'a', 'b')],
]

/** Words, and who may see them. */
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

/** An index leaves out what a word shares with the one before it. */
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
  /** What a reader gets; nothing of a file that they may not read. */
  const seenBy = (who: Reader, path: string): string | undefined => {
    const entry = manifest.entries.find((one) => one.path === path)
    if (entry === undefined || !mayRead(who, entry.access)) return undefined
    const may = (access: ManifestEntry['access']) => mayRead(who, access)
    return Buffer.from(leaveOut(bytesOf(entry), entry.ranges ?? [], may)).toString('latin1')
  }

  describe.each(READERS)('as %s sees it', (_name, who) => {
    test('has no word of a page that they may not read, in any file', () => {
      const hidden = CANARIES.filter(({ label }) => !mayRead(who, label))
      const leaks = manifest.entries.flatMap(({ path }) => {
        const text = seenBy(who, path)?.toLowerCase()
        return hidden.flatMap(({ word }) => {
          return text?.includes(word.toLowerCase().slice(-END_LENGTH)) ? [`${word} in ${path}`] : []
        })
      })
      expect(leaks).toEqual([])
    })

    test('names no such page in the address of a file that they may read', () => {
      const hidden = LABELLED_PAGES.filter(({ label }) => !mayRead(who, label))
      const paths = manifest.entries.filter(({ access }) => mayRead(who, access))
      const leaks = paths.filter(({ path }) => hidden.some(({ slug }) => path.includes(slug)))
      expect(leaks).toEqual([])
    })

    test('has every page that they may read, with its title in all other pages', () => {
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
      // A stranger may read the list of a site only if any page is public, as one is here.
      expect(listed.filter(({ title }) => !list.includes(title))).toEqual([])
    })

    test('finds the pages that they may read by searching, and no others', async () => {
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

    test('is well-formed HTML', () => {
      for (const { path } of manifest.entries) {
        const html = path.endsWith('.html') ? seenBy(who, path) : undefined
        if (html !== undefined) expect([path, unbalancedTags(html)]).toEqual([path, []])
      }
    })
  })

  test('has no marks left in any file, and every range is where it should be', () => {
    for (const entry of manifest.entries) {
      // Bytes of a font may be those of a mark by chance.
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

  test('gives files the loosest label of the pages that use them', () => {
    expect(accessOf('images/shared.svg')).toBe('default')
    expect(accessOf('images/own.svg')).toEqual(['a', 'b'])
    expect(accessOf('files/own.pdf')).toEqual(['a'])
    // docs.json names it, so every page shows it.
    expect(accessOf('images/logo.svg')).toBe('public')
    expect(accessOf('images/unused.svg')).toBe('default')
    const islands = manifest.entries.filter(({ path }) => /islands\/[\da-f]{16}\.js$/.test(path))
    expect(islands.map(({ access }) => access)).toEqual([['a']])
  })

  test('gives what pages load later of a specification their label', () => {
    const api = manifest.entries.filter(({ path }) => path.startsWith('_octavo/api/'))
    expect(new Set(api.map(({ access }) => String(access)))).toEqual(
      new Set(['public', 'default', 'a']),
    )
    for (const { path, access } of api) {
      const names = Object.keys(JSON.parse(site.read(path)))
      expect([path, names.some((name) => name.includes(OPERATION.schema))]).toEqual([
        path,
        String(access) === 'a',
      ])
    }
    // The specification holds all operations, so all labels are needed.
    expect(accessOf('api/plants.yaml')).toEqual(['a'])
  })

  test('gives the preview image of a page its label', () => {
    for (const { path, label } of LABELLED_PAGES) {
      const html = site.read(`${path}/index.html`)
      const image = /content="https:\/\/docs\.example\.com\/(_octavo\/og\/[^"]+)"/.exec(html)?.[1]
      expect([path, image === undefined ? label : accessOf(image)]).toEqual([path, label])
    }
  })

  test('has in files for everybody what everybody may read', () => {
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

  test('leads readers from the start to the first page that they may read', () => {
    const targets = manifest.root.redirects.filter(({ source }) => source === '/guides')
    const first = (who: Reader) => targets.find(({ access }) => mayRead(who, access))?.destination
    const [, ofDefault, ofA, ofB] = LABELLED_PAGES.map(({ path }) => `/${path}`)
    expect(first(reader(true, 'a'))).toBe(ofA)
    expect(first(reader(true, 'b'))).toBe(ofDefault)
    expect(first(reader(false))).toBe(undefined)
    expect(ofB).not.toBe(ofA)
  })
})

describe('a build after a label has changed', () => {
  test.each([
    ['gets groups', 'groups: [c]'],
    ['is made public', 'public: true'],
  ])('gives the bytes of a cold build: a page %s', async (_, line) => {
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

test('a site without labels has the default label and no ranges', async () => {
  const files = Object.entries(LABELLED_SITE).map(([path, text]) => {
    return [path, text.replaceAll(/^(?:groups|public): .*\n|metadata: \{[^}]*\}/gm, '')]
  })
  using site = new TemporarySite(Object.fromEntries(files))
  await site.build({ siteUrl: 'https://docs.example.com' })
  const { root, entries } = builtManifest(site)
  expect(new Set(entries.map(({ access }) => JSON.stringify(access)))).toEqual(
    // Files for plain hosts are for nobody where a host goes by the manifest.
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

/** Tags that are not closed where they should be. */
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
