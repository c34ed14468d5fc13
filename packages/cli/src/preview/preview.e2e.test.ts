/** Tests that `octavo preview` responds like a host that follows the build's manifest. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunningPreview, WrittenSite } from '../../testing/preview/running-preview.ts'

let site: WrittenSite
let preview: RunningPreview
beforeAll(async () => {
  site = new WrittenSite({
    'docs.json': JSON.stringify({
      name: 'Garden',
      navigation: { pages: ['index', 'guides/start', 'staff'] },
      redirects: [
        { source: '/old', destination: '/guides/start' },
        { source: '/away', destination: 'https://example.com/there', permanent: false },
        { source: '/older/:path*', destination: '/:path*' },
      ],
    }),
    'index.mdx': '---\ntitle: Welcome\n---\n\nText.\n',
    'guides/start.mdx': '---\ntitle: Begin\n---\n\nText.\n',
    'staff.mdx': '---\ntitle: Staff\ngroups: [staff]\n---\n\nSecret.\n',
    'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  await site.octavo('build', 'docs')
  preview = await RunningPreview.start(site.root, 'dist')
}, 60_000)
afterAll(async () => {
  await preview?.[Symbol.asyncDispose]()
  site?.[Symbol.dispose]()
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, preview.url), { headers, redirect: 'manual' })

test.each(['/', '/guides/start', '/guides/start/'])(
  'octavo preview serves an HTML page at %s',
  async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)

test('configured redirects are served with status and location', async () => {
  const moved = await get('/old')
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/guides/start'])
  const away = await get('/away/')
  expect([away.status, away.headers.get('location')]).toEqual([307, 'https://example.com/there'])
})

test('a redirect wildcard never leads to another host', async () => {
  const moved = await get('/older//evil.example')
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/evil.example'])
})

test.each([
  '/nothing',
  '/_headers',
  '/_redirects',
  '/_octavo/manifest.json',
  '/.octavo-build.json',
  '/%E0%A4%A',
  '/../docs/docs.json',
])('octavo preview serves the 404 page at %s', async (path) => {
  const response = await get(path)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('Page not found')
})

test('a page for a group is not served or linked', async () => {
  expect((await get('/staff')).status).toBe(404)
  expect(await (await get('/')).text()).not.toContain('staff')
})

test('octavo preview serves Markdown to clients that ask for text', async () => {
  const response = await get('/guides/start', { accept: 'text/markdown' })
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toMatch(/\n# Begin/)
  expect((await get('/', { accept: 'text/markdown' })).headers.get('vary')).toBe('Accept')
})

test('immutable files can be cached, and SVG images are sandboxed', async () => {
  const html = await (await get('/')).text()
  const [, script = ''] = /src="(\/_octavo\/scripts\/[^"]+)"/.exec(html) ?? []
  expect((await get(script)).headers.get('cache-control')).toContain('immutable')
  expect((await get('/dot.svg')).headers.get('content-security-policy')).toContain('sandbox')
})

test('octavo preview rejects other host names and methods that change data', async () => {
  const { port } = new URL(preview.url)
  const { request } = await import('node:http')
  const status = (headers: Record<string, string>, method: string) =>
    new Promise((resolve) => {
      request({ port, headers, method }, (response) => resolve(response.resume().statusCode)).end()
    })
  expect(await status({ host: 'evil.example' }, 'GET')).toBe(403)
  expect(await status({ host: 'localhost' }, 'POST')).toBe(405)
})

test('octavo preview serves a new build without a restart', async () => {
  writeFileSync(join(site.root, 'docs/index.mdx'), '---\ntitle: Changed\n---\n\nText.\n')
  await site.octavo('build', 'docs')
  expect(await (await get('/')).text()).toContain('Changed')
  rmSync(join(site.root, 'dist/_octavo/manifest.json'))
  expect((await get('/')).status).toBe(200)
})
