/** The site of `octavo dev` beside that of `octavo build`, byte by byte. */
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

/** Every page of a build, as the build wrote it and as the server gives it. */
async function bothOf(
  site: TemporarySite,
  dev: DevSite,
): Promise<{ readonly built: Files; readonly served: Files }> {
  await site.build()
  const built: Record<string, string> = {}
  const served: Record<string, string> = {}
  const redirect = '<meta http-equiv="refresh"'
  for (const path of Object.keys(site.hashes())) {
    // Of our own files the build behind makes those that are no pages.
    if (path.startsWith('_octavo/') || !/\.(?:html|md)$/.test(path)) continue
    const text = site.read(path)
    // A server sends readers on by itself.
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

describe('pages of the server are those of a build', () => {
  test.each([
    ['snippets', SNIPPETS],
    ['components', COMPONENTS],
    ['a reference', REFERENCE],
  ])('of a site with %s', async (_, files) => {
    const { site, dev } = await open(files)
    const { built, served } = await bothOf(site, dev)
    expect(Object.keys(built).length).toBeGreaterThan(80)
    expect(served).toEqual(built)
  })

  test('with their problems', async () => {
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

describe('after a save, pages are those of a build again', () => {
  test.each<[string, Files, Files]>([
    ['a text', SNIPPETS, { 'guides/page-1.mdx': '---\ntitle: Page 1\n---\nOther words.\n' }],
    ['a title, which others list', SNIPPETS, { 'guides/page-1.mdx': '---\ntitle: New\n---\n' }],
    ['a snippet of a snippet', SNIPPETS, { 'snippets/inner.mdx': 'Other inner words.\n' }],
    ['a component', SNIPPETS, { 'snippets/box.jsx': 'export const Box = () => <i>no</i>\n' }],
    ['a part of docs.json', COMPONENTS, { 'navbar.json': '{"links": []}' }],
    ['a specification', REFERENCE, { 'api/more.yaml': 'openapi: 3.0.3\ninfo: {}\npaths: {}\n' }],
    ['a stylesheet', REFERENCE, { 'style.css': '@import "https://fonts.example.com/a.css";' }],
    ['a picture', REFERENCE, { 'images/logo.png': 'GIF89a\u0004\u0000\u0003\u0000' }],
    ['a new page', REFERENCE, { 'guides/new.mdx': '---\ntitle: New\n---\nNew.\n' }],
    ['rules for ignored files', REFERENCE, { '.octavoignore': 'guides/page-2.mdx\n' }],
    [
      'docs.json',
      REFERENCE,
      { 'docs.json': '{"name": "Other", "navigation": {"pages": ["guides/page-3"]}}' },
    ],
  ])('of %s', async (_, before, edit) => {
    const { site, dev } = await open(before)
    await give(dev, htmlPath('guides/page-1'))
    site.write(edit)
    expect(dev.change(Object.keys(edit))).toBeDefined()
    const { built, served } = await bothOf(site, dev)
    expect(served).toEqual(built)
  })

  test('of a page that is taken away, and comes back', async () => {
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

describe('what cannot be read', () => {
  test('leaves the site as it was, with the reason', async () => {
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

  test('at the start is no reason to end', async () => {
    const { site, dev } = await open({ 'docs.json': '{', 'index.mdx': 'Hello.\n' })
    expect(dev.find('index.html')).toBeUndefined()
    expect(dev.notFound().status).toBe(503)
    expect(await dev.notFound().problems()).toMatchObject({ own: [{ code: 'json/syntax' }] })
    site.write({ 'docs.json': '{"name": "A", "navigation": {"pages": ["index"]}}' })
    dev.change(['docs.json'])
    expect(await give(dev, 'index.html')).toContain('Hello.')
  })

  test('a file that is none of the site changes nothing', async () => {
    const { site, dev } = await open(REFERENCE)
    site.write({ 'node_modules/a/index.mdx': 'x', '.git/index': 'x' })
    expect(dev.change(['node_modules/a/index.mdx', '.git/index', 'gone~'])).toBeUndefined()
  })

  test('a page that takes too long is a problem of that page', async () => {
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
