/**
 * Tests the configuration files in `deploy/` with the servers they are for and with a real service.
 * Skips servers that are not installed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCertificate } from '../../../testing/start-pebble.ts'
import { freePort, type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import {
  hasProgram,
  startCaddy,
  startNginx,
  startVarnish,
} from '../../../testing/start-web-server.ts'
import { createTemplate } from '../../../testing/test-database.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const DEPLOY = join(import.meta.dirname, '../../../../../deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const FILES = {
  'index.html': '<title>Welcome</title>',
  'guide/index.html': '<title>Guide</title>',
  '404.html': '<title>Not found</title>',
  '_octavo/styles/theme-0123456789ab.css': 'html{}',
}
const folder = mkdtempSync(join(tmpdir(), 'octavo-recipes-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
let postgres: RunningPostgres
let service: TestService
/** Host names of two sites: one at the root, the other below `/docs`. */
let rootHost = ''
let belowHost = ''

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  ends.push(postgres.stop)
  await createTemplate(postgres.url)
  service = await startTestService({
    serverUrl: postgres.url,
    blobStore: await openFolderStore(join(folder, 'blobs')),
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.example.net',
    previewsDomain: 'previews.example.org',
  })
  ends.push(service.stop)
  const newSite = async (facts: { basePath?: string; redirects?: [] }) => {
    const project = await service.createProject(KEY_SCOPES)
    await clientOf(service.url, project).deploy(siteOf(FILES, facts))
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    return `${row?.slug}.sites.example.net`
  }
  rootHost = await newSite({})
  belowHost = await newSite({ basePath: '/docs' })
}, 60_000)
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

/**
 * Creates a certificate for a name. The files are `<file>.pem` and `<file>.key`, or have certbot's
 * names.
 */
function certify(file: string, name: string): void {
  const at = join(folder, 'certificates', file)
  mkdirSync(join(at, '..'), { recursive: true })
  const key = file.endsWith('fullchain') ? at.replace(/fullchain$/, 'privkey.pem') : `${at}.key`
  createCertificate({ file: `${at}.pem`, key, names: [`DNS:${name}`] })
}

type SecureReply = { status: number; body: string; names: string }

/** Sends a request over TLS and accepts any certificate, so that its names can be compared. */
function visitSecurely(port: number, host: string, path: string): Promise<SecureReply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, servername: host, agent: false }
    const sent = request(
      { ...options, headers: { host }, rejectUnauthorized: false },
      async (response) => {
        const { statusCode = 0 } = response
        const { subjectaltname } = (response.socket as TLSSocket).getPeerCertificate()
        const pieces = await response.toArray()
        const body = Buffer.concat(pieces).toString()
        resolve({ status: statusCode, body, names: subjectaltname ?? '' })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

describe.skipIf(!hasProgram('nginx'))('nginx/octavo.conf', () => {
  let [httpPort, httpsPort] = [0, 0]
  beforeAll(async () => {
    ;[httpPort, httpsPort] = [await freePort(), await freePort()]
    certify('octavo', 'octavo.example.com')
    certify('sites', '*.sites.example.net')
    certify('previews', '*.previews.example.org')
    certify('domains/docs.example.org/fullchain', 'docs.example.org')
    const server = await startNginx({
      port: httpPort,
      configuration: read('nginx/octavo.conf')
        .replaceAll('listen 80 ', `listen 127.0.0.1:${httpPort} `)
        .replaceAll('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
        .replaceAll('/etc/octavo/', `${folder}/certificates/`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`),
    })
    ends.push(server.stop)
  }, 30_000)

  test('nginx forwards the `Host` header and uses the certificate of the requested name', async () => {
    const page = await visitSecurely(httpsPort, rootHost, '/')
    expect(page).toEqual({
      status: 200,
      body: '<title>Welcome</title>',
      names: 'DNS:*.sites.example.net',
    })
    const api = await visitSecurely(httpsPort, 'octavo.example.com', '/v1/openapi.json')
    expect(api.names).toBe('DNS:octavo.example.com')
    const own = await visitSecurely(httpsPort, 'docs.example.org', '/')
    // This domain has a certificate, but no project has claimed it.
    expect([own.status, own.names]).toEqual([421, 'DNS:docs.example.org'])
  })

  test('nginx refuses TLS connections for a name without a certificate', async () => {
    await expect(visitSecurely(httpsPort, 'other.example.org', '/')).rejects.toThrow()
  })

  test('nginx forwards domain checks over HTTP and redirects all other requests', async () => {
    const check = await visit(httpPort, 'docs.example.org', `/.well-known/octavo/${'0'.repeat(32)}`)
    expect([check.status, String(check.bytes).trim()]).toEqual([
      200,
      expect.stringMatching(/^[\w-]{43}$/),
    ])
    const page = await visit(httpPort, 'docs.example.org', '/guide?a=1')
    expect([page.status, page.headers.location]).toEqual([
      308,
      'https://docs.example.org/guide?a=1',
    ])
  })
})

describe.each([
  ['subpath/Caddyfile', 'caddy'],
  ['subpath/nginx.conf', 'nginx'],
])('%s', (file, program) => {
  let port = 0
  beforeAll(async () => {
    if (!hasProgram(program)) return
    port = await freePort()
    const upstream = `http://127.0.0.1:${service.port}`
    const text = read(file)
      .replaceAll('https://plants.sites.example.net', upstream)
      .replaceAll('plants.sites.example.net', belowHost)
    const server =
      program === 'nginx'
        ? await startNginx({
            port,
            configuration: `server {\nlisten 127.0.0.1:${port};\n${text}\n}\n`,
          })
        : await startCaddy({
            port,
            configuration: text.replace(/^example\.com \{/m, `http://example.com:${port} {`),
            options: '\tdefault_bind 127.0.0.1\n',
          })
    ends.push(server.stop)
  }, 30_000)

  const get = (path: string, headers = {}) => visit(port, 'example.com', path, { headers })

  test.skipIf(!hasProgram(program))('the proxy serves the whole site below /docs', async () => {
    for (const [path, status, text] of [
      ['/docs/', 200, 'Welcome'],
      ['/docs/guide', 200, 'Guide'],
      ['/docs/_octavo/styles/theme-0123456789ab.css', 200, 'html{}'],
      ['/docs/_octavo/version.json', 200, 'deployment'],
      ['/docs/nothing', 404, 'Not found'],
    ] as const) {
      const reply = await get(path)
      expect([path, reply.status]).toEqual([path, status])
      expect(String(reply.bytes)).toContain(text)
    }
  })

  test.skipIf(!hasProgram(program))(
    'a redirect of the site keeps the host that the reader requested',
    async () => {
      const { status, headers } = await get('/docs')
      expect(status).toBe(302)
      const location = new URL(String(headers.location), `http://example.com:${port}/docs`)
      expect(location.pathname).toBe('/docs/')
      expect(location.hostname).toBe('example.com')
    },
  )

  test.skipIf(!hasProgram(program))(
    'the proxy does not forward paths outside of /docs to the site',
    async () => {
      expect((await get('/')).bytes.toString()).not.toContain('Welcome')
      expect((await get('/docsets')).status).toBe(404)
    },
  )
})

describe.skipIf(!hasProgram('varnishd'))('cdn/varnish.vcl', () => {
  let port = 0
  const asked: string[] = []
  beforeAll(async () => {
    // An origin server that returns parts of the request, with the cache headers that the test asks
    // for.
    const origin = createServer((incoming, response) => {
      const { host = '', cookie = '', 'if-none-match': tag = '' } = incoming.headers
      asked.push(`${host}${incoming.url} ${tag}`.trim())
      const control = new URL(incoming.url ?? '/', 'http://x').searchParams.get('control')
      response.setHeader('cache-control', control ?? 'no-cache')
      response.setHeader('etag', '"1"')
      response.setHeader('vary', 'Accept')
      response.setHeader('cache-tag', 'p-prj_1,d-01')
      if (tag === '"1"') response.writeHead(304).end()
      else response.end(`${host} ${incoming.headers.accept ?? ''} ${cookie}`)
    })
    origin.listen(0, '127.0.0.1')
    await new Promise((resolve) => origin.once('listening', resolve))
    ends.push(
      () => origin.close(),
      () => origin.closeAllConnections(),
    )
    port = await freePort()
    const { port: originPort } = origin.address() as AddressInfo
    const server = await startVarnish({
      port,
      configuration: read('cdn/varnish.vcl').replace('"8080"', `"${originPort}"`),
    })
    ends.push(server.stop)
  }, 60_000)

  async function get(host: string, path: string, headers: Record<string, string> = {}) {
    asked.length = 0
    const reply = await visit(port, host, path, { headers })
    return { body: String(reply.bytes), asked: [...asked], tag: reply.headers['cache-tag'] }
  }
  const LONG = '/a.css?control=public,%20max-age=31536000,%20immutable'

  test('Varnish caches hashed files by host and `Vary`', async () => {
    expect((await get('a.example', LONG, { accept: 'x' })).body).toBe('a.example x ')
    expect((await get('a.example', LONG, { accept: 'x' })).asked).toEqual([])
    expect((await get('b.example', LONG, { accept: 'x' })).body).toBe('b.example x ')
    expect((await get('a.example', LONG, { accept: 'y' })).body).toBe('a.example y ')
  })

  test('Varnish revalidates pages on each request and purges cached files by tag', async () => {
    await get('a.example', '/')
    expect((await get('a.example', '/')).asked).toEqual(['a.example/ "1"'])
    const purge = (tag: string) =>
      visit(port, 'any', '/', { method: 'PURGE', headers: { 'cache-tag': tag } })
    expect((await purge('.*')).status).toBe(400)
    expect((await purge('p-prj_1')).status).toBe(200)
    const { asked: again, tag } = await get('a.example', LONG, { accept: 'x' })
    expect([again, tag]).toEqual([[`a.example${LONG}`], undefined])
  })

  test('Varnish does not cache responses to one reader', async () => {
    const own = '/own?control=private,%20no-cache'
    const cookie = '__Host-octavo-reader=1'
    expect((await get('a.example', own, { cookie })).body).toContain('octavo-reader')
    expect((await get('a.example', own)).body).not.toContain('octavo-reader')
    // Responses to requests with a cookie are not cached, even if the service does not mark them.
    expect((await get('a.example', '/x.css?control=max-age=60', { cookie })).body).toContain('=1')
    expect((await get('a.example', '/x.css?control=max-age=60')).body).not.toContain('=1')
  })
})
