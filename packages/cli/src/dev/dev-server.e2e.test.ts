/** Tests `octavo dev` with requests from a browser and from other sites. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, RunningDev } from '../../testing/dev/running-dev.ts'

const COUNT = 40
const NAMES = Array.from({ length: COUNT }, (_, index) => `guides/page-${index}`)
/** Paragraphs that together exceed twice the size limit of one Markdown file. */
const LONG = Array.from(
  { length: 600 },
  (_, index) => `Paragraph ${index}. ${'Words. '.repeat(30)}`,
)
const FILES: Readonly<Record<string, string>> = {
  'docs.json': JSON.stringify({
    name: 'Served',
    navigation: { groups: [{ group: 'Guides', pages: ['index', ...NAMES] }] },
    redirects: [
      { source: '/old/:slug*', destination: '/guides/:slug*' },
      { source: '/older/:slug*', destination: '/:slug*' },
    ],
  }),
  'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
  'long.mdx': `---\ntitle: Long\n---\n\n${LONG.join('\n\n')}\n`,
  'data/secret.json': '{"key": "value"}',
  'images/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"></svg>',
  ...Object.fromEntries(
    NAMES.map((name, index) => [
      `${name}.mdx`,
      `---\ntitle: Page ${index}\n---\n\n<Tabs><Tab title="A">One</Tab></Tabs>\n\n\`\`\`ts\nconst a = ${index}\n\`\`\`\n`,
    ]),
  ),
}

let dev: RunningDev
beforeAll(async () => {
  dev = await RunningDev.start(FILES)
})
afterAll(() => dev[Symbol.asyncDispose]())

type RequestInput = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends a request with any headers, unlike `fetch`, which sets `Host` and `Origin` itself. */
function ask(path: string, { method = 'GET', headers = {}, body = '' }: RequestInput) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(`${dev.origin}${path}`, { method, headers }, async (response) => {
      let text = ''
      for await (const part of response) text += String(part)
      resolve({ status: response.statusCode ?? 0, text })
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

describe('served files', () => {
  test('the served pages equal those of a build, except for one script', async () => {
    const built = await dev.build()
    expect(built.size).toBeGreaterThan(30)
    for (const [path, html] of built) expect(await dev.page(path), path).toBe(html)
  })

  test('a file that is made from all pages is served once all pages are built', async () => {
    const response = await fetch(`${dev.origin}/llms.txt`)
    expect(await response.text()).toContain('[Page 39](/guides/page-39.md)')
  })

  test('all parts of a long page are served as Markdown', async () => {
    const texts: string[] = []
    for (let path: string | undefined = '/long.md'; path !== undefined; ) {
      const response = await fetch(dev.origin + path)
      expect(response.headers.get('content-type')).toContain('text/markdown')
      const text = await response.text()
      texts.push(text)
      path = /continues in \[part \d+ of \d+\]\(([^)]+)\)/.exec(text)?.[1]
    }
    expect(texts.length).toBeGreaterThan(2)
    const numbers = [...texts.join('\n').matchAll(/^Paragraph (\d+)\./gm)].map(([, one]) => one)
    expect(numbers).toEqual(LONG.map((_, index) => String(index)))
    for (const part of [1, texts.length + 1])
      expect((await fetch(`${dev.origin}/_llms/long/part-${part}.md`)).status).toBe(404)
  })

  test('responses of the dev server have the headers that a host would send', async () => {
    const page = await fetch(`${dev.origin}/guides/page-1`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const drawing = await fetch(`${dev.origin}/images/dot.svg`)
    expect(drawing.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('a page is served as Markdown to clients that accept it, otherwise as HTML', async () => {
    const text = await ask('/guides/page-1', { headers: { accept: 'text/markdown' } })
    expect(text.text).toMatch(/\n# Page 1\n/)
    const page = await fetch(`${dev.origin}/guides/page-1`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('redirects are served and never lead to another host', async () => {
    const response = await fetch(`${dev.origin}/old/page-2`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, '/guides/page-2'])
    const hostile = await fetch(`${dev.origin}/older//evil.example`, { redirect: 'manual' })
    expect(hostile.headers.get('location')).toBe('/evil.example')
    const folder = await fetch(`${dev.origin}/guides`, { redirect: 'manual' })
    expect([folder.status, folder.headers.get('location')]).toEqual([307, '/guides/page-0'])
  })

  test.each([
    '/data/secret.json',
    '/docs.json',
    '/guides/page-1.mdx',
    '/..%2f..%2fetc/passwd',
    '/%',
  ])('%s is not a file of a build, so the dev server responds with 404', async (path) => {
    expect((await ask(path, {})).status).toBe(404)
  })

  test('the dev server rejects methods that change data', async () => {
    expect((await ask('/', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('requests from other sites', () => {
  test('a foreign host name that resolves to this machine is rejected', async () => {
    expect((await ask('/', { headers: { host: 'evil.example' } })).status).toBe(403)
  })

  const open = (headers: Record<string, string>, file = 'index.mdx') =>
    ask('/_octavo/dev/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ file, line: 1, column: 1 }),
    })

  test('a page of another site cannot start an editor', async () => {
    expect((await open({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await open({})).status).toBe(403)
  })

  test("a path outside the site's files cannot be opened in an editor", async () => {
    expect((await open({ origin: dev.origin }, '../../etc/passwd')).status).toBe(400)
  })
})

describe('requests to fix a problem', () => {
  const fix = (headers: Record<string, string>, file = 'index.mdx') =>
    ask('/_octavo/dev/fix', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ file, line: 1, column: 1, code: 'content/tag', message: 'Any.' }),
    })

  test('a request to fix a problem from another site, another host name or a form is rejected', async () => {
    const own = { origin: dev.origin }
    expect((await fix({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await fix({})).status).toBe(403)
    expect((await fix({ origin: 'http://evil.example', host: 'evil.example' })).status).toBe(403)
    expect((await fix({ ...own, 'content-type': 'text/plain' })).status).toBe(405)
  })

  test('a request to fix a problem that no open page shows is rejected', async () => {
    const response = await fix({ origin: dev.origin })
    expect(response).toEqual({ status: 400, text: 'There is no fix for this problem.' })
    expect((await fix({ origin: dev.origin }, '../../etc/passwd')).status).toBe(400)
  })
})

describe('saved files', () => {
  test('a saved page is served and listed in the terminal', async () => {
    dev.write({ 'index.mdx': '---\ntitle: Start\n---\n\nGoodbye.\n' })
    const page = await eventually(
      () => dev.page(''),
      (html) => html.includes('Goodbye.'),
    )
    expect(page).toContain('Goodbye.')
    expect(dev.output).toContain('index.mdx')
  })

  test('the dev server serves the site at the root even if docs.json gets a base path', async () => {
    const config = JSON.parse(FILES['docs.json'] ?? '') as object
    const seo = { metatags: { canonical: 'https://example.com/handbook' } }
    dev.write({
      'docs.json': JSON.stringify({ ...config, seo }),
      'index.mdx':
        '---\ntitle: Start\n---\n\n[One](/guides/page-1), [two](/handbook/guides/page-2).\n',
    })
    const page = await eventually(
      () => dev.page(''),
      (html) => html.includes('https://example.com/handbook/') && html.includes('two'),
    )
    expect(page).toContain('<a href="/guides/page-1">One</a>, <a href="/guides/page-2">two</a>')
    expect(page).toContain('<link rel="canonical" href="https://example.com/handbook/">')
    expect(page).not.toContain('"/handbook/')
  })

  test('if docs.json is broken, the dev server keeps serving the site and prints the reason', async () => {
    const before = await dev.page('')
    dev.write({ 'docs.json': '{"name": ' })
    await eventually(
      () => dev.output,
      (text) => text.includes('json/syntax'),
    )
    expect(await dev.page('')).toBe(before)
    dev.write({ 'docs.json': FILES['docs.json']?.replace('Served', 'Mended') ?? '' })
    const mended = await eventually(
      () => dev.page(''),
      (html) => html.includes('Mended'),
    )
    expect(mended).toContain('Mended')
  })
})
