/** `octavo dev` as a browser and a stranger see it. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, RunningDev } from '../../testing/dev/running-dev.ts'

const COUNT = 40
const NAMES = Array.from({ length: COUNT }, (_, index) => `guides/page-${index}`)
/** Longer than a file of Markdown may be, more than twice. */
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

type Asked = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** `fetch` sets `Host` and `Origin` itself; a stranger does not have to. */
function ask(path: string, { method = 'GET', headers = {}, body = '' }: Asked) {
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

describe('what is served', () => {
  test('30 and more pages are those of a build, apart from one script', async () => {
    const built = await dev.build()
    expect(built.size).toBeGreaterThan(30)
    for (const [path, html] of built) expect(await dev.page(path), path).toBe(html)
  })

  test('also what is made of all pages, as soon as they are there', async () => {
    const response = await fetch(`${dev.origin}/llms.txt`)
    expect(await response.text()).toContain('[Page 39](/guides/page-39.md)')
  })

  test('long pages as text in all their parts', async () => {
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

  test('with the headers of a host', async () => {
    const page = await fetch(`${dev.origin}/guides/page-1`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const drawing = await fetch(`${dev.origin}/images/dot.svg`)
    expect(drawing.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('as text to a program that asks for it, and as a page to all others', async () => {
    const text = await ask('/guides/page-1', { headers: { accept: 'text/markdown' } })
    expect(text.text).toMatch(/\n# Page 1\n/)
    const page = await fetch(`${dev.origin}/guides/page-1`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('redirects', async () => {
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
  ])('%s is no output, so it is not there', async (path) => {
    expect((await ask(path, {})).status).toBe(404)
  })

  test('a method that changes something is refused', async () => {
    expect((await ask('/', { method: 'DELETE' })).status).toBe(405)
  })
})

describe('strangers', () => {
  test('a name that leads here is not answered', async () => {
    expect((await ask('/', { headers: { host: 'evil.example' } })).status).toBe(403)
  })

  const open = (headers: Record<string, string>, file = 'index.mdx') =>
    ask('/_octavo/dev/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ file, line: 1, column: 1 }),
    })

  test('a page of another site starts no editor', async () => {
    expect((await open({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await open({})).status).toBe(403)
  })

  test('nor does a path that is no file of the site', async () => {
    expect((await open({ origin: dev.origin }, '../../etc/passwd')).status).toBe(400)
  })
})

describe('a save', () => {
  test('is shown, and told in the terminal', async () => {
    dev.write({ 'index.mdx': '---\ntitle: Start\n---\n\nGoodbye.\n' })
    const page = await eventually(
      () => dev.page(''),
      (html) => html.includes('Goodbye.'),
    )
    expect(page).toContain('Goodbye.')
    expect(dev.output).toContain('index.mdx')
  })

  test('that gives the site an address below a path leaves it at the root here', async () => {
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

  test('that breaks docs.json leaves the site, and the terminal says why', async () => {
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
