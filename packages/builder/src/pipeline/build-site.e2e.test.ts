/**
 * Checks that a build is a pure function of its source (invariant 2), and that no page can stop it.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtManifest } from '../../testing/built-manifest.ts'
import { COMPONENTS, REFERENCE, SNIPPETS } from '../../testing/rich-sites.ts'
import { type Files, TemporarySite } from '../../testing/temporary-site.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/sites')
const RICH = { SNIPPETS, COMPONENTS, REFERENCE }
const SMALL: Files = {
  'docs.json': JSON.stringify({ name: 'Small', navigation: { pages: ['a', 'b', 'c'] } }),
  'a.mdx': '---\ntitle: A\n---\nimport Part from "/snippets/part.mdx"\n\nText of A. <Part />\n',
  'b.mdx': '---\ntitle: B\n---\n## Heading\n\n```ts\nconst a = 1\n```\n',
  'c.mdx':
    '---\ntitle: C\n---\n<Card title="x" href="/a" icon="rocket">Text of C.</Card>\n\n![Picture](pictures/p.gif)\n\n![Missing](/missing.gif)\n',
  'pictures/p.gif': 'GIF89a\u0004\0\u0003\0',
  'snippets/part.mdx': 'The part.\n',
}

/** Files that a host does not serve, or for which it has its own version. */
const BUILD_RECORDS =
  /^(?:_octavo\/(?:manifest[./]|(?:findings|version)\.json$|host\.js$)|\.octavo-build\.json$)/

/**
 * Keeps only six pages of a site. Fewer pages would not need a worker, and more would take longer.
 */
function few(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !/page-(?:[7-9]|\d\d)\.mdx/.test(path)),
  )
}

/** Returns the output of a build of the current files without a cache. */
async function coldHashes(site: TemporarySite): Promise<Files> {
  using other = new TemporarySite()
  cpSync(site.folder, other.folder, { recursive: true })
  await other.build()
  return other.hashes()
}

describe('the root address of the site', () => {
  const docs = (more: object) =>
    JSON.stringify({ name: 'Small', navigation: { pages: ['a'] }, ...more })
  const page = '---\ntitle: A\n---\nText.\n'

  test('the root URL redirects to the first page if there is no page at the root', async () => {
    using site = new TemporarySite({ 'docs.json': docs({}), 'a.mdx': page })
    await site.build()
    expect(site.read('index.html')).toContain('url=/a')
    expect(site.read('_redirects')).toBe('/ /a 307\n')
  })

  test('the root URL is a page, or redirects as the author has configured', async () => {
    using own = new TemporarySite({ 'docs.json': docs({}), 'a.mdx': page, 'index.mdx': page })
    await own.build()
    expect(own.read('index.html')).toContain('<main id="content">')
    const redirects = [{ source: '/', destination: 'https://x.test' }]
    using sent = new TemporarySite({ 'docs.json': docs({ redirects }), 'a.mdx': page })
    await sent.build()
    expect(sent.read('index.html')).toContain('url=https://x.test')
  })
})

describe('the address of a folder', () => {
  const page = '---\ntitle: A\n---\nText.\n'
  const files = {
    'a/b/one.mdx': page,
    'a/b/two.mdx': page,
    'a/c/index.mdx': page,
    'd/one.mdx': page,
  }
  const docs = (redirects: readonly object[]) => {
    const pages = ['a/b/two', 'a/b/one', 'a/c/index', 'd/one']
    return JSON.stringify({ navigation: { pages }, redirects })
  }

  test('the URL of a folder redirects to its first listed page if there is no page at the URL', async () => {
    using site = new TemporarySite({ 'docs.json': docs([]), ...files })
    await site.build()
    expect(site.read('_redirects').trim().split('\n')).toEqual([
      '/a/b /a/b/two 307',
      '/a /a/b/two 307',
      '/d /d/one 307',
      '/ /a/b/two 307',
    ])
    expect(site.read('a/index.html')).toContain('url=/a/b/two')
    expect(site.read('a/c/index.html')).toContain('<main id="content">')
  })

  test('the URL of a folder redirects as the author has configured', async () => {
    const redirects = [
      { source: '/a/:rest*', destination: '/d/one' },
      { source: '/d', destination: '/a/b/one' },
    ]
    using site = new TemporarySite({ 'docs.json': docs(redirects), ...files })
    await site.build()
    const lines = ['/a/* /d/one 308', '/d /a/b/one 308', '/ /a/b/two 307']
    expect(site.read('_redirects').trim().split('\n')).toEqual(lines)
  })
})

describe('an unlisted page with a redirect', () => {
  test('an unlisted page is not built if there is a redirect from its URL', async () => {
    using site = new TemporarySite({
      'docs.json': JSON.stringify({
        navigation: { pages: ['a'] },
        redirects: [{ source: '/b', destination: '/a' }],
      }),
      'a.mdx': '[B](/b)',
      'b.mdx': 'Retired.',
    })
    await site.build()
    expect(site.read('b/index.html')).toContain('url=/a')
    expect(site.read('llms-full.txt')).not.toContain('Retired')
  })
})

describe('deterministic builds', () => {
  // Only every eighth fixture is built, because building all of them takes a minute. Set
  // OCTAVO_ALL_FIXTURES to build all.
  test('fixtures have the same output in a cold build, a second build, a cached one and another folder', async () => {
    const step = process.env.OCTAVO_ALL_FIXTURES === undefined ? 8 : 1
    let built = 0
    for (const [index, name] of readdirSync(FIXTURES).entries()) {
      if (index % step !== 0) continue
      using site = new TemporarySite()
      const folder = join(FIXTURES, name)
      const first = await site.build({ folder })
      if (!first.isLoaded) {
        expect(existsSync(join(site.root, 'out')), name).toBe(false)
        continue
      }
      built += 1
      const cold = site.hashes()
      const again = await site.build({ folder })
      expect(again, name).toMatchObject({ compiledCount: 0, writtenCount: 0, removedCount: 0 })
      expect(again.diagnostics, name).toEqual(first.diagnostics)
      expect(site.hashes(), name).toEqual(cold)
      const cached = await site.build({ folder, output: join(site.root, 'other') })
      expect(cached.diagnostics, name).toEqual(first.diagnostics)
      expect(site.hashes('other'), name).toEqual(cold)
      cpSync(folder, site.folder, { recursive: true })
      await site.build({ output: join(site.root, 'elsewhere'), cacheFolder: join(site.root, 'c') })
      expect(site.hashes('elsewhere'), name).toEqual(cold)
    }
    expect(built).toBeGreaterThan(150 / step)
  }, 180_000)

  test.each(Object.entries(RICH))(
    'the output of the site %s is the same with one worker, two workers and the cache',
    async (_, files) => {
      using site = new TemporarySite(files)
      const one = await site.build({ workersMax: 1 })
      const cold = site.hashes()
      expect(one.compiledCount).toBeGreaterThan(40)
      const two = await site.build({
        workersMax: 2,
        output: join(site.root, 'two'),
        cacheFolder: join(site.root, 'cache-2'),
      })
      expect(two.diagnostics).toEqual(one.diagnostics)
      expect(site.hashes('two')).toEqual(cold)
      const cached = await site.build({ output: join(site.root, 'three') })
      expect(cached.compiledCount).toBeLessThan(5)
      expect(cached.diagnostics).toEqual(one.diagnostics)
      expect(site.hashes('three')).toEqual(cold)
    },
  )

  test('the manifest lists every file that a host serves, with its hash', async () => {
    using site = new TemporarySite(REFERENCE)
    await site.build({ siteUrl: 'https://example.com/docs', commit: 'c0ffee' })
    const { root, entries } = builtManifest(site)
    expect(root).toMatchObject({ builder: 'test', commit: 'c0ffee', basePath: '/docs' })
    expect(entries.find(({ path }) => path === 'llms.txt')).toMatchObject({
      size: Buffer.byteLength(site.read('llms.txt')),
      type: 'text/plain; charset=utf-8',
      access: 'default',
    })
    const all = Object.entries(site.hashes())
    const hashes = Object.fromEntries(all.filter(([path]) => !BUILD_RECORDS.test(path)))
    const listed = Object.fromEntries(entries.map(({ path, sha256 }) => [path, sha256]))
    expect(listed).toEqual(hashes)
  })
})

/**
 * Compares two outputs without the manifest's runs, because file names determine where a run
 * begins.
 */
function compareFiles(before: Files, after: Files) {
  const ofSite = (file: string) => !file.startsWith('_octavo/manifest/')
  return {
    removed: Object.keys(before).filter((file) => ofSite(file) && !(file in after)),
    written: Object.keys(after).filter((file) => ofSite(file) && after[file] !== before[file]),
  }
}

describe('rebuilds after a change', () => {
  const changes: Readonly<Record<string, (site: TemporarySite) => void>> = {
    'a page': (site) => site.write({ 'b.mdx': '---\ntitle: B\n---\nOther.\n' }),
    'the title of a page': (site) => site.write({ 'b.mdx': '---\ntitle: New\n---\n' }),
    'a snippet': (site) => site.write({ 'snippets/part.mdx': 'Another part.\n' }),
    'a removed snippet': (site) => site.remove('snippets/part.mdx'),
    'a new page': (site) => site.write({ 'd.mdx': 'Not listed.\n' }),
    'a removed page': (site) => site.remove('b.mdx'),
    'the navigation': (site) =>
      site.write({ 'docs.json': '{"name": "Small", "navigation": {"pages": ["c", "a"]}}' }),
    'the language of pages': (site) =>
      site.write({
        'docs.json':
          '{"name": "Small", "navigation": {"languages": [{"language": "de", "pages": ["a", "b", "c"]}]}}',
      }),
    'the page menu': (site) =>
      site.write({
        'docs.json':
          '{"name": "Small", "contextual": {"options": ["view"]}, "navigation": {"pages": ["a", "b", "c"]}}',
      }),
    'a setting': (site) =>
      site.write({
        'docs.json':
          '{"name": "Other", "colors": {"primary": "#ff0000"}, "navigation": {"pages": ["a", "b", "c"]}}',
      }),
    'the icon library': (site) =>
      site.write({
        'docs.json':
          '{"name": "Small", "icons": {"library": "lucide"}, "navigation": {"pages": ["a", "b", "c"]}}',
      }),
    'an icon of the navigation': (site) =>
      site.write({ 'b.mdx': '---\ntitle: B\nicon: github\n---\n' }),
    'a variable': (site) =>
      site.write({
        'docs.json':
          '{"name": "Small", "variables": {"x": "1"}, "navigation": {"pages": ["a", "b", "c"]}}',
        'a.mdx': 'The value of x is {{x}}.',
      }),
    'the size of an image': (site) => site.write({ 'pictures/p.gif': 'GIF89a\u0008\0\u0003\0' }),
    'a removed image': (site) => site.remove('pictures/p.gif'),
    'a new image that was missing': (site) =>
      site.write({ 'missing.gif': 'GIF89a\u0001\0\u0001\0' }),
    'an asset': (site) => site.write({ 'logo.png': 'x', 'extra.css': 'a {}' }),
    'a page that becomes a folder': (site) => {
      site.remove('b.mdx')
      site.write({
        'a.md.mdx': 'The Markdown of a stands there.',
        'b/x.mdx': 'X',
        'b.md/y.mdx': 'Y',
      })
    },
  }

  test.each(Object.entries(changes))(
    'a rebuild has the same output as a cold build after this change: %s',
    async (_, change) => {
      using site = new TemporarySite(SMALL)
      await site.build()
      change(site)
      const result = await site.build()
      expect(site.hashes()).toEqual(await coldHashes(site))
      expect(result.writtenCount).toBeGreaterThan(0)
      await site.build()
      expect(site.hashes()).toEqual(await coldHashes(site))
    },
  )

  test('a rebuild of a site with a URL and external images has the same output as a cold build', async () => {
    const siteUrl = 'https://docs.example.com'
    using site = new TemporarySite(SMALL)
    site.write({
      'a.mdx': '---\ntitle: A\n---\n![x](https://one.example/x.png)\n',
      'b.mdx': '---\ntitle: B\n---\n<iframe src="https://two.example/x"></iframe>\n',
    })
    await site.build({ siteUrl })
    const before = site.hashes()
    site.write({ 'c.mdx': '---\ntitle: Other\n---\n' })
    expect(await site.build({ siteUrl })).toMatchObject({ compiledCount: 1 })
    const edited = site.hashes()
    // The files are the page's card and its finding and, for search, the texts of the three pages
    // that share a folder, a shard and the vocabulary.
    expect(compareFiles(before, edited).removed).toHaveLength(7)
    await site.build({
      siteUrl,
      output: join(site.root, 'cold'),
      cacheFolder: join(site.root, 'c'),
    })
    expect(site.hashes('cold')).toEqual(edited)
    expect(site.read('_headers')).toContain("img-src 'self' data: https://one.example;")
    expect(site.read('a/index.html')).toContain("img-src 'self' data: https://one.example;")
    expect(site.read('b/index.html')).toContain("img-src 'self' data:;")
    expect(site.read('a/index.html')).toMatch(
      /og:image" content="https:\/\/docs.example.com\/_octavo/,
    )
    expect(Object.keys(edited).filter((path) => path.startsWith('_octavo/og/'))).toHaveLength(3)
  })

  test('adding a missing snippet recompiles the page that includes it', async () => {
    using site = new TemporarySite(SMALL)
    site.remove('snippets/part.mdx')
    const before = await site.build()
    expect(before.diagnostics).toMatchObject([
      { code: 'content/import', place: { file: 'a.mdx', line: 4 } },
      { code: 'link/missing-file', place: { file: 'c.mdx' } },
    ])
    site.write(SMALL)
    expect(await site.build()).toMatchObject({
      compiledCount: 1,
      diagnostics: [{ code: 'link/missing-file' }],
    })
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('a changed nested snippet recompiles all pages that include it', async () => {
    using site = new TemporarySite(few(SNIPPETS))
    await site.build()
    site.write({ 'snippets/inner.mdx': 'Changed.\n' })
    expect((await site.build()).compiledCount).toBe(7)
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('a change in a file that docs.json includes updates the site', async () => {
    using site = new TemporarySite(few(COMPONENTS))
    await site.build()
    site.write({ 'navbar.json': '{"links": [{"label": "Other", "href": "https://example.org"}]}' })
    expect((await site.build()).compiledCount).toBe(0)
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('changing a specification and removing a redirect update the site', async () => {
    using site = new TemporarySite(few(REFERENCE))
    await site.build()
    site.write({
      'api/plants.json': (REFERENCE['api/plants.json'] ?? '').replace('List plants', 'All plants'),
      'old.mdx': 'A page where a redirect was.',
    })
    expect((await site.build()).removedCount).toBeGreaterThan(0)
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('a change of one page compiles only that page', async () => {
    using site = new TemporarySite(few(COMPONENTS))
    await site.build()
    const before = site.hashes()
    site.write({ 'guides/page-3.mdx': '---\ntitle: "Component 3"\ntag: NEW\n---\nShort.\n' })
    expect((await site.build()).compiledCount).toBe(1)
    // The files are the page, its Markdown, the full text, the archive, the manifest, the build
    // record and, for search, the texts of the eight pages that share a folder, their sections, a
    // shard, the vocabulary and the root.
    expect(compareFiles(before, site.hashes()).written).toHaveLength(18)
    expect(site.hashes()).toEqual(await coldHashes(site))
  })
})

describe('leftovers of earlier builds', () => {
  const harms: Readonly<Record<string, (cache: string) => void>> = {
    'the cache is missing': (cache) => rmSync(cache, { recursive: true }),
    'the pack is missing': (cache) => eachFile(cache, '.pack', (file) => rmSync(file)),
    'the pack is truncated': (cache) => eachFile(cache, '.pack', (file) => truncateSync(file, 50)),
    'the pack is overwritten': (cache) =>
      eachFile(cache, '.pack', (file) => writeFileSync(file, 'x'.repeat(100_000))),
    'the index is not JSON': (cache) =>
      eachFile(cache, '.json', (file) => writeFileSync(file, '{"pack":')),
    'the index has another shape': (cache) =>
      eachFile(cache, '.json', (file) => writeFileSync(file, '{"pack": "../../x"}')),
    'the index is null': (cache) => eachFile(cache, '.json', (file) => writeFileSync(file, 'null')),
  }
  test.each(Object.entries(harms))(
    'a rebuild has the same output as a cold build if %s',
    async (_, harm) => {
      using site = new TemporarySite(SMALL)
      const first = await site.build()
      harm(join(site.root, 'cache'))
      site.write({ 'b.mdx': '---\ntitle: B\n---\nChanged.\n' })
      const second = await site.build()
      expect(second.diagnostics).toEqual(first.diagnostics)
      expect(site.hashes()).toEqual(await coldHashes(site))
    },
  )

  test('files of an interrupted build are rewritten or removed', async () => {
    using site = new TemporarySite(SMALL)
    await site.build()
    const good = site.hashes()
    writeFileSync(join(site.root, 'out/a/index.html'), 'half a pa')
    mkdirSync(join(site.root, 'out/gone'))
    writeFileSync(join(site.root, 'out/gone/index.html'), 'of a page that is no more')
    writeFileSync(join(site.root, 'out/.octavo-build.journal'), 'gone/index.html\n')
    await site.build()
    expect(site.hashes()).toEqual(good)
    expect(existsSync(join(site.root, 'out/gone'))).toBe(false)
  })

  test('a page that is saved during the build is not cached under its old hash', async () => {
    using site = new TemporarySite(SMALL)
    const old = SMALL['c.mdx'] ?? ''
    const change = () => site.write({ 'c.mdx': '---\ntitle: C\n---\nSaved meanwhile.\n' })
    await site.build({ onProgress: change })
    site.write({ 'c.mdx': old })
    await site.build()
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('only the three most recently used caches are kept', async () => {
    using site = new TemporarySite(SMALL)
    for (const version of ['1', '2', '3', '4', '5']) await site.build({ version })
    const packs = readdirSync(join(site.root, 'cache')).filter((name) => name.endsWith('.pack'))
    expect(packs).toHaveLength(3)
    expect((await site.build({ version: '3' })).compiledCount).toBe(0)
  })

  test('files that an older version of the builder wrote are removed', async () => {
    using site = new TemporarySite(SMALL)
    await site.build({ version: 'older' })
    const before = site.hashes()
    site.remove('b.mdx')
    await site.build()
    // The files are the page, its Markdown and, for search, the texts of the three pages, a shard
    // and the vocabulary.
    expect(compareFiles(before, site.hashes()).removed).toHaveLength(7)
    expect(existsSync(join(site.root, 'out/b'))).toBe(false)
  })

  test('no files are removed if a build record names files outside the folder', async () => {
    using site = new TemporarySite(SMALL)
    await site.build()
    const elsewhere = join(site.root, 'precious')
    writeFileSync(elsewhere, '')
    const outputs = Object.fromEntries(
      ['../precious', elsewhere, 'a/../../precious'].map((path) => [path, { sha256: '', key: '' }]),
    )
    writeFileSync(join(site.root, 'out/.octavo-build.json'), JSON.stringify({ outputs }))
    await site.build()
    expect(existsSync(elsewhere)).toBe(true)
  })

  test('files in the output folder that no build wrote are never touched', async () => {
    using site = new TemporarySite(SMALL)
    const foreign = ['CNAME', 'b/notes.txt', 'own/index.html']
    for (const path of foreign) {
      mkdirSync(join(site.root, 'out', path, '..'), { recursive: true })
      writeFileSync(join(site.root, 'out', path), `mine: ${path}`)
    }
    await site.build()
    site.remove('b.mdx')
    await site.build()
    for (const path of foreign) expect(site.read(path)).toBe(`mine: ${path}`)
    expect(existsSync(join(site.root, 'out/b/index.html'))).toBe(false)
    expect(builtManifest(site).entries.map(({ path }) => path)).not.toContain('CNAME')
  })

  test('an output folder inside the documentation folder is not read as source', async () => {
    using site = new TemporarySite({ ...SMALL, 'logo.png': 'x' })
    const output = join(site.folder, 'dist')
    const first = await site.build({ output })
    const hashes = site.hashes('docs/dist')
    const second = await site.build({ output })
    expect(second).toMatchObject({ pageCount: first.pageCount, writtenCount: 0 })
    // This also works if the very first build was interrupted.
    rmSync(join(output, '.octavo-build.json'))
    writeFileSync(join(output, '.octavo-build.journal'), '')
    await site.build({ output })
    expect(site.hashes('docs/dist')).toEqual(hashes)
  })
})

describe('pages that cannot be built', () => {
  test('a page that the parser rejects is reported', async () => {
    using site = new TemporarySite(SMALL)
    site.write({ 'b.mdx': `${'['.repeat(20_000)}\n`, 'c.mdx': '{'.repeat(3_000) })
    const result = await site.build()
    const { diagnostics } = result
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'content/limit', place: { file: 'b.mdx', line: 1 } },
      { code: 'content/limit', place: { file: 'c.mdx', line: 1 } },
    ])
    expect(site.read('a/index.html')).toContain('Text of A.')
    expect(existsSync(join(site.root, 'out/b/index.html'))).toBe(true)
  })

  test('a page that crashes its process is reported, and compiled again in the next build', async () => {
    using site = new TemporarySite(SMALL)
    site.write(Object.fromEntries(['d', 'e'].map((name) => [`${name}.mdx`, `Text of ${name}.`])))
    // This page is valid, but it needs more than the small memory limit of this test.
    site.write({ 'b.mdx': `# Large\n\n${'*a* `b` [c](/d) '.repeat(1_000)}\n\n`.repeat(15) })
    const limits = { pageTimeMsMax: 20_000, workerMemoryMbMax: 22 }
    const result = await site.build({ limits, workersMax: 1 })
    expect(result.diagnostics.filter(({ code }) => code === 'content/limit')).toMatchObject([
      { place: { file: 'b.mdx', line: 1 } },
    ])
    for (const name of ['d', 'e']) expect(site.read(`${name}.md`)).toContain(`Text of ${name}.`)
    expect(await site.build()).toMatchObject({ compiledCount: 1 })
    expect(site.hashes()).toEqual(await coldHashes(site))
  })

  test('a page that takes too long to compile is reported', async () => {
    using site = new TemporarySite(few(COMPONENTS))
    const limits = { pageTimeMsMax: 1, workerMemoryMbMax: 512 }
    site.write({ 'docs.json': '{"navigation": {"pages": ["index"]}}' })
    site.remove('guides')
    site.write(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.mdx`, name])))
    const result = await site.build({ limits, workersMax: 1 })
    expect(result.diagnostics.filter(({ code }) => code === 'content/limit')).toHaveLength(6)
  })

  test('a page whose output path is already used is reported', async () => {
    using site = new TemporarySite(SMALL)
    site.write({ 'a.md.mdx': 'x', '404.html.mdx': 'x', '_octavo/manifest.json.mdx': 'x' })
    const { diagnostics } = await site.build()
    const collisions = diagnostics.filter(({ code }) => code === 'route/collision')
    expect(collisions.map(({ place }) => place.file)).toEqual([
      '404.html.mdx',
      '_octavo/manifest.json.mdx',
      'a.md.mdx',
    ])
    expect(site.read('a.md')).toContain('# A')
  })
})

function eachFile(folder: string, ending: string, work: (file: string) => void): void {
  for (const name of readdirSync(folder)) if (name.endsWith(ending)) work(join(folder, name))
}
