/**
 * Tests a site under a base path, built with `octavo build --url` and served with `octavo preview`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RunningPreview, WrittenSite } from '../../testing/preview/running-preview.ts'

const CHROMIUM = '/usr/bin/chromium'
const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20"/></svg>'

const SITE = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    logo: '/images/dot.svg',
    favicon: 'images/dot.svg',
    background: { image: '/images/dot.svg' },
    contextual: { options: ['copy', 'view', 'chatgpt'] },
    redirects: [
      { source: '/old', destination: '/guides/start' },
      { source: '/older/:rest*', destination: '/guides/:rest*' },
    ],
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'guides/start', 'news', 'docs/own'] },
        { group: 'API', openapi: 'api.yaml' },
      ],
    },
    navbar: { links: [{ label: 'Begin', href: '/guides/start' }] },
  }),
  'images/dot.svg': DOT,
  'style.css': '.mine { background: url("/images/dot.svg") }',
  'snippets/counter.jsx':
    'export const Counter = () => {\n  const [count, set] = useState(1)\n  return <p><button onClick={() => set(count + 1)}>Count {count}</button> <a href="/guides/start">Inner link</a> <img src="/images/dot.svg" alt="Inner dot" /> <Card title="Inner card" href="/news" /></p>\n}\n',
  'index.mdx': `---
title: Welcome
---

import { Counter } from '/snippets/counter.jsx'

[A page](/guides/start), [beside](./news), [own](/docs/own).

![A dot](/images/dot.svg) <img src="/images/dot.svg" srcset="/images/dot.svg 2x" alt="Second" />

<style>{'main h1 { background: url("/images/dot.svg") }'}</style>

<Card title="A card" icon="/images/dot.svg" href="/guides/start" />

\`\`\`html
<a href="/guides/start">[text](/guides/start)</a>
\`\`\`

<Counter />
`,
  'guides/start.mdx': '---\ntitle: Begin here\n---\n\n## Water\n\nA rhododendron needs water.\n',
  'news.mdx':
    '---\ntitle: News\nrss: true\n---\n\n<Update label="First">\n  See [the guide](/guides/start).\n</Update>\n',
  'docs/own.mdx': '---\ntitle: Own\n---\n\nIn a folder with the name of the path.\n',
  'api.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
servers: [{ url: https://api.example.com }]
paths:
  /plants:
    get:
      summary: List plants
      description: See [the guide](/guides/start).
      responses:
        '200':
          description: All of them.
          content: { application/json: { schema: { $ref: '#/components/schemas/Plant' } } }
components:
  schemas:
    Plant:
      type: object
      properties:
        name: { type: string, description: 'As in [the guide](/guides/start).' }
        parent: { $ref: '#/components/schemas/Plant' }
`,
}

let site: WrittenSite
beforeAll(async () => {
  site = new WrittenSite(SITE)
  const url = 'https://example.com/docs/'
  const below = await site.octavo('build', 'docs', '-o', 'below', '--url', url, '--all')
  expect(below).toMatchObject({ code: 0, err: '' })
  expect(below.out).toContain(
    'The site is built for https://example.com/docs/: serve it under /docs/.\n',
  )
  await site.octavo('build', 'docs', '-o', 'root', '--url', 'https://example.com')
}, 60_000)
afterAll(() => site?.[Symbol.dispose]())

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(site.root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(site.root, folder).length + 1))
    .toSorted()
}

const read = (path: string) => readFileSync(join(site.root, path), 'utf8')

/** Matches files that contain the hashes and sizes of other files of the build. */
const ABOUT_FILES = /^_octavo\/manifest|^\.octavo-build|\.zip$/
/** Replaces hashes of files whose content contains the base path. */
const withoutHashes = (text: string) => text.replaceAll(/(theme|style)-[\da-f]{12}/g, '$1-hash')

test('a site under a base path differs from the same site at the root only in this path', () => {
  const names = (folder: string) =>
    filesOf(folder)
      .filter((path) => !ABOUT_FILES.test(path))
      .map(withoutHashes)
  expect(names('below')).toEqual(names('root'))
  const root = new Map(filesOf('root').map((path) => [withoutHashes(path), path]))
  for (const path of filesOf('below').filter((one) => !ABOUT_FILES.test(one))) {
    const below = withoutHashes(read(join('below', path)))
    const other = withoutHashes(read(join('root', root.get(withoutHashes(path)) ?? '')))
    const plain = (text: string) => text.replaceAll(/(?:\/|%2F)docs(?=\/|%2F)/g, '')
    expect(plain(below), path).toBe(plain(other))
  }
})

test('every generated URL includes the base path', () => {
  expect(read('below/sitemap.xml')).toContain('<loc>https://example.com/docs/guides/start</loc>')
  expect(read('below/robots.txt')).toContain('Sitemap: https://example.com/docs/sitemap.xml')
  expect(read('below/_redirects')).toContain('/docs/old /docs/guides/start 308\n')
  expect(read('below/_redirects')).toContain('/docs/older/* /docs/guides/:splat 308\n')
  expect(read('below/_headers')).toContain('\n/docs/_octavo/scripts/*\n')
  expect(read('below/old/index.html')).toContain('url=/docs/guides/start"')
  expect(read('below/llms.txt')).toContain('](https://example.com/docs/guides/start.md)')
  expect(read('below/llms-full.txt')).toContain('\nSource: https://example.com/docs/guides/start\n')
  expect(read('below/news/rss.xml')).toContain('&lt;a href=&quot;/docs/guides/start&quot;')
  expect(read('below/style.css')).toContain('url("/docs/images/dot.svg")')
  expect(read('below/index.md')).toContain(
    '[A page](https://example.com/docs/guides/start), [beside](./news), [own](https://example.com/docs/docs/own)',
  )
  // Links in code blocks are not rewritten.
  expect(read('below/index.md')).toContain('<a href="/guides/start">[text](/guides/start)</a>')
  const html = read('below/index.html')
  expect(html).toContain('<link rel="canonical" href="https://example.com/docs/">')
  expect(html).toContain('<a href="/docs/docs/own">own</a>')
  expect(html).toMatch(/<style[^>]*>[^<]*url\("\/docs\/images\/dot.svg"\)/)
  const api = read('below/api-reference/list-plants/index.html')
  expect(api).toContain('<a href="/docs/guides/start">')
  expect(JSON.parse(read('below/_octavo/manifest.json'))).toMatchObject({ basePath: '/docs' })
})

test('a build without --url uses the URL in docs.json', async () => {
  const config = JSON.parse(SITE['docs.json']) as object
  const seo = { metatags: { canonical: 'https://example.com/handbook' } }
  using other = new WrittenSite({
    ...SITE,
    'docs.json': JSON.stringify({ ...config, seo }),
    'index.mdx': '[A page](/guides/start), [with the path](/handbook/guides/start#water).\n',
  })
  const { code } = await other.octavo('build', 'docs', '-o', 'own', '--strict')
  expect(code).toBe(0)
  const home = (folder: string) => readFileSync(join(other.root, folder, 'index.html'), 'utf8')
  expect(home('own')).toContain('<a href="/handbook/guides/start">A page</a>')
  expect(home('own')).toContain('<a href="/handbook/guides/start#water">with the path</a>')
  // A preview is served at another URL, and its canonical links point to the site.
  await other.octavo('build', 'docs', '-o', 'preview', '--url', 'https://preview.example.com')
  expect(home('preview')).toContain('<a href="/guides/start">A page</a>')
  expect(home('preview')).toContain('<a href="/guides/start#water">with the path</a>')
  expect(home('preview')).toContain('<link rel="canonical" href="https://example.com/handbook/">')
}, 60_000)

describe.skipIf(!existsSync(CHROMIUM))(`base path in a browser (needs ${CHROMIUM})`, () => {
  let browser: Browser
  let preview: RunningPreview
  let page: Page
  const requests: URL[] = []
  const failed: string[] = []

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
    preview = await RunningPreview.start(site.root, 'below')
    page = await browser.newPage({ viewport: { width: 1300, height: 900 } })
    page.on('request', (request) => requests.push(new URL(request.url())))
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => failed.push(String(error)))
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await preview?.[Symbol.asyncDispose]()
  })

  const path = () => new URL(page.url()).pathname
  const open = (to: string) => page.goto(new URL(to, preview.url).href)
  const isLoaded = (name: string) =>
    page.evaluate(`document.querySelector('img[alt="${name}"]')?.naturalWidth > 0`)

  test('octavo preview prints a URL with the base path, and redirects the root to it', async () => {
    expect(preview.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/$/)
    await open('/')
    expect(path()).toBe('/docs/')
    expect(await page.locator('h1').textContent()).toBe('Welcome')
    expect((await fetch(new URL('/elsewhere', preview.url))).status).toBe(404)
  })

  test('links in pages, navigation and components include the base path', async () => {
    for (const link of ['A page', 'Inner link', 'Begin here', 'Begin']) {
      await open('./')
      await page.locator('octavo-island').scrollIntoViewIfNeeded()
      await page.getByRole('link', { name: link, exact: true }).first().click()
      await page.getByRole('heading', { name: 'Begin here' }).waitFor()
      expect(path(), link).toBe('/docs/guides/start')
    }
    for (const [link, to] of [
      ['own', '/docs/docs/own'],
      ['Inner card', '/docs/news'],
    ] as const) {
      await open('./')
      await page.locator('octavo-island').scrollIntoViewIfNeeded()
      await page.locator('main').getByRole('link', { name: link, exact: true }).click()
      await page.waitForURL((url) => url.pathname === to)
    }
  })

  test('images, styles and components load under the base path', async () => {
    await open('./')
    await page.getByRole('button', { name: 'Count 1' }).click()
    await page.getByRole('button', { name: 'Count 2' }).waitFor()
    for (const name of ['A dot', 'Second', 'Inner dot']) {
      await expect.poll(() => isLoaded(name)).toBe(true)
    }
    const style = 'getComputedStyle(document.querySelector(".oct-header")).position'
    expect(await page.evaluate(style)).toBe('sticky')
  })

  test('search under the base path finds pages and opens them', async () => {
    await open('./')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('rhododendron')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/docs/guides/start')
  })

  test('an operation page under the base path opens its schema and its playground', async () => {
    await open('api-reference/list-plants')
    await page.locator('.oct-deeper summary').first().click()
    const link = page.locator('.oct-deeper a[href="/docs/guides/start"]').first()
    await link.waitFor()
    await page.getByRole('button', { name: 'Try it' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).waitFor()
  })

  test('the copy button requests Markdown under the base path', async () => {
    await open('guides/start')
    const response = page.waitForResponse((one) => one.url().endsWith('/docs/guides/start.md'))
    await page.getByRole('button', { name: 'Copy page' }).first().click()
    expect((await response).status()).toBe(200)
  })

  test('all requests of the browser were under the base path and succeeded', () => {
    const outside = requests.filter(({ pathname, protocol }) => {
      return protocol !== 'data:' && pathname !== '/' && !pathname.startsWith('/docs/')
    })
    expect(outside.map(String)).toEqual([])
    expect(failed).toEqual([])
  })

  test('an unknown URL under the base path shows the styled 404 page with a link to the start page', async () => {
    const response = await open('nothing/here')
    expect(response?.status()).toBe(404)
    const home = page.locator('main a').first()
    expect(await home.getAttribute('href')).toBe('/docs/')
    const style = 'getComputedStyle(document.querySelector(".oct-header")).position'
    expect(await page.evaluate(style)).toBe('sticky')
  })
})
