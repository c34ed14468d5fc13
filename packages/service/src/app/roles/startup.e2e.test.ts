/**
 * Starts the real program on a real PostgreSQL as an operator would, with all kinds of mistakes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../builder/testing/child-environment.ts'
import { freePort, type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import { insertOrganization } from '../../people/organizations/store.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { createKeyRing } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { ProjectStore, tenantOf } from '../../projects/projects/store.ts'

const MAIN = join(import.meta.dirname, '../../main.ts')
const PEPPER = 'a pepper for tests, 32 characters or more'
const ROLE = 'startup_service'
const PASSWORD = 'canary-5d1c02'
/** A start takes 1 to 3 seconds, but much longer on a machine that runs other tests. */
const SECONDS_MAX = 60
/** The interval of readiness probes. */
const PAUSE_MS = 25

type Environment = Record<string, string>
type Ended = { readonly code: number | null; readonly last: string; readonly seconds: number }

let postgres: RunningPostgres
let owner: Database
let folder: string
let ports: { readonly main: number; readonly admin: number }
const children = new Set<ChildProcess>()
const servers = new Set<Server>()
const rows: Record<string, string | number>[] = []
const secretKey = { id: '2026', bytes: randomBytes(32) }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-startup-'))
  chmodSync(folder, 0o755)
  const rules = join(folder, 'pg_hba.conf')
  // The owner needs no password; the service's role does.
  writeFileSync(rules, 'host all postgres 127.0.0.1/32 trust\nhost all all all scram-sha-256\n')
  postgres = await startPostgres({ settings: { fsync: 'off', hba_file: rules } })
  await migrate(postgres.url, { serviceUrl: serviceUrl() })
  owner = openDatabase({ url: postgres.url, connections: 2 })
  const { id: organizationId } = await insertOrganization(owner, 'Test')
  const project = await new ProjectStore(owner).insert({
    organizationId,
    name: 'Test',
    slug: 'test',
  })
  await createSecretStore(owner.forProject(tenantOf(project)), createKeyRing([secretKey])).write(
    'git',
    'canary',
  )
  await owner.query(`create role startup_powerless login password '${PASSWORD}'`)
  await owner.query(`create role startup_full login connection limit 0 password '${PASSWORD}'`)
  await owner.query('create database startup_empty')
})
afterEach(async () => {
  for (const child of children) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  for (const server of servers) server.close()
  servers.clear()
})
afterAll(async () => {
  if (rows.length > 0) console.table(rows)
  await owner.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const serviceUrl = (change: Partial<URL> = {}) =>
  Object.assign(new URL(postgres.url), { username: ROLE, password: PASSWORD }, change).href

async function settings(change: Environment = {}): Promise<Environment> {
  ports = { main: await freePort(), admin: await freePort() }
  return {
    ...CHILD_ENVIRONMENT,
    DATABASE_URL: serviceUrl(),
    OCTAVO_KEY_PEPPER: PEPPER,
    OCTAVO_SECRET_KEYS: printKey(secretKey),
    OCTAVO_URL: `http://127.0.0.1:${ports.main}`,
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_WORK_FOLDER: join(folder, 'work'),
    PORT: String(ports.main),
    OCTAVO_ADMIN_PORT: String(ports.admin),
    ...change,
  }
}

const printKey = ({ id, bytes }: { id: string; bytes: Buffer }) =>
  `${id}:${bytes.toString('base64')}`

function start(role: string, env: Environment) {
  const child = spawn(process.execPath, [MAIN, '--role', role], { env })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const output: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text))
  return { child, text: () => output.join('') }
}

/** Starts the program and waits for its end, while probing its readiness. */
async function runToEnd(name: string, role: string, change: Environment = {}) {
  const env = await settings(change)
  const startedAt = performance.now()
  const { child, text } = start(role, env)
  const readiness = new Set<string>()
  const deadline = setTimeout(() => child.kill('SIGKILL'), SECONDS_MAX * 1_000)
  const ended = once(child, 'close')
  const asking = askUntil(ended, readiness)
  await ended
  await asking
  clearTimeout(deadline)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  const last = text().trimEnd().split('\n').at(-1) ?? ''
  const result: Ended = { code: child.exitCode, last, seconds }
  rows.push({ case: name, role, code: child.exitCode ?? 'killed', seconds, last })
  expect(text()).not.toContain(PASSWORD)
  expect(text()).not.toMatch(/^\s+at /m)
  return { ...result, readiness: [...readiness] }
}

async function askUntil(ended: Promise<unknown>, readiness: Set<string>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    const reply = await probe('/readyz')
    // In some tests, another program uses the port and never responds.
    if (reply.startsWith('200')) readiness.add(reply)
    await pause(PAUSE_MS)
  }
}

/** Requests a path of the admin port. Returns the status and text, or the error code. */
async function probe(path: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(5_000)
    const reply = await fetch(`http://127.0.0.1:${ports.admin}${path}`, { signal })
    return `${reply.status} ${(await reply.text()).trim()}`
  } catch (error) {
    return String(((error as Error).cause as { code?: string } | undefined)?.code)
  }
}

/** Occupies a port with a server that never responds. */
async function occupyPort(): Promise<number> {
  const server = createServer()
  servers.add(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('failed starts', () => {
  test.each(['api', 'host', 'all'])(
    'the service with role %s does not start if its main port is in use',
    async (role) => {
      const port = await occupyPort()
      const { code, last, readiness } = await runToEnd('port taken', role, { PORT: String(port) })
      expect(last).toBe(`octavo-service: Port ${port} is in use. Set PORT to another port.`)
      expect(code).toBe(1)
      expect(readiness).toEqual([])
      expect(await probe('/healthz')).toBe('ECONNREFUSED')
      expect(await probe('/readyz')).toBe('ECONNREFUSED')
    },
  )

  test.each(['api', 'host', 'worker', 'all'])(
    'the service with role %s does not start if its admin port is in use',
    async (role) => {
      const port = await occupyPort()
      const { code, last } = await runToEnd('admin port taken', role, {
        OCTAVO_ADMIN_PORT: String(port),
      })
      expect(last).toBe(
        `octavo-service: Port ${port} is in use. Set OCTAVO_ADMIN_PORT to another port.`,
      )
      expect(code).toBe(1)
      await expect(once(connect(ports.main, '127.0.0.1'), 'connect')).rejects.toThrow(
        'ECONNREFUSED',
      )
    },
  )

  const cases: readonly (readonly [
    name: string,
    change: () => Environment | Promise<Environment>,
    last: RegExp,
  ])[] = [
    [
      'database down',
      async () => ({ DATABASE_URL: serviceUrl({ port: String(await freePort()) }) }),
      /^PostgreSQL does not listen at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start PostgreSQL, or correct the host and port in DATABASE_URL\.$/,
    ],
    [
      'database does not answer',
      async () => ({ DATABASE_URL: serviceUrl({ port: String(await occupyPort()) }) }),
      /^PostgreSQL at 127\.0\.0\.1:\d+ did not respond in time\. Check the host and port in DATABASE_URL,/,
    ],
    [
      'host name unknown',
      () => ({ DATABASE_URL: serviceUrl({ hostname: 'database.invalid' }) }),
      /^The host name database\.invalid has no address \(\w+\)\. Correct the host in DATABASE_URL/,
    ],
    [
      'wrong password',
      () => ({ DATABASE_URL: serviceUrl({ password: 'wrong' }) }),
      /refused the password of the role "startup_service"\. Check the role and its password in DATABASE_URL\. `octavo-service migrate` creates/,
    ],
    [
      'role does not exist',
      () => ({ DATABASE_URL: serviceUrl({ username: 'startup_nobody' }) }),
      /the role "startup_nobody"\. Check the role .* `octavo-service migrate` creates the role/,
    ],
    [
      'role sees every tenant',
      () => ({ DATABASE_URL: postgres.url }),
      /^The role postgres can read the data of every tenant, .* Use a separate role in DATABASE_URL/,
    ],
    [
      'role without rights',
      () => ({ DATABASE_URL: serviceUrl({ username: 'startup_powerless' }) }),
      /^The role startup_powerless has no privileges on the tables\. .*`octavo-service migrate`\.$/,
    ],
    [
      'no connection left',
      () => ({ DATABASE_URL: serviceUrl({ username: 'startup_full' }) }),
      /has no connections left\. Raise max_connections/,
    ],
    [
      'database does not exist',
      () => ({ DATABASE_URL: serviceUrl({ pathname: '/startup_nothing' }) }),
      /^The database "startup_nothing" does not exist at .* Create the database in DATABASE_URL, then run `octavo-service migrate`\.$/,
    ],
    [
      'TLS refused',
      () => ({ DATABASE_URL: serviceUrl({ search: '?sslmode=require' }) }),
      /does not offer TLS\. Turn on `ssl` in PostgreSQL, or remove `sslmode` from DATABASE_URL\.$/,
    ],
    [
      'no migration',
      () => ({ DATABASE_URL: serviceUrl({ pathname: '/startup_empty' }) }),
      /^The database is not up to date\. Missing migrations: .* Run `octavo-service migrate`\.$/,
    ],
    [
      'secret key missing',
      () => ({ OCTAVO_SECRET_KEYS: printKey({ ...secretKey, id: '2027' }) }),
      /^A key that encrypted secrets is missing from OCTAVO_SECRET_KEYS: "2026" \(1 secret\)\. Put the key/,
    ],
    [
      'no secret keys',
      () => ({ OCTAVO_SECRET_KEYS: '' }),
      /^A key that encrypted secrets is missing from OCTAVO_SECRET_KEYS: "2026" \(1 secret\)\. Put the key/,
    ],
    [
      'secret key changed',
      () => ({ OCTAVO_SECRET_KEYS: printKey({ id: '2026', bytes: randomBytes(32) }) }),
      /^A key in OCTAVO_SECRET_KEYS cannot decrypt its secrets: "2026" \(1 secret\)\./,
    ],
    [
      'store is a file',
      () => {
        writeFileSync(join(folder, 'file'), '')
        return { OCTAVO_BLOBS: join(folder, 'file/blobs') }
      },
      /file\/blobs: ENOTDIR.*\. A part of this path is a file: set OCTAVO_BLOBS to a folder\.$/,
    ],
  ]
  test.each(cases)(
    'a failed start exits with 1 and an explanation: %s',
    async (name, change, last) => {
      const result = await runToEnd(name, 'all', await change())
      expect(result.last.replace('octavo-service: ', '')).toMatch(last)
      expect(result.code).toBe(1)
      expect(result.seconds).toBeLessThan(SECONDS_MAX)
      expect(result.readiness).toEqual([])
      expect(await probe('/healthz')).toBe('ECONNREFUSED')
    },
  )

  test('a start with the database of a newer version exits with 1', async () => {
    await owner.query(`insert into migration values ('migrations/9999-later.sql', 'x')`)
    try {
      const { code, last } = await runToEnd('newer database', 'api')
      expect(last).toMatch(/migrated by a newer version: it has migrations\/9999-later\.sql\. Use/)
      expect(code).toBe(1)
    } finally {
      await owner.query(`delete from migration where name like '%9999%'`)
    }
  })

  test('a start with an invalid setting exits with 2, so that systemd does not restart it', async () => {
    const { code, last } = await runToEnd('wrong setting', 'all', { PORT: 'http' })
    expect(last).toBe('octavo-service: PORT must be a whole number from 0 to 65535, such as 8080.')
    expect(code).toBe(2)
  })
})

describe('the stored pepper check', () => {
  test("the first start stores the pepper's check, and later starts reject another pepper", async () => {
    await owner.query('delete from key_check')
    const first = await untilReady('api', await settings())
    await stop(first.child)
    const { code, last } = await runToEnd('other pepper', 'api', {
      OCTAVO_KEY_PEPPER: 'another pepper of 32 characters or more',
    })
    expect(last).toMatch(/OCTAVO_KEY_PEPPER is not the value that this database was used with/)
    expect(code).toBe(1)
    // The error message suggests this to an operator who lost the pepper.
    await owner.query(`delete from key_check where name = 'pepper'`)
    const other = await untilReady(
      'api',
      await settings({ OCTAVO_KEY_PEPPER: 'another pepper of 32 characters or more' }),
    )
    await stop(other.child)
    await owner.query('delete from key_check')
  })
})

describe('readiness of a process', () => {
  test.each(['api', 'host', 'worker', 'all'])(
    'the service with role %s becomes ready, and exits with 0 when it is stopped',
    async (role) => {
      const { child } = await untilReady(role, await settings())
      expect(await probe('/healthz')).toBe('200 ok')
      const connection = once(connect(ports.main, '127.0.0.1'), 'connect')
      if (role === 'worker') await expect(connection).rejects.toThrow('ECONNREFUSED')
      else await connection
      expect(await stop(child)).toBe(0)
    },
  )

  test('a process that shuts down still responds, but is not ready', async () => {
    const { child } = await untilReady('api', await settings())
    // An unfinished request keeps the process running for ten seconds.
    const socket = connect(ports.main, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /v1/x HTTP/1.1\r\nHost: 127.0.0.1:${ports.main}\r\nContent-Length: 9\r\n\r\n`,
    )
    await expect.poll(() => probe('/metrics')).toContain('200')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await expect.poll(() => probe('/readyz')).toBe('503 the process is shutting down')
    expect(await probe('/healthz')).toBe('200 ok')
    socket.destroy()
    expect(await ended).toEqual([0, null])
  })

  test('a worker that cannot read its jobs is not ready until it can', async () => {
    const { child } = await untilReady('worker', await settings())
    await owner.query('revoke usage on schema jobs from octavo_app')
    try {
      await expect.poll(() => probe('/readyz')).toBe('503 the worker cannot read its jobs')
    } finally {
      await owner.query('grant usage on schema jobs to octavo_app')
    }
    await expect.poll(() => probe('/readyz')).toBe('200 ok')
    expect(await stop(child)).toBe(0)
  })

  test('a process warns about unknown environment variables', async () => {
    const env = await settings({ OCTAVO_SITE_DOMAIN: 'x', OCTAVO_ADMIN_PROT_FILE: '/x' })
    const { child, text } = await untilReady('api', env)
    expect(text()).toContain(
      'octavo-service: Warning: OCTAVO_SITE_DOMAIN is not a variable of octavo-service and has no effect. Did you mean `OCTAVO_SITES_DOMAIN`?\n',
    )
    expect(text()).toContain('Did you mean `OCTAVO_ADMIN_PORT_FILE`?\n')
    await stop(child)
  })

  test('a process can be stopped while it starts', async () => {
    const { child, text } = start('all', await settings())
    const patience = { interval: PAUSE_MS, timeout: SECONDS_MAX * 1_000 }
    await expect.poll(() => probe('/healthz'), patience).toBe('200 ok')
    expect(await stop(child)).toBe(0)
    expect(text()).not.toMatch(/^\s+at /m)
  })
})

async function untilReady(role: string, env: Environment) {
  const started = start(role, env)
  await expect.poll(() => probe('/readyz'), { timeout: SECONDS_MAX * 1_000 }).toBe('200 ok')
  return started
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return child.exitCode
}
