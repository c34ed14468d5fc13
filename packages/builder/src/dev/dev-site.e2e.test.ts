/** Compares the site of `octavo dev` with that of `octavo build`, byte by byte. */
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

/** Returns every page, as the build wrote it and as the server sends it. */
async function bothOf(
  site: TemporarySite,
  dev: DevSite,
): Promise<{ readonly built: Files; readonly served: Files }> {
  await site.build()
  const built: Record<string, string> = {}
  const served: Record<string, string> = {}
  const redirect = '<meta http-equiv="refresh"'
  for (const path of Object.keys(site.hashes())) {
    // The background build makes our own files that are not pages.
    if (path.startsWith('_octavo/') || !/\.(?:html|md)$/.test(path)) continue
    const text = site.read(path)
    // The server sends redirects itself.
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
  ])('a site with %s is served as it is built', async (_, files) => {
    const { site, dev } = await open(files)
    const { built, served } = await bothOf(site, dev)
    expect(Object.keys(built).length).toBeGreaterThan(80)
    expect(served).toEqual(built)
  })

  test('a served page has its diagnostics', async () => {
    const { dev } = await open(COMPONENTS)
    const found = dev.find(htmlPath('guides/page-7'))
    const page = found?.kind === 'page' ? await dev.page(found.page) : undefined
    const said = (await page?.problems())?.own.map(
      ({ code, place }) => `${place.file}:${place.line} ${code}`,
    )
    expect(said).toEqual([
      'guides/page-7.mdx:9 content/unknown-component',
      'guides/page-7.mdx:11 content/needs-browser',
    ])
  })
})

describe('served pages after a save', () => {
  test.each<[string, Files, Files]>([
    ['a text', SNIPPETS, { 'guides/page-1.mdx': '---\ntitle: Page 1\n---\nOther words.\n' }],
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
  ])('pages match a build after an edit of %s', async (_, before, edit) => {
    const { site, dev } = await open(before)
    await give(dev, htmlPath('guides/page-1'))
    site.write(edit)
    expect(dev.change(Object.keys(edit))).toBeDefined()
    const { built, served } = await bothOf(site, dev)
    expect(served).toEqual(built)
  })

  test('a removed page is not served, and pages match a build after it returns', async () => {
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

describe('unreadable sites', () => {
  test('a broken docs.json keeps the previous site and reports the problem', async () => {
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

  test('the server starts with a broken docs.json and recovers', async () => {
    const { site, dev } = await open({ 'docs.json': '{', 'index.mdx': 'Hello.\n' })
    expect(dev.find('index.html')).toBeUndefined()
    expect(dev.notFound().status).toBe(503)
    expect(await dev.notFound().problems()).toMatchObject({ own: [{ code: 'json/syntax' }] })
    site.write({ 'docs.json': '{"name": "A", "navigation": {"pages": ["index"]}}' })
    dev.change(['docs.json'])
    expect(await give(dev, 'index.html')).toContain('Hello.')
  })

  test('a change of an ignored file has no effect', async () => {
    const { site, dev } = await open(REFERENCE)
    site.write({ 'node_modules/a/index.mdx': 'x', '.git/index': 'x' })
    expect(dev.change(['node_modules/a/index.mdx', '.git/index', 'gone~'])).toBeUndefined()
  })

  test('a page that takes too long has a diagnostic', async () => {
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
