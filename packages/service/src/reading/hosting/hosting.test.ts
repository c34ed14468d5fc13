/** Tests what readers of hosted sites get over HTTP, where only the host identifies the site. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendRaw } from '../../../testing/send-raw.ts'
import { clientOf, digest, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { findNameProblem, targetOf } from '../../publishing/domains/site-address.ts'

const POLL = { interval: 50, timeout: 10_000 }
const NAMES = {
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
}
const LONG = `<!doctype html><title>Guide</title>${'<p>Water the plants.</p>'.repeat(200)}`
const FILES = {
  'index.html': '<!doctype html><title>Welcome</title>',
  'index.md': '# Welcome',
  'guide/index.html': LONG,
  'guide.md': '# Guide',
  '404.html': '<!doctype html><title>Not found</title>',
  'search me.txt': 'ä',
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '_octavo/styles/theme-0123.css': 'html{}',
  'video.mp4': 'v'.repeat(2_000_000),
  'secret/index.html': { text: 'For staff', access: ['staff'] as string[] },
  'part.txt': {
    text: 'all staff all',
    ranges: [{ start: 4, end: 10, access: ['staff'] as string[] }],
  },
}

let folder: string
let blobStore: BlobStore
let service: TestService
let isStoreDown = false

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-hosting-'))
  const real = await openFolderStore(folder)
  blobStore = {
    ...real,
    get: (sha256, range) =>
      isStoreDown ? Promise.reject(new Error('the store is away')) : real.get(sha256, range),
    async *list() {
      if (isStoreDown) throw new Error('the store is away')
      yield* real.list()
    },
  }
  service = await startTestService({ blobStore, ...NAMES })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newSite(files: Parameters<typeof siteOf>[0] = FILES, facts = {}) {
  const project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const host = `${row?.slug}.sites.localhost`
  const client = clientOf(service.url, project)
  const done = await client.deploy(siteOf(files, facts))
  expect(done.body).toMatchObject({ state: 'live' })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    visit(service.port, host, path, { method, headers })
  return { project, host, client, get, slug: row?.slug ?? '' }
}

type Site = Awaited<ReturnType<typeof newSite>>
let site: Site
beforeAll(async () => {
  site = await newSite(FILES, {
    redirects: [
      { source: '/old', destination: '/guide', permanent: true, access: 'default' },
      { source: '/older/:rest*', destination: '/:rest*', permanent: false, access: 'default' },
      { source: '/hidden', destination: '/secret', permanent: true, access: ['staff'] },
    ],
    origins: { images: ['https://img.example.com'] },
  })
})

describe('pages of hosted sites', () => {
  test.each([
    ['/', '<title>Welcome'],
    ['/index.html', '<title>Welcome'],
    ['/guide', '<title>Guide'],
    ['/guide/', '<title>Guide'],
    ['/guide?utm=1', '<title>Guide'],
    ['/gu%69de', '<title>Guide'],
    ['/search%20me.txt', 'ä'],
    ['/guide.md', '# Guide'],
  ])('a page is served at %s', async (path, text) => {
    const { status, bytes } = await site.get(path)
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining(text)])
  })

  test('a page is revalidated for each request and only sent if it has changed', async () => {
    const first = await site.get('/guide')
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      etag: `"${digest(LONG)}"`,
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const again = await site.get('/guide', { 'if-none-match': String(first.headers.etag) })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await site.get('/guide', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('a page has a Content-Security-Policy that allows the hosts in the manifest', async () => {
    const { headers } = await site.get('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' data: https://img.example.com")
    expect(policy).toContain("frame-ancestors 'self'")
    expect((await site.get('/logo.svg')).headers['content-security-policy']).toContain('sandbox')
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)(
    'a page is compressed with %s if the client accepts the encoding',
    async (encoding, unzip) => {
      const { headers, bytes } = await site.get('/guide', { 'accept-encoding': encoding })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers.vary).toBe('Accept, Accept-Encoding')
      expect(bytes.length).toBeLessThan(LONG.length / 5)
      expect(unzip(bytes).toString()).toBe(LONG)
      const etag = String(headers.etag)
      expect(
        (await site.get('/guide', { 'accept-encoding': encoding, 'if-none-match': etag })).status,
      ).toBe(304)
      expect(
        (await site.get('/', { 'accept-encoding': encoding })).headers['content-encoding'],
      ).toBeUndefined()
    },
  )

  test('a page is served as Markdown if the client accepts it', async () => {
    for (const [path, text] of [
      ['/', '# Welcome'],
      ['/guide', '# Guide'],
    ] as const) {
      const { headers, bytes } = await site.get(path, { accept: 'text/markdown' })
      expect([headers['content-type'], bytes.toString()]).toEqual([
        'text/markdown; charset=utf-8',
        text,
      ])
      expect(headers.vary).toContain('Accept')
    }
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    expect((await site.get('/guide', browser)).bytes.toString()).toBe(LONG)
  })

  test('a missing page gets the 404 page, or plain text if the client does not accept HTML', async () => {
    const { status, headers, bytes } = await site.get('/nowhere')
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
    expect(bytes.toString()).toContain('<title>Not found')
    const script = await site.get('/nowhere.js', { accept: 'text/javascript' })
    expect([script.status, script.headers['content-type']]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ])
  })

  test('an agent that requests a missing page gets the nearest pages as Markdown', async () => {
    const secret = { text: '# Secret', access: ['staff'] }
    const care = { 'care/soil.md': '# Soil', 'care/water.md': '# Water', 'care/staff.md': secret }
    const { get } = await newSite({ ...FILES, ...care, 'llms.txt': '# Garden' })
    const missing = await get('/care/wotar.md')
    expect([missing.status, missing.headers['content-type']]).toEqual([
      404,
      'text/markdown; charset=utf-8',
    ])
    expect(missing.bytes.toString().split('\n\n')).toEqual([
      '# This page does not exist',
      'The nearest pages are [/care/water.md](/care/water.md), [/care/soil.md](/care/soil.md).',
      'All pages are listed in [/llms.txt](/llms.txt).\n',
    ])
    const accepted = await get('/gide', { accept: 'text/markdown' })
    expect(accepted.bytes.toString()).toContain('[/guide.md](/guide.md)')
    expect((await get('/gide', { accept: 'text/html' })).bytes.toString()).toContain('<title>')
  })

  test.each([
    '/%',
    '/%ff',
    '/%00',
    '/..%2fguide',
    '/%2e%2e/x',
    '/a%5cb',
    '//guide',
    '/guide//',
    '/GUIDE',
  ])('the path %s does not cause a server error', async (path) => {
    const { status } = await site.get(path)
    if (path === '/guide//') expect(status).toBe(200)
    else expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})

describe('files of hosted sites', () => {
  test('a file with a hash in its name can be cached forever', async () => {
    const { headers } = await site.get('/_octavo/styles/theme-0123.css')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('a file of two megabytes is streamed and supports ranges', async () => {
    const whole = await site.get('/video.mp4')
    expect([whole.status, whole.bytes.length]).toEqual([200, 2_000_000])
    for (const [range, start, length] of [
      ['bytes=0-9', 0, 10],
      ['bytes=1999990-', 1_999_990, 10],
      ['bytes=-5', 1_999_995, 5],
      ['bytes=1999999-99999999', 1_999_999, 1],
    ] as const) {
      const part = await site.get('/video.mp4', { range })
      expect([part.status, part.bytes.length]).toEqual([206, length])
      expect(part.headers['content-range']).toBe(`bytes ${start}-${start + length - 1}/2000000`)
    }
    expect((await site.get('/video.mp4', { range: 'bytes=2000000-' })).status).toBe(416)
    expect((await site.get('/video.mp4', { range: 'bytes=0-1', 'if-range': '"x"' })).status).toBe(
      200,
    )
    const head = await site.get('/video.mp4', {}, 'HEAD')
    expect([head.headers['content-length'], head.bytes.length]).toEqual(['2000000', 0])
  })

  test('a HEAD response has no body, and other methods are rejected', async () => {
    const { status, headers, bytes } = await site.get('/guide', {}, 'HEAD')
    expect([status, headers['content-length'], bytes.length]).toEqual([200, String(LONG.length), 0])
    expect((await site.get('/guide', {}, 'DELETE')).status).toBe(405)
  })
})

describe('repeated requests', () => {
  const own = (headers: Readonly<Record<string, unknown>>) => ({ ...headers, date: undefined })

  test.each([
    ['/guide', {}],
    ['/guide?utm=1', { 'accept-encoding': 'br' }],
    ['/guide', { 'accept-encoding': 'gzip' }],
    ['/guide', { accept: 'text/markdown' }],
    ['/guide.md', {}],
    ['/part.txt', {}],
    ['/video.mp4', {}],
    ['/_octavo/styles/theme-0123.css', {}],
  ])('a repeated request for %s with %o gets the same response', async (path, headers: object) => {
    const first = await site.get(path, { ...headers })
    const again = await site.get(path, { ...headers })
    expect(own(again.headers)).toEqual(own(first.headers))
    expect(again.bytes.equals(first.bytes)).toBe(true)
    const head = await site.get(path, { ...headers }, 'HEAD')
    expect([own(head.headers), head.bytes.length]).toEqual([own(first.headers), 0])
    const etag = String(first.headers.etag)
    for (const list of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const reply = await site.get(path, { ...headers, 'if-none-match': list })
      expect([reply.status, reply.bytes.length, reply.headers.etag]).toEqual([304, 0, etag])
    }
  })

  test('a cached response is not sent for another encoding or method', async () => {
    const { etag } = (await site.get('/guide', { 'accept-encoding': 'br' })).headers
    const plain = await site.get('/guide', { 'if-none-match': String(etag) })
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    expect((await site.get('/guide', {}, 'POST')).status).toBe(405)
  })
})

describe('the host script', () => {
  test('the host script is the same on every site and is revalidated for each request', async () => {
    const below = await newSite({ 'index.html': 'Home' }, { basePath: '/docs' })
    const first = await site.get('/_octavo/host.js')
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(first.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const small = await site.get('/_octavo/host.js', { 'accept-encoding': 'br' })
    expect(small.headers['content-encoding']).toBe('br')
    expect(small.bytes.length).toBeLessThanOrEqual(1_024)
    const etag = { 'if-none-match': String(first.headers.etag) }
    expect((await site.get('/_octavo/host.js', etag)).status).toBe(304)
    expect((await site.get('/_octavo/host.js')).bytes.equals(first.bytes)).toBe(true)
    expect((await below.get('/docs/_octavo/host.js')).bytes.equals(first.bytes)).toBe(true)
    expect((await below.get('/_octavo/host.js')).status).toBe(404)
  })
})

describe('redirects', () => {
  test.each([
    ['/old', 308, '/guide'],
    ['/older/a/b', 307, '/a/b'],
  ])('the path %s redirects with the status %i to %s', async (path, status, location) => {
    const reply = await site.get(path)
    expect([reply.status, reply.headers.location]).toEqual([status, location])
  })

  test.each([
    ['/older//evil.example/login', '/evil.example/login'],
    ['/older/%2fevil.example', '/evil.example'],
    ['/older/%5cevil.example', '/evil.example'],
    ['/older/%09/evil.example', '/evil.example'],
    ['/older/https://evil.example', '/https://evil.example'],
  ])('the redirect from %s stays on the site and leads to %s', async (path, location) => {
    const reply = await site.get(path)
    expect([reply.status, reply.headers.location]).toEqual([307, location])
  })

  test('paths below /_octavo/ are never redirected, even by a deployment from before this rule', async () => {
    const to = { destination: '/evil.js', permanent: true, access: 'default' as const }
    const before = siteOf(FILES, { redirects: [{ source: '/_octavo/scripts/x.js', ...to }] })
    const own = await newSite(FILES, { redirects: [{ source: '/:path*', ...to }] })
    expect((await own.get('/anything')).headers.location).toBe('/evil.js')
    const paths = ['scripts/x.js', 'host.js/x', 'live/x', ''].map((path) => `/_octavo/${path}`)
    const statusOf = async (path: string) => (await own.get(path)).status
    for (const path of [...paths, '/%5foctavo/scripts/x.js', '/_octavo%2fscripts/x.js'])
      expect([path, await statusOf(path)]).toEqual([path, 404])
    // Stores a manifest root that was valid before the service rejected such redirects.
    const row = [own.project.id, Buffer.from(digest(before.root), 'hex')]
    const bytes = Buffer.from(before.root)
    const name = { sha256: digest(bytes), size: bytes.length }
    await blobStore.put(name, new Blob([bytes]).stream())
    await service.owner.query('update deployment set root = $2 where project_id = $1', row)
    await service.owner.query(
      'update publication set changed_at = clock_timestamp() where project_id = $1',
      [own.project.id],
    )
    await vi.waitFor(async () => expect((await own.get('/anything')).status).toBe(404), POLL)
    expect(await statusOf('/_octavo/scripts/x.js')).toBe(404)
    expect(await statusOf('/guide')).toBe(200)
  })
})

describe('the start page of a site with languages', () => {
  const starts = [
    { language: 'en', url: '/', access: 'default' },
    { language: 'fr', url: '/fr', access: 'default' },
    { language: 'de', url: '/de', access: ['staff'] },
  ]
  const files = { 'index.html': 'Welcome', 'index.md': '# Welcome', 'fr/index.html': 'Bienvenue' }
  const french = { 'accept-language': 'fr-CH, fr;q=0.9, en;q=0.8' }

  test('the start page redirects to the language of the reader', async () => {
    const own = await newSite(files, { languageStarts: starts })
    const first = await own.get('/?utm=1', french)
    expect(first.status).toBe(302)
    expect(first.headers).toMatchObject({
      location: '/fr?utm=1',
      'cache-control': 'no-cache',
      vary: 'Accept-Language, Sec-Fetch-Site',
    })
    expect(first.headers).not.toHaveProperty('set-cookie')
    for (const language of ['en', 'en, fr;q=0.9', 'it', 'de', '*', '']) {
      const { status, headers } = await own.get('/', { 'accept-language': language })
      expect([status, headers.vary], language).toEqual([
        200,
        'Accept, Accept-Language, Sec-Fetch-Site, Accept-Encoding',
      ])
    }
    // The redirect also happens if the page was already sent to other readers or is in the reader's
    // cache.
    const { etag } = (await own.get('/')).headers
    expect((await own.get('/', { ...french, 'if-none-match': String(etag) })).status).toBe(302)
    expect((await own.get('/fr', { 'accept-language': 'en' })).bytes.toString()).toBe('Bienvenue')
    expect((await own.get('/', { ...french, accept: 'text/markdown' })).status).toBe(200)
  })

  test('the start page is not redirected if the reader comes from another page of the site', async () => {
    const own = await newSite(files, { languageStarts: starts })
    for (const [headers, status] of [
      [{ 'sec-fetch-site': 'same-origin' }, 200],
      [{ 'sec-fetch-site': 'none' }, 302],
      [{ 'sec-fetch-site': 'cross-site', referer: `http://${own.host}/fr` }, 302],
      [{ referer: `http://${own.host}/fr` }, 200],
      [{ referer: 'https://search.example/' }, 302],
      [{ referer: 'nonsense' }, 302],
    ] as const)
      expect((await own.get('/', { ...french, ...headers })).status, String(headers)).toBe(status)
  })

  test('the language redirect includes the base path and requires a site with several languages', async () => {
    const own = await newSite(files, { languageStarts: starts, basePath: '/docs' })
    expect((await own.get('/docs/', french)).headers.location).toBe('/docs/fr')
    expect((await site.get('/', french)).headers.vary).toBe('Accept, Accept-Encoding')
  })
})

describe('anonymous readers', () => {
  test('an anonymous reader sees no pages, redirects or parts that are limited to groups', async () => {
    for (const path of ['/secret', '/secret/', '/secret/index.html', '/hidden'])
      expect((await site.get(path)).status, path).toBe(404)
    const part = await site.get('/part.txt')
    expect(part.bytes.toString()).toBe('all all')
    expect(part.headers['cache-control']).toBe('private, no-cache')
  })

  test('an anonymous reader sees only public files after the project becomes private', async () => {
    const closed = await newSite({
      'index.html': 'For us',
      'open.txt': { text: 'For all', access: 'public' },
    })
    expect((await closed.get('/')).status).toBe(200)
    await service.owner.query(`update project set protection = 'members' where id = $1`, [
      closed.project.id,
    ])
    await service.owner.query('update publication set changed_at = now() where project_id = $1', [
      closed.project.id,
    ])
    await vi.waitFor(async () => expect((await closed.get('/')).status).toBe(401), POLL)
    expect((await closed.get('/open.txt')).bytes.toString()).toBe('For all')
  })
})

describe('publishing', () => {
  test('a new deployment becomes visible as a whole within seconds', async () => {
    const own = await newSite({ 'index.html': 'One' })
    expect((await own.get('/')).bytes.toString()).toBe('One')
    const { id } = await own.client.deploy(siteOf({ 'index.html': 'Two' }))
    await vi.waitFor(async () => expect((await own.get('/')).bytes.toString()).toBe('Two'), POLL)
    expect(JSON.parse((await own.get('/_octavo/version.json')).bytes.toString())).toEqual({
      deployment: id,
    })
  })

  test('the cache tag of a response contains its project and deployment', async () => {
    const own = await newSite(FILES, {
      redirects: [{ source: '/old', destination: '/guide', permanent: true, access: 'default' }],
    })
    const tagOf = async (path: string) => (await own.get(path)).headers['cache-tag']
    const first = String(await tagOf('/guide'))
    expect(first).toMatch(new RegExp(`^p-${own.project.publicId},d-[\\dA-Z]{26}$`))
    for (const path of ['/logo.svg', '/old', '/part.txt', '/video.mp4', '/nowhere'])
      expect(await tagOf(path), path).toBe(first)
    const { id } = await own.client.deploy(siteOf(FILES))
    await vi.waitFor(
      async () => expect(await tagOf('/guide')).toBe(`p-${own.project.publicId},d-${id}`),
      POLL,
    )
  })

  test('an asset of a newer deployment is served before the next poll', async () => {
    const own = await newSite({ 'index.html': 'One' })
    expect((await own.get('/')).status).toBe(200)
    await own.client.deploy(siteOf({ 'index.html': 'Two', '_octavo/scripts/new.js': 'x' }))
    expect((await own.get('/_octavo/scripts/new.js')).status).toBe(200)
  })

  test('styles of an earlier deployment are served for pages that are still open', async () => {
    const own = await newSite({ 'index.html': 'One', '_octavo/styles/one.css': 'one' })
    expect((await own.get('/')).bytes.toString()).toBe('One')
    await own.client.deploy(siteOf({ 'index.html': 'Two', '_octavo/styles/two.css': 'two' }))
    await own.client.deploy(siteOf({ 'index.html': 'Three' }))
    await vi.waitFor(async () => expect((await own.get('/')).bytes.toString()).toBe('Three'), POLL)
    for (const name of ['one', 'two']) {
      const { status, bytes } = await own.get(`/_octavo/styles/${name}.css`)
      expect([status, bytes.toString()]).toEqual([200, name])
    }
    expect((await own.get('/_octavo/styles/none.css')).status).toBe(404)
  })

  test("an author's hashed styles of earlier deployments are served and can be cached forever", async () => {
    const named = (text: string) => `own-${digest(text).slice(0, 12)}.css`
    const liar = `own-${'0'.repeat(12)}.css`
    const own = await newSite({ 'index.html': 'One', [named('one')]: 'one', [liar]: 'any' })
    const { headers } = await own.get(`/${named('one')}`)
    expect(headers['cache-control']).toContain('immutable')
    // The hash in this name does not match the content.
    expect((await own.get(`/${liar}`)).headers['cache-control']).toBe('no-cache')
    await own.client.deploy(siteOf({ 'index.html': 'Two', [named('two')]: 'two' }))
    await vi.waitFor(async () => expect((await own.get('/')).bytes.toString()).toBe('Two'), POLL)
    for (const text of ['one', 'two'])
      expect((await own.get(`/${named(text)}`)).bytes.toString()).toBe(text)
    expect((await own.get(`/${liar}`)).status).toBe(404)
  })

  test('styles of a deployment that was live for months are still served after the next one', async () => {
    const own = await newSite({ 'index.html': 'One', '_octavo/styles/one.css': 'one' })
    await own.client.deploy(siteOf({ 'index.html': 'Two', '_octavo/styles/two.css': 'two' }))
    await service.owner.query(
      `update deployment set published_at = published_at - interval '80 days',
              superseded_at = superseded_at - interval '40 days' where project_id = $1`,
      [own.project.id],
    )
    await own.client.deploy(siteOf({ 'index.html': 'Three' }))
    await vi.waitFor(async () => expect((await own.get('/')).bytes.toString()).toBe('Three'), POLL)
    // Deployment Two was live until now. One was replaced 40 days ago, which is too long ago.
    expect((await own.get('/_octavo/styles/two.css')).bytes.toString()).toBe('two')
    expect((await own.get('/_octavo/styles/one.css')).status).toBe(404)
  })

  test('the root of a site with a base path redirects to it, and all files are below it', async () => {
    const own = await newSite(
      {
        'index.html': 'Home',
        'guide/index.html': 'Guide',
        '.well-known/api-catalog': 'Known',
      },
      {
        basePath: '/docs',
        redirects: [{ source: '/old', destination: '/guide', permanent: true, access: 'default' }],
      },
    )
    for (const path of ['/', '/docs']) {
      const { status, headers } = await own.get(path)
      expect([status, headers.location]).toEqual([302, '/docs/'])
    }
    expect((await own.get('/docs/guide')).bytes.toString()).toBe('Guide')
    for (const start of ['', '/docs'])
      expect((await own.get(`${start}/.well-known/api-catalog`)).bytes.toString()).toBe('Known')
    expect((await own.get('/.well-known/guide')).status).toBe(404)
    expect((await own.get('/.well-known/../guide')).status).toBe(404)
    expect((await own.get('/guide')).status).toBe(404)
    expect((await own.get('/docs/old')).headers.location).toBe('/docs/guide')
    const version = (await own.get('/docs/_octavo/version.json')).bytes.toString()
    expect((await own.get('/_octavo/version.json')).bytes.toString()).toBe(version)
  })
})

describe('previews', () => {
  const show = async (own: Site, text: string, branch = 'next') => {
    const files = {
      'index.html': `<!doctype html>${text}`,
      'robots.txt': 'User-agent: *\nAllow: /',
      'secret/index.html': { text: 'For staff', access: ['staff'] as string[] },
      [`_octavo/styles/${text}.css`]: text,
    }
    const facts = {
      redirects: [{ source: '/away', destination: 'https://example.com', permanent: false }].map(
        (one) => ({ ...one, access: 'default' as const }),
      ),
    }
    const { body } = await own.client.deploy(siteOf(files, facts), { target: 'preview', branch })
    const { hostname } = new URL(body.url)
    const get = (path: string, headers = {}) => visit(service.port, hostname, path, { headers })
    return { id: body.id as string, name: hostname.split('.')[0] ?? '', get }
  }

  test('a preview has a host name of its own and is not indexed by search engines', async () => {
    const own = await newSite({ 'index.html': 'Production' })
    const preview = await show(own, 'Preview')
    expect((await preview.get('/')).bytes.toString()).toContain('Preview')
    expect((await own.get('/')).bytes.toString()).toBe('Production')
    const version = await preview.get('/_octavo/version.json')
    expect(JSON.parse(version.bytes.toString())).toEqual({ deployment: preview.id })
    const robots = await preview.get('/robots.txt')
    expect(robots.bytes.toString()).toBe('User-agent: *\nDisallow: /\n')
    const etag = String((await preview.get('/')).headers.etag)
    for (const [path, headers, status] of [
      ['/', {}, 200],
      ['/', { 'if-none-match': etag }, 304],
      ['/robots.txt', {}, 200],
      ['/_octavo/version.json', {}, 200],
      ['/_octavo/styles/Preview.css', {}, 200],
      ['/away', {}, 307],
      ['/nowhere', {}, 404],
      ['/secret', {}, 404],
    ] as const) {
      const reply = await preview.get(path, headers)
      expect([path, reply.status, reply.headers['x-robots-tag']]).toEqual([path, status, 'noindex'])
      expect(reply.headers['referrer-policy']).toBe('same-origin')
    }
    const page = await own.get('/')
    expect(page.headers['x-robots-tag']).toBeUndefined()
    expect(page.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })

  test('a preview keeps its host name and earlier styles when its branch changes', async () => {
    const own = await newSite({ 'index.html': 'Production' })
    const one = await show(own, 'one')
    expect((await one.get('/')).bytes.toString()).toContain('one')
    const two = await show(own, 'two')
    expect(two.name).toBe(one.name)
    await vi.waitFor(
      async () => expect((await one.get('/')).bytes.toString()).toContain('two'),
      POLL,
    )
    expect((await one.get('/_octavo/styles/one.css')).status).toBe(200)
    const other = await show(own, 'three', 'another')
    expect(other.name).not.toBe(one.name)
  })

  test('a deleted or expired preview gets 404 within seconds', async () => {
    const own = await newSite({ 'index.html': 'Production' })
    const [gone, late] = [await show(own, 'gone', 'a'), await show(own, 'late', 'b')]
    for (const { get } of [gone, late]) expect((await get('/')).status).toBe(200)
    expect((await own.client.call('DELETE', `/previews/${gone.name}`)).status).toBe(204)
    await service.owner.query('update preview set expires_at = now() where name = $1', [late.name])
    for (const { get } of [gone, late])
      await vi.waitFor(async () => expect((await get('/')).status).toBe(404), POLL)
    // The name is not used again, because there may have been a reason to delete the preview.
    expect((await show(own, 'again', 'a')).name).not.toBe(gone.name)
    expect((await gone.get('/')).status).toBe(404)
  })

  test('an anonymous reader cannot see more of a preview than of the site', async () => {
    const own = await newSite({ 'index.html': 'Production' })
    await service.owner.query(`update project set protection = 'members' where id = $1`, [
      own.project.id,
    ])
    expect((await (await show(own, 'closed')).get('/')).status).toBe(401)
  })

  test.each([
    ['{name}.previews.localhost:8080', 200],
    ['{NAME}.previews.localhost', 200],
    ['{name}.sites.localhost', 421],
    ['{slug}.previews.localhost', 404],
    ['a.{name}.previews.localhost', 421],
    ['{name}.previews.localhost.', 421],
    ['previews.localhost', 421],
    [`${'x'.repeat(63)}.previews.localhost`, 404],
    [`${'x'.repeat(64)}.previews.localhost`, 421],
    ['preview%2f{name}.sites.localhost', 400],
    ['preview/{name}.sites.localhost', 400],
  ])('a request with the preview host %s gets the status %i', async (host, status) => {
    const { name } = await show(site, 'host', 'a-branch-with-a-name-that-is-longer-than-a-slug')
    const given = host
      .replace('{name}', name)
      .replace('{NAME}', name.toUpperCase())
      .replace('{slug}', site.slug)
    const [reply] = await sendRaw(
      service.port,
      `GET / HTTP/1.1\r\nHost: ${given}\r\nConnection: close\r\n\r\n`,
    )
    expect(reply?.status).toBe(status)
  })
})

describe('outages of the blob store and the database', () => {
  test('without the blob store, cached files are served and others get 503', async () => {
    const own = await newSite({ 'index.html': 'Here', 'other.txt': 'There' })
    expect((await own.get('/')).status).toBe(200)
    isStoreDown = true
    try {
      expect((await own.get('/')).bytes.toString()).toBe('Here')
      const other = await own.get('/other.txt')
      expect([other.status, other.headers['retry-after']]).toEqual([503, '5'])
      const ready = await fetch(`${service.adminUrl}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([
        503,
        'the store of blobs cannot be reached\n',
      ])
    } finally {
      isStoreDown = false
    }
    // The store works again. The service is not ready, because this test does not start its worker.
    const again = await fetch(`${service.adminUrl}/readyz`)
    expect(await again.text()).toBe('the worker has not started\n')
    expect((await own.get('/other.txt')).bytes.toString()).toBe('There')
  })

  test('if the database hangs, requests for unknown sites fail within seconds', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1)
    const pids = await service.owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and usename = 'octavo_service'`,
      [name],
    )
    expect(pids).not.toEqual([])
    for (const { pid } of pids) process.kill(pid, 'SIGSTOP')
    try {
      const started = performance.now()
      const other = await visit(service.port, 'never-asked-for.sites.localhost', '/')
      expect([other.status, other.headers['retry-after']]).toEqual([503, '5'])
      expect(performance.now() - started).toBeLessThan(9_000)
      expect((await site.get('/')).status).toBe(200)
    } finally {
      for (const { pid } of pids) process.kill(pid, 'SIGCONT')
    }
    expect((await visit(service.port, 'never-asked-for.sites.localhost', '/')).status).toBe(404)
  }, 30_000)

  test('without the database, sites that were visited before are served and others get 503', async () => {
    const away = await startTestService({ blobStore, ...NAMES })
    try {
      const project = await away.createProject(SCOPES)
      const [row] = await away.owner.query<{ slug: string }>(
        'select slug from project where id = $1',
        [project.id],
      )
      const host = `${row?.slug}.sites.localhost`
      await clientOf(away.url, project).deploy(siteOf({ 'index.html': 'Still here' }))
      expect((await visit(away.port, host, '/')).status).toBe(200)
      const name = new URL(away.databaseUrl).pathname.slice(1)
      await service.owner.query(`alter database ${name} allow_connections false`)
      await service.owner.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      )
      for (let count = 0; count < 20; count += 1)
        expect((await visit(away.port, host, '/')).bytes.toString()).toBe('Still here')
      await vi.waitFor(
        async () =>
          expect((await visit(away.port, 'unknown.sites.localhost', '/')).status).toBe(503),
        POLL,
      )
      await service.owner.query(`alter database ${name} allow_connections true`)
    } finally {
      await away.stop()
    }
  }, 30_000)
})

describe('sites selected by the Host header', () => {
  test.each([
    ['{slug}.sites.localhost', 200],
    ['{slug}.sites.localhost:8080', 200],
    ['{SLUG}.SITES.localhost', 200],
    ['{slug}.sites.localhost.', 421],
    ['nobody.sites.localhost', 404],
    ['a.{slug}.sites.localhost', 421],
    ['{slug}.sites.localhost.evil.example', 421],
    ['sites.localhost', 421],
    ['.sites.localhost', 421],
    ['-{slug}.sites.localhost', 421],
    ['{slug}-.sites.localhost', 421],
    ['{slug}_.sites.localhost', 421],
    ['xn--{slug}.sites.localhost', 404],
    ['{slug}sites.localhost', 421],
    ['evil.example', 421],
    ['10.0.0.1', 421],
    ['[::1]', 421],
    ['localhost', 421],
    ['{slug}.sites.localhost:99999', 400],
    ['{slug}.sites.localhost:80:80', 400],
    ['{slug}.sites.localhost/x', 400],
    ['{slug}.sites.localhost@evil.example', 400],
    ['{slug} .sites.localhost', 400],
    ['', 400],
  ])('a request with the site host %s gets the status %i', async (host, status) => {
    const name = host.replaceAll('{slug}', site.slug).replaceAll('{SLUG}', site.slug.toUpperCase())
    const [reply] = await sendRaw(
      service.port,
      `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`,
    )
    expect(reply?.status).toBe(status)
  })

  test('a request with two hosts, no host or a host in its target is rejected', async () => {
    const lines = [
      `GET / HTTP/1.1\r\nHost: ${site.host}\r\nHost: other.sites.localhost`,
      `GET http://${site.host}/ HTTP/1.1\r\nHost: other.sites.localhost`,
      'GET / HTTP/1.1',
    ]
    for (const line of lines) {
      const [reply] = await sendRaw(service.port, `${line}\r\nConnection: close\r\n\r\n`)
      expect(reply?.status, line).toBe(400)
    }
  })

  test('no header except Host selects a site', async () => {
    const other = await newSite({ 'index.html': 'Another site' })
    for (const name of ['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host', 'cookie']) {
      const value = name === 'forwarded' ? `host=${other.host}` : other.host
      expect((await site.get('/', { [name]: value })).bytes.toString()).toContain('Welcome')
    }
  })

  test('HTTP/1.0 is accepted for sites, because old proxies use it, but not for the API', async () => {
    const [page] = await sendRaw(service.port, `GET / HTTP/1.0\r\nHost: ${site.host}\r\n\r\n`)
    expect(page?.status).toBe(200)
    const [api] = await sendRaw(
      service.port,
      'GET /v1/openapi.json HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n',
    )
    expect(api?.status).toBe(400)
  })

  test('the API is not available at the host of a site, nor a site at the host of the API', async () => {
    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const replies = await sendRaw(
        service.port,
        `GET /v1/openapi.json HTTP/1.1\r\nHost: ${site.host}\r\n${expectation}Connection: close\r\n\r\n`,
      )
      expect(replies.at(-1)?.status).toBe(404)
    }
    // All other paths at the host of the API are the dashboard, which requires sign-in.
    const guide = await visit(service.port, '127.0.0.1', '/guide')
    expect([guide.status, guide.headers.location]).toEqual([303, '/sign-in?next=%2Fguide'])
    expect((await visit(service.port, '127.0.0.1', '/v1/openapi.json')).status).toBe(200)
  })
})

describe('host names of the service', () => {
  test.each([
    ['octavo.example.com', 'sites.example.net', undefined],
    ['octavo.localhost', 'sites.localhost', undefined],
    ['127.0.0.1', 'sites.localhost', undefined],
    ['a.github.io', 'b.github.io', undefined],
    ['octavo.example.com', 'sites.example.com', 'share the domain example.com'],
    ['example.com', 'sites.example.com', 'share the domain example.com'],
    ['a.example.co.uk', 'b.example.co.uk', 'share the domain example.co.uk'],
    ['sites.localhost', 'sites.localhost', 'share the domain'],
    ['localhost', 'sites.localhost', 'share the domain'],
    ['octavo.example.com', undefined, undefined],
    [undefined, 'sites.example.net', 'needs OCTAVO_URL'],
    [undefined, undefined, undefined],
  ])('an API at %s with sites at %s is checked for a shared domain', (api, sites, problem) => {
    const found = findNameProblem({ api, sites, previews: undefined })
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })

  test.each([
    ['sites.example.net', 'previews.example.org', undefined],
    ['sites.example.net', 'previews.example.net', undefined],
    ['sites.localhost', 'previews.localhost', undefined],
    ['sites.example.net', 'previews.example.com', 'share the domain example.com'],
    ['sites.example.net', 'octavo.example.com', 'share the domain example.com'],
    ['sites.example.net', 'sites.example.net', 'one is below the other'],
    ['sites.example.net', 'previews.sites.example.net', 'one is below the other'],
    ['sites.example.net', 'example.net', 'one is below the other'],
    [undefined, 'previews.example.org', 'needs OCTAVO_URL and OCTAVO_SITES_DOMAIN'],
  ])(
    'sites at %s with previews at %s are checked for conflicting domains',
    (sites, previews, problem) => {
      const found = findNameProblem({ api: 'octavo.example.com', sites, previews })
      if (problem === undefined) expect(found).toBeUndefined()
      else expect(found).toContain(problem)
    },
  )

  test('without configured names, every host is the host of the API', () => {
    const none = { api: undefined, sites: undefined, previews: undefined }
    expect(targetOf('anything.example', none)).toEqual({ kind: 'api' })
  })
})
