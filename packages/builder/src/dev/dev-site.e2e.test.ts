/** Checks that `octavo dev` serves exactly the same bytes that `octavo build` writes. */
import type { Diagnostic } from '@octavo/model'
import { afterEach, describe, expect, test } from 'vitest'
import { COMPONENTS, REFERENCE, SNIPPETS } from '../../testing/rich-sites.ts'
import { type Files, TemporarySite } from '../../testing/temporary-site.ts'
import { htmlPath } from '../plan/site-paths.ts'
import { DevSite } from './dev-site.ts'

const opened: Disposable[] = []

afterEach(() => {
  for (const one of opened.splice(0)) one[Symbol.dispose]()
})

async function open(files: Files): Promise<{ site: TemporarySite; dev: DevSite }> {
  const site = new TemporarySite(files)
  const { folder, root } = site
  const dev = await DevSite.open({ folder, cacheFolder: `${root}/dev-cache`, version: 'test' })
  opened.push({ [Symbol.dispose]: () => dev.close() }, site)
  return { site, dev }
}

/** Returns every page twice: as the build wrote it and as the server sends it. */
async function bothOf(
  site: TemporarySite,
  dev: DevSite,
): Promise<{ readonly built: Files; readonly served: Files }> {
  await site.build()
  const built: Record<string, string> = {}
  const served: Record<string, string> = {}
  const redirect = '<meta http-equiv="refresh"'
  for (const path of Object.keys(site.hashes())) {
    // Our own files that are not pages come from the background build.
    if (path.startsWith('_octavo/') || !/\.(?:html|md)$/.test(path)) continue
    const text = site.read(path)
    // Redirects are not pages: the server sends a redirect response.
    if (text.includes(redirect)) continue
    built[path] = text
    served[path] = await give(dev, path)
  }
  return { built, served }
}

async function give(dev: DevSite, path: string): Promise<string> {
  if (path === '404.html') return dev.notFound().html
  const found = dev.find(path)
  if (found?.kind !== 'page') return `nothing at ${path}`
  if (found.form === 'html') return (await dev.page(found.page)).html
  return (await dev.text(found.page, { form: found.form, part: found.part })) ?? ''
}

describe('served pages equal built pages', () => {
  test.each([
    ['snippets', SNIPPETS],
    ['components', COMPONENTS],
    ['a reference', REFERENCE],
  ])(
    'the development server serves a site with %s exactly as a build writes it',
    async (_, files) => {
      const { site, dev } = await open(files)
      const { built, served } = await bothOf(site, dev)
      expect(Object.keys(built).length).toBeGreaterThan(80)
      expect(served).toEqual(built)
    },
  )

  test('the development server reports the diagnostics of a page that it serves', async () => {
    const { dev } = await open(COMPONENTS)
    const found = dev.find(htmlPath('guides/page-7'))
    const page = found?.kind === 'page' ? await dev.page(found.page) : undefined
    const messages = (await page?.problems())?.own.map(
      ({ code, place }) => `${place.file}:${place.line} ${code}`,
    )
    expect(messages).toEqual([
      'guides/page-7.mdx:9 content/unknown-component',
      'guides/page-7.mdx:11 content/needs-browser',
    ])
  })
})

describe('served pages after a save', () => {
  test.each<[string, Files, Files]>([
    [
      'the text of a page',
      SNIPPETS,
      { 'guides/page-1.mdx': '---\ntitle: Page 1\n---\nOther words.\n' },
    ],
    ['a title that other pages list', SNIPPETS, { 'guides/page-1.mdx': '---\ntitle: New\n---\n' }],
    ['a nested snippet', SNIPPETS, { 'snippets/inner.mdx': 'Other inner words.\n' }],
    ['a component', SNIPPETS, { 'snippets/box.jsx': 'export const Box = () => <i>no</i>\n' }],
    ['an included part of docs.json', COMPONENTS, { 'navbar.json': '{"links": []}' }],
    ['a specification', REFERENCE, { 'api/more.yaml': 'openapi: 3.0.3\ninfo: {}\npaths: {}\n' }],
    ['a stylesheet', REFERENCE, { 'style.css': '@import "https://fonts.example.com/a.css";' }],
    ['an image', REFERENCE, { 'images/logo.png': 'GIF89a\u0004\u0000\u0003\u0000' }],
    ['a new page', REFERENCE, { 'guides/new.mdx': '---\ntitle: New\n---\nNew.\n' }],
    ['the ignore file', REFERENCE, { '.octavoignore': 'guides/page-2.mdx\n' }],
    [
      'docs.json',
      REFERENCE,
      { 'docs.json': '{"name": "Other", "navigation": {"pages": ["guides/page-3"]}}' },
    ],
  ])(
    'the development server serves the same pages as a build writes after this change: %s',
    async (_, before, edit) => {
      const { site, dev } = await open(before)
      await give(dev, htmlPath('guides/page-1'))
      site.write(edit)
      expect(dev.change(Object.keys(edit))).toBeDefined()
      const { built, served } = await bothOf(site, dev)
      expect(served).toEqual(built)
    },
  )

  test('a removed page is not served, and served pages equal built pages after it is added again', async () => {
    const { site, dev } = await open(REFERENCE)
    site.remove('guides')
    dev.change(['guides'])
    expect(await give(dev, htmlPath('guides/page-1'))).toBe('nothing at guides/page-1/index.html')
    site.write(REFERENCE)
    dev.change(['guides'])
    const { built, served } = await bothOf(site, dev)
    expect(served).toEqual(built)
  })
})

describe('removed pages', () => {
  const FILES = {
    'docs.json': `{
      "name": "A",
      "navigation": { "pages": ["index", "start", "other"] },
      "navbar": { "primary": { "type": "button", "label": "Start", "href": "/start" } }
    }`,
    'index.mdx': 'Text.\n\n[Start](/start), [old](/nowhere).\n',
    'start.mdx': 'Start here.\n',
    'other.mdx': 'A [relative link](./start#first) and ![an image](/start.png).\n',
  }

  /**
   * Returns the problems that the panel of the page `other` lists, except those of the page's own
   * file.
   */
  async function elsewhere(dev: DevSite) {
    const found = dev.find(htmlPath('other'))
    const page = found?.kind === 'page' ? await dev.page(found.page) : undefined
    const { caused = [], others = [] } = (await page?.problems()) ?? {}
    const print = ({ code, place }: Diagnostic) => `${place.file}:${place.line} ${code}`
    return { caused: caused.map(print), others: others.map(print) }
  }

  test('all links to a removed page are reported at once, and no other links are', async () => {
    const { site, dev } = await open(FILES)
    expect(await elsewhere(dev)).toEqual({ caused: [], others: [] })
    site.remove('start.mdx')
    dev.change(['start.mdx'])
    const broken = [
      'docs.json:3 nav/missing-page',
      'docs.json:4 link/broken',
      'index.mdx:3 link/broken',
    ]
    expect(await elsewhere(dev)).toEqual({ caused: broken, others: [] })
    const page = await dev.notFound().problems()
    expect(page.caused.map(({ place }) => place.file)).toContain('other.mdx')
    // The next save did not cause these problems, but they still exist.
    site.write({ 'index.mdx': `More.\n${FILES['index.mdx']}` })
    dev.change(['index.mdx'])
    expect((await elsewhere(dev)).others.toSorted()).toEqual(
      broken.map((one) => one.replace('index.mdx:3', 'index.mdx:4')).toSorted(),
    )
  })

  test('links to a page are not broken after it is added again, and are reported if it is removed again', async () => {
    const { site, dev } = await open(FILES)
    site.remove('start.mdx')
    dev.change(['start.mdx'])
    site.write(FILES)
    dev.change(['start.mdx'])
    expect(await elsewhere(dev)).toEqual({ caused: [], others: [] })
    site.remove('start.mdx')
    dev.change(['start.mdx'])
    expect((await elsewhere(dev)).caused).toHaveLength(3)
  })

  test('a corrected link to a removed page is no longer reported', async () => {
    const { site, dev } = await open(FILES)
    site.remove('start.mdx')
    dev.change(['start.mdx'])
    site.write({ 'index.mdx': 'Text.\n' })
    dev.change(['index.mdx'])
    expect((await elsewhere(dev)).others).not.toContain('index.mdx:3 link/broken')
  })
})

describe('unreadable sites', () => {
  test('the previous site is still served and the problem is reported if docs.json becomes invalid', async () => {
    const { site, dev } = await open(REFERENCE)
    const before = await give(dev, htmlPath('guides/page-1'))
    site.write({ 'docs.json': '{"name": ' })
    dev.change(['docs.json'])
    expect(await give(dev, htmlPath('guides/page-1'))).toBe(before)
    expect(dev.diagnostics.map(({ code }) => code)).toEqual(['json/syntax'])
    site.write(REFERENCE)
    dev.change(['docs.json'])
    expect(dev.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('the server starts with an invalid docs.json and recovers after it is corrected', async () => {
    const { site, dev } = await open({ 'docs.json': '{', 'index.mdx': 'Hello.\n' })
    expect(dev.find('index.html')).toBeUndefined()
    expect(dev.notFound().status).toBe(503)
    expect(await dev.notFound().problems()).toMatchObject({ own: [{ code: 'json/syntax' }] })
    site.write({ 'docs.json': '{"name": "A", "navigation": {"pages": ["index"]}}' })
    dev.change(['docs.json'])
    expect(await give(dev, 'index.html')).toContain('Hello.')
  })

  test('a change of an ignored file does not change the site', async () => {
    const { site, dev } = await open(REFERENCE)
    site.write({ 'node_modules/a/index.mdx': 'x', '.git/index': 'x' })
    expect(dev.change(['node_modules/a/index.mdx', '.git/index', 'gone~'])).toBeUndefined()
  })

  test('a page that takes too long to compile has a diagnostic', async () => {
    const site = new TemporarySite(SNIPPETS)
    const limits = { pageTimeMsMax: 1, workerMemoryMbMax: 512 }
    const dev = await DevSite.open({
      folder: site.folder,
      cacheFolder: `${site.root}/dev-cache`,
      version: 'test',
      limits,
    })
    opened.push({ [Symbol.dispose]: () => dev.close() }, site)
    const found = dev.find(htmlPath('guides/page-1'))
    const page = found?.kind === 'page' ? await dev.page(found.page) : undefined
    expect((await page?.problems())?.own[0]?.message).toContain('it took more than 0.001 seconds')
  })
})
