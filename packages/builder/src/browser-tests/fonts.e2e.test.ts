/** Checks the `fonts` of docs.json in a browser: the site itself serves every font. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { FONT, fontFiles, startFontRegistry } from '../../testing/font-registry.ts'
import { serveFolder } from '../../testing/serve-folder.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { TestServer } from '../../testing/test-server.ts'
import { networkFetcher } from '../load/fetchers.ts'

function site(fonts: object): TemporarySite {
  const config = { name: 'Garden', navigation: { pages: ['index'] }, fonts }
  return new TemporarySite({
    'docs.json': JSON.stringify(config),
    'index.mdx': '---\ntitle: Start\n---\n\nText.\n',
  })
}

/** Writes a package to `node_modules`, as `npm install` does. */
function install(folder: string, name: string, files: Readonly<Record<string, string | Buffer>>) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'node_modules', name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

describe.skipIf(!HAS_CHROMIUM)(
  `fonts (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterAll(() => browser?.close())

    /** Returns the font faces that the page loaded, and its requests to other hosts. */
    async function look({ root }: TemporarySite) {
      const served = await serveFolder(join(root, 'out'))
      const context = await browser.newContext()
      const elsewhere: string[] = []
      context.on('request', (request) => {
        if (!request.url().startsWith(served.origin)) elsewhere.push(request.url())
      })
      const page = await context.newPage()
      await page.goto(served.origin)
      // From the second page view on, the font is used at once.
      await page.reload()
      const faces = await page.evaluate<readonly string[]>(
        'document.fonts.ready.then(() => [...document.fonts].filter((one) => one.status === "loaded").map((one) => one.family.replaceAll("\\"", "") + " " + one.weight))',
      )
      const families = await page.evaluate<readonly string[]>(
        '["body", "h1"].map((name) => getComputedStyle(document.querySelector(name)).fontFamily.split(",")[0].replaceAll("\\"", ""))',
      )
      await context.close()
      await served.close()
      return { faces, families, elsewhere }
    }

    test('a font family is taken from the installed package that docs.json names', async () => {
      using made = site({ family: 'Garden Serif' })
      // The package is in a parent folder, as in a repository that contains more than the docs.
      install(made.root, '@fontsource-variable/garden-serif', fontFiles('garden-serif'))
      const { diagnostics } = await made.build()
      expect(diagnostics).toEqual([])
      const { faces, families, elsewhere } = await look(made)
      expect(families).toEqual(['Garden Serif', 'Garden Serif'])
      expect(faces).toContain('Garden Serif 300 800')
      expect(elsewhere).toEqual([])
    })

    test('a font family is taken from a package with one file per weight', async () => {
      using made = site({ heading: { family: 'Garden Sans', weight: 800 } })
      const weights = [400, 700, 800].map(
        (weight) => [`files/garden-sans-latin-${weight}-normal.woff2`, FONT] as const,
      )
      install(made.folder, '@fontsource/garden-sans', {
        'package.json': '{}',
        'unicode.json': JSON.stringify({ latin: 'U+0000-00FF' }),
        ...Object.fromEntries(weights),
      })
      await made.build()
      const styles = Object.keys(made.hashes()).find((file) => /styles\/theme-/.test(file)) ?? ''
      const faces = made.read(styles).match(/font-family:"Garden Sans";[^}]*font-weight:\d+/g)
      expect(faces?.map((face) => face.slice(-3))).toEqual(['400', '700', '800'])
      expect((await look(made)).families).toEqual(['Inter', 'Garden Sans'])
    })

    test('a font family that is not installed is fetched as a package and recorded', async () => {
      await using registry = await startFontRegistry()
      using made = site({ family: 'Garden Serif' })
      const build = () =>
        made.build({
          fetcher: networkFetcher({
            cacheFolder: join(made.root, 'cache'),
            allowPrivateHosts: ['127.0.0.1'],
            registry: registry.origin,
            recordFolder: made.folder,
            now: () => 0,
          }),
        })
      const { diagnostics } = await build()
      expect(diagnostics.map(({ code }) => code)).toEqual(['font/unrecorded'])
      const first = made.hashes()
      expect((await build()).diagnostics).toEqual([])
      expect(made.hashes()).toEqual(first)
      expect(registry.requests).toHaveLength(2)
      const { faces, families, elsewhere } = await look(made)
      expect(families).toEqual(['Garden Serif', 'Garden Serif'])
      expect(faces).toContain('Garden Serif 300 800')
      expect(elsewhere).toEqual([])
    })

    test('a page uses Inter in place of a font that is not found', async () => {
      await using registry = await startFontRegistry()
      using made = site({ family: 'Nobody' })
      const { diagnostics } = await made.build({
        fetcher: networkFetcher({
          cacheFolder: join(made.root, 'cache'),
          allowPrivateHosts: ['127.0.0.1'],
          registry: registry.origin,
          now: () => 0,
        }),
      })
      expect(diagnostics.map(({ code }) => code)).toEqual(['font/missing'])
      expect((await look(made)).faces).toContain('Inter 100 900')
    })

    test('only a page with code loads the font for code', async () => {
      using made = site({ family: 'Inter' })
      await made.build()
      expect((await look(made)).faces).toEqual(['Inter 100 900'])
      made.write({ 'index.mdx': '---\ntitle: Start\n---\n\nRun `npm install`.\n' })
      await made.build()
      const { faces, elsewhere } = await look(made)
      expect(faces).toContain('JetBrains Mono 400 700')
      expect(elsewhere).toEqual([])
    })

    test('a font from a URL is fetched only once and stored in the cache and the site', async () => {
      await using server = await TestServer.start((_, response) => response.end(FONT))
      using made = site({
        body: { family: 'Own', source: `${server.origin}/own.woff2`, format: 'woff2', weight: 400 },
      })
      const fetcher = () =>
        networkFetcher({
          cacheFolder: join(made.root, 'cache'),
          allowPrivateHosts: ['127.0.0.1'],
          now: () => 0,
        })
      const { diagnostics } = await made.build({ fetcher: fetcher() })
      expect(diagnostics).toEqual([])
      await made.build({ fetcher: fetcher() })
      expect(server.requests).toEqual(['GET /own.woff2'])
      const { faces, families, elsewhere } = await look(made)
      expect(families[0]).toBe('Own')
      expect(faces).toContain('Own 400')
      expect(elsewhere).toEqual([])
    })

    test('a font URL in a private network is refused, and a response that is not a font is not used', async () => {
      await using server = await TestServer.start((_, response) => response.end('@font-face{}'))
      using made = site({ body: { family: 'Own', source: `${server.origin}/own.css` } })
      const cacheFolder = join(made.root, 'cache')
      const build = async (allowPrivateHosts: readonly string[]) => {
        const fetcher = networkFetcher({ cacheFolder, allowPrivateHosts, now: () => 0 })
        const { diagnostics } = await made.build({ fetcher })
        return diagnostics.map(({ code, message }) => `${code} ${message}`).join()
      }
      expect(await build([])).toMatch(/^font\/missing .*cannot be fetched/)
      expect(server.requests).toEqual([])
      expect(await build(['127.0.0.1'])).toMatch(/^font\/missing .*is not a WOFF or WOFF2 font/)
    })

    test('a package file that is not a font is not used', async () => {
      using made = site({ family: 'Garden Serif' })
      install(made.folder, '@fontsource/garden-serif', {
        'package.json': '{}',
        'unicode.json': JSON.stringify({ latin: 'U+0000-00FF' }),
        'files/garden-serif-latin-400-normal.woff2': 'root:x:0:0',
      })
      const { diagnostics } = await made.build()
      expect(diagnostics.map(({ code }) => code)).toEqual(['font/missing'])
    })
  },
)
