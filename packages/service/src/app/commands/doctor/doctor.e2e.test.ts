/** Runs the doctor command as an operator would, with a real certificate and a real replica. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../../builder/testing/child-environment.ts'
import { createCertificate } from '../../../../testing/start-pebble.ts'
import { type RunningPostgres, startPostgres } from '../../../../testing/start-postgres.ts'
import { serviceUrlOf } from '../../../../testing/test-database.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { checkCertificate } from './check-names.ts'
import { checkReplica } from './check-replica.ts'

const DAY_MS = 86_400_000
const MAIN = join(import.meta.dirname, '../../../main.ts')

let primary: RunningPostgres
let folder: string
const servers: Server[] = []

/** Returns a connection URL that bypasses the pooler, which other tests may be using. */
const direct = (server: RunningPostgres) =>
  Object.assign(new URL(serviceUrlOf(server.url)), { port: String(server.port) }).href

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  primary = await startPostgres({ settings: { fsync: 'off' } })
  await migrate(primary.url, { serviceUrl: direct(primary) })
})
afterAll(async () => {
  for (const server of servers) server.close()
  await primary.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(name: string, days: number) {
  const [file, key] = [join(folder, `${days}.pem`), join(folder, `${days}.key`)]
  createCertificate({ file, key, names: [name], days })
  const server = createServer({ cert: readFileSync(file), key: readFileSync(key) })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: new URL(`https://localhost:${(server.address() as AddressInfo).port}`), file }
}

async function doctor(environment: Record<string, string>, args: readonly string[] = []) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; text: string }>()
  execFile(
    process.execPath,
    [MAIN, 'doctor', ...args],
    { env: { ...CHILD_ENVIRONMENT, ...environment } },
    (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
  )
  return promise
}

const required = () => ({
  DATABASE_URL: direct(primary),
  DATABASE_OWNER_URL: primary.url,
  OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
  PORT: '0',
  OCTAVO_ADMIN_PORT: '0',
})

describe('the doctor command', () => {
  test('the doctor exits with 0 if no check failed', async () => {
    const { url, file } = await serve('DNS:localhost', 90)
    const { code, text } = await doctor({
      ...required(),
      OCTAVO_BLOBS: join(folder, 'blobs'),
      OCTAVO_URL: url.href,
      NODE_EXTRA_CA_CERTS: file,
    })
    expect(text).toMatch(/^✓ certificate +valid for (?:89|90) days, until 20\d\d-\d\d-\d\d$/m)
    expect(text).toMatch(/^✓ name +localhost is /m)
    expect(text).not.toMatch(/^✗/m)
    expect(code).toBe(0)
  })

  test('the doctor exits with 1 if a check failed, and with 2 for a usage error', async () => {
    const failed = await doctor({ ...required(), DATABASE_URL: primary.url }, ['--json'])
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.text)).toMatchObject({ ok: false })
    const nothing = await doctor({})
    expect(nothing.code).toBe(1)
    expect(nothing.text).toMatch(/^✗ environment +environment-invalid: .*OCTAVO_KEY_PEPPER/m)
    expect((await doctor(required(), ['--fix'])).code).toBe(2)
  })
})

test('the doctor reports a store that hangs', async () => {
  const silent = createSocketServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { text } = await doctor({
    ...required(),
    OCTAVO_BLOBS: 's3://bucket',
    OCTAVO_S3_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  })
  silent.close()
  expect(text).toMatch(/^✗ store +store-failed: s3:\/\/bucket: (?:no answer|S3 did not respond)/m)
  expect(text).toMatch(/^ +Hint: Check OCTAVO_S3_ENDPOINT, AWS_REGION, and the network/m)
})

describe('the certificate check', () => {
  test('the doctor warns about a certificate of an unknown authority', async () => {
    const { url } = await serve('DNS:localhost', 80)
    expect(await checkCertificate(url, Date.now)).toMatchObject({
      status: 'warning',
      code: 'certificate-untrusted',
    })
  })

  test('the doctor warns if a certificate expires soon and fails if it is expired or for another host', async () => {
    const { url } = await serve('DNS:localhost', 30)
    const after = (days: number) => () => Date.now() + days * DAY_MS
    expect(await checkCertificate(url, after(15))).toMatchObject({ code: 'certificate-untrusted' })
    expect(await checkCertificate(url, after(17))).toMatchObject({
      status: 'warning',
      code: 'certificate-ends',
      found: expect.stringContaining('expires in 12 days'),
    })
    expect(await checkCertificate(url, after(31))).toMatchObject({
      status: 'failed',
      code: 'certificate-invalid',
    })
    const other = await serve('DNS:other.example.com', 60)
    expect(await checkCertificate(other.url, Date.now)).toMatchObject({
      status: 'failed',
      code: 'certificate-invalid',
      found: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
  })

  test('the doctor skips the certificate check if the server is unreachable', async () => {
    const { url } = await serve('DNS:localhost', 20)
    servers.pop()?.close()
    expect(await checkCertificate(url, Date.now)).toMatchObject({ status: 'skipped' })
  })
})

test('the doctor reports whether a replica is caught up, behind or unreachable', async () => {
  const replica = await primary.startReplica()
  const owner = openDatabase({ url: primary.url, connections: 1 })
  const follower = openDatabase({ url: replica.url, connections: 1 })
  const check = () => checkReplica(owner, direct(replica))
  try {
    await expect.poll(check, { timeout: 20_000 }).toMatchObject({ status: 'ok' })
    await follower.query('select pg_wal_replay_pause()')
    await owner.query('create table later (id bigint)')
    expect(await check()).toMatchObject({ status: 'warning', code: 'replica-behind' })
    await follower.query('select pg_wal_replay_resume()')
    await expect.poll(check, { timeout: 20_000 }).toMatchObject({ status: 'ok' })
  } finally {
    await Promise.all([owner.end(), follower.end()])
    await replica.stop()
  }
  const again = openDatabase({ url: primary.url, connections: 1 })
  expect(await checkReplica(again, direct(replica))).toMatchObject({
    status: 'failed',
    code: 'replica-unreachable',
  })
  await again.end()
})
