/**
 * Tests `octavo check --live` with a real service behind a proxy, which has one fault at a time.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../builder/testing/child-environment.ts'
import {
  freePort,
  type RunningPostgres,
  startPostgres,
} from '../../../service/testing/start-postgres.ts'
import { WrittenSite } from '../../testing/preview/running-preview.ts'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'
import type { LiveCheck } from './live-checks.ts'

const SERVICE = join(import.meta.dirname, '../../../service/src/main.ts')
const SITE = {
  'docs.json': JSON.stringify({
    name: 'Plants',
    navigation: { pages: ['index', 'guides/water'] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nAll about plants.\n',
  'guides/water.mdx': '---\ntitle: Water\n---\n\nA rhododendron needs a lot.\n',
}

/** The changes that the faulty proxy makes to a request and its response. */
type Fault = {
  readonly path?: (path: string) => string
  readonly asked?: (headers: IncomingHttpHeaders) => void
  readonly status?: (status: number) => number
  readonly given?: (headers: OutgoingHttpHeaders, path: string) => void
}
let fault: Fault = {}

let postgres: RunningPostgres
let folder: string
let service: ChildProcess
let proxy: Server
let site: WrittenSite
let url: string

beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  folder = mkdtempSync(join(tmpdir(), 'octavo-live-'))
  const port = await freePort()
  const env = {
    ...CHILD_ENVIRONMENT,
    DATABASE_OWNER_URL: postgres.url,
    DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'live_service' }).href,
    OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
    OCTAVO_BLOBS: folder,
    OCTAVO_URL: `http://127.0.0.1:${port}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_ADMIN_PORT: '0',
    PORT: String(port),
  }
  const command = (...args: readonly string[]) => {
    const done = spawnSync(process.execPath, [SERVICE, ...args], { env, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(done.stderr)
    return done.stdout
  }
  command('migrate')
  const made = command('init', '--organization', 'Garden', '--project', 'plants', '--json')
  const { projectId, adminKey } = JSON.parse(made) as Record<'projectId' | 'adminKey', string>
  service = spawn(process.execPath, [SERVICE, '--role', 'all'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    service.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listening')) resolve()
    })
    service.once('exit', () => reject(new Error('the service ended')))
  })
  site = new WrittenSite(SITE)
  const target = ['--project', projectId, '--service', env.OCTAVO_URL]
  await octavo(['build', 'docs', '--url', 'https://example.com/docs/'])
  const deployed = await octavo(['deploy', '--prebuilt', 'dist', ...target], adminKey)
  expect(deployed).toMatchObject({ code: 0, err: '' })
  proxy = createProxy(port)
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/docs/`
}, 120_000)
afterAll(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  service?.kill('SIGKILL')
  site?.[Symbol.dispose]()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function octavo(args: readonly string[], key?: string) {
  let out = ''
  let err = ''
  const code = await run({
    args,
    cwd: site.root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: key },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

function createProxy(port: number): Server {
  return createServer((asked, answer) => {
    const path = asked.url ?? '/'
    const headers = { ...asked.headers, host: 'plants.sites.localhost' }
    fault.asked?.(headers)
    request(
      { host: '127.0.0.1', port, path: fault.path?.(path) ?? path, headers, agent: false },
      (reply) => {
        const given = { ...reply.headers }
        fault.given?.(given, path)
        const status = reply.statusCode ?? 0
        answer.writeHead(fault.status?.(status) ?? status, given)
        reply.pipe(answer)
      },
    ).end()
  })
}

async function failedChecks(wrong: Fault): Promise<readonly LiveCheck[]> {
  fault = wrong
  try {
    const { code, out, err } = await octavo(['check', '--live', url, '--format', 'json'])
    expect(err).toBe('')
    const { checks } = JSON.parse(out) as { checks: readonly LiveCheck[] }
    const failed = checks.filter(({ problem }) => problem !== undefined)
    expect(code).toBe(failed.length === 0 ? 0 : 1)
    return failed
  } finally {
    fault = {}
  }
}

const without = (name: string): Fault => ({ given: (headers) => delete headers[name] })
const notAsked = (name: string): Fault => ({ asked: (headers) => delete headers[name] })

describe('octavo check --live', () => {
  test('all live checks pass through a transparent proxy', async () => {
    const { code, out, err } = await octavo(['check', '--live', url])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`✓ page         ${url}\n`)
    expect(out).toContain(`All 10 checks passed for ${url}\n`)
    // The trailing slash is optional.
    expect((await octavo(['check', '--live', url.slice(0, -1), '--format', 'json'])).code).toBe(0)
  })

  test.each<readonly [string, Fault, readonly string[], string]>([
    ['strips ETag', without('etag'), ['etag'], 'has no ETag'],
    ['drops If-None-Match', notAsked('if-none-match'), ['etag'], 'returns status 200, not 304'],
    [
      'turns 404 into 200',
      { status: (status) => (status === 404 ? 200 : status) },
      ['not found'],
      'has status 200, not 404',
    ],
    [
      'drops the base path',
      { path: (path) => path.replace(/^\/docs/, '') || '/' },
      ['page'],
      'more than 5 redirects',
    ],
    [
      'adds a path of its own',
      { path: (path) => `/elsewhere${path}` },
      ['page'],
      'The status is 404, not 200',
    ],
    [
      'sends another host',
      { asked: (headers) => Object.assign(headers, { host: 'example.com' }) },
      ['page'],
      '421',
    ],
    [
      'does not forward _octavo',
      { path: (path) => path.replace('/_octavo/', '/none/') },
      ['version', 'hashed file', 'search'],
      'The status is 404',
    ],
    [
      'sets a Cache-Control of its own',
      { given: (headers) => Object.assign(headers, { 'cache-control': 'max-age=600' }) },
      ['version', 'not found', 'hashed file'],
      'The header cache-control is "max-age=600": expected "no-store"',
    ],
    ['does not forward Accept', notAsked('accept'), ['markdown'], 'text/html'],
    ['strips Vary', without('vary'), ['markdown', 'compression'], 'The header vary is missing'],
    ['does not let pages be compressed', notAsked('accept-encoding'), ['compression'], 'is not'],
    [
      'strips the policy',
      without('content-security-policy'),
      ['security'],
      'The header content-security-policy is missing',
    ],
    [
      'replaces nosniff',
      { given: (headers) => Object.assign(headers, { 'x-content-type-options': 'none' }) },
      ['security'],
      'is "none"',
    ],
    [
      'redirects to an internal address',
      {
        status: (status) => status,
        given: (headers, path) => {
          if (path.endsWith('/water/')) headers.location = 'http://internal:8080/docs/guides/water'
        },
        path: (path) => (path.endsWith('/water/') ? '/' : path),
      },
      ['paths'],
      'redirects to http://internal:8080/docs/guides/water',
    ],
  ])('octavo check --live detects a proxy that %s', async (_, wrong, names, problem) => {
    const failed = await failedChecks(wrong)
    expect(failed.map(({ name }) => name)).toEqual(names)
    expect(failed[0]?.problem).toContain(problem)
    for (const { hint } of failed) expect(hint).toBeTruthy()
  })

  test('octavo check --live reports an unreachable site and invalid options', async () => {
    const none = await octavo(['check', '--live', `http://127.0.0.1:${await freePort()}`])
    expect(none).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ECONNREFUSED') })
    for (const args of [
      ['docs'],
      ['--fix'],
      ['--offline'],
      ['--format', 'sarif'],
      ['--live', 'ftp://example.com'],
      ['--live', 'example.com'],
    ])
      expect((await octavo(['check', '--live', url, ...args])).code, args.join(' ')).toBe(2)
  })
})
