import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type ModelServer,
  refuse,
  startModelServer,
} from '../../../../../assistant/testing/model-server.ts'
import { startDnsServer } from '../../../../testing/dns-server.ts'
import { startMailServer } from '../../../../testing/mail-server.ts'
import { freePort } from '../../../../testing/start-postgres.ts'
import {
  startTestService,
  type TestService,
  testSettings,
} from '../../../../testing/test-service.ts'
import { NO_SIGN_IN } from '../../../people/sign-in-settings.ts'
import { detectIsolation } from '../../../platform/sandbox/isolation.ts'
import { createKeyRing, type SecretKey } from '../../../platform/secrets/key-ring.ts'
import { createPepperRing } from '../../../platform/secrets/pepper-ring.ts'
import { createSecretStore } from '../../../platform/secrets/store.ts'
import { readSettings, type Settings } from '../../settings/env.ts'
import type { Finding } from './finding.ts'
import { runDoctor } from './run-doctor.ts'

const CANARY = 'canary-7f3a91'
let service: TestService
let folder: string
let model: ModelServer
beforeAll(async () => {
  service = await startTestService()
  // The service stores its pepper check when it starts.
  expect(await service.service.findStartProblem()).toBeUndefined()
  folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  model = await startModelServer()
})
afterAll(async () => {
  model.stop()
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

type PrintOptions = {
  now?: () => number
  args?: string[]
  environment?: Record<string, string>
}

async function print(
  settings: Partial<Settings> = {},
  { now = Date.now, args = [], environment = {} }: PrintOptions = {},
) {
  const lines: string[] = []
  const code = await runDoctor(args, {
    read: { kind: 'read', settings: { ...service.settings, ...settings } },
    environment,
    print: (line) => lines.push(line),
    now,
  })
  return { code, lines, text: lines.join('\n') }
}

type Examined = { readonly code: number; readonly of: (check: string) => Partial<FlatFinding> }
type FlatFinding = Finding & { readonly code: string; readonly hint: string }

async function examine(settings: Partial<Settings> = {}, now = Date.now): Promise<Examined> {
  const { code, text } = await print(settings, { now, args: ['--json'] })
  const { ok, checks } = JSON.parse(text) as { ok: boolean; checks: FlatFinding[] }
  expect(ok).toBe(code === 0)
  expect(ok).toBe(checks.every(({ status }) => status !== 'failed'))
  return { code, of: (check) => checks.find((one) => one.check === check) ?? {} }
}

const modelOf = (url: string, key?: string): Settings['assistant'] => ({
  model: { format: 'openai', url, model: 'small', key, contextTokens: 8_192, hasTools: true },
  tokensPerDay: undefined,
  tokensPerMonth: undefined,
})
const mailTo = (smtpUrl: string) => ({ ...NO_SIGN_IN, mail: { smtpUrl, from: 'a@example.com' } })
const listModels =
  (...ids: readonly string[]) =>
  (response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: ids.map((id) => ({ id })) }))
/** Returns a URL with a port that is not in use. */
const nowhere = async (scheme: string) => `${scheme}://127.0.0.1:${await freePort()}`
/** Returns a URL that bypasses the pooler, which reports different errors. */
const direct = (change: Partial<URL>) =>
  Object.assign(new URL(service.databaseUrl), { username: 'octavo_service' }, change).href

describe('octavo-service doctor', () => {
  test('without problems, the doctor prints a line per check and exits with 0', async () => {
    const mail = await startMailServer()
    const dns = await startDnsServer()
    dns.set('A', 'octavo.example.com', ['192.0.2.1'])
    // gitlab.io is on the Public Suffix List.
    dns.set('A', 'octavo-doctor.gitlab.io', ['192.0.2.2'])
    model.behave(listModels('large', 'small'))
    const store = join(folder, 'blobs')
    const { code, lines, text } = await print({
      blobs: { blobs: store },
      signIn: mailTo(mail.url),
      dnsServers: [dns.address],
      url: 'http://octavo.example.com',
      sitesDomain: 'gitlab.io',
      assistant: modelOf(model.url),
    })
    await Promise.all([mail.stop(), dns.stop()])
    const isIsolated = (await detectIsolation()).kind === 'bubblewrap'
    expect(text).not.toMatch(/^(?:✗|! (?!builds))/m)
    expect(code).toBe(0)
    for (const line of [
      /^✓ environment +every variable is valid$/,
      // In tests the role's name is also its password, so it is masked.
      /^✓ database +PostgreSQL \d+ accepts the role •••$/,
      /^✓ owner +PostgreSQL \d+ accepts the role /,
      /^- direct +not set \(DATABASE_DIRECT_URL\)$/,
      /^✓ schema +up to date$/,
      /^✓ role +row-level security applies to it$/,
      /^✓ row security +on for all \d+ tables$/,
      /^✓ connections +\d+ of \d+ are in use, and a process opens up to 8$/,
      /^✓ clock +this machine and PostgreSQL agree within 1 s$/,
      /^✓ ids +none is in the future$/,
      /^- secrets +not set \(OCTAVO_SECRET_KEYS\)$/,
      /^✓ pepper +everything is hashed with the current one$/,
      /^✓ port +any free port$/,
      /^✓ admin port +any free port$/,
      /^✓ queue +no job waits$/,
      /^✓ failed jobs +none in the last day$/,
      /^- replica +not set \(DATABASE_REPLICA_URL\)$/,
      /^✓ store +Files in \/.*\/blobs can be written, read and deleted; [\d.]+ GB free$/,
      isIsolated ? /^✓ builds +bubblewrap works$/ : /^! builds +builds-not-isolated: /,
      /^✓ name +octavo\.example\.com is 192\.0\.2\.1$/,
      /^✓ sites +\*\.gitlab\.io is 192\.0\.2\.2$/,
      /^- previews +not set \(OCTAVO_PREVIEWS_DOMAIN\)$/,
      /^✓ site cookies +gitlab\.io: on the Public Suffix List$/,
      /^- certificate +skipped: OCTAVO_URL is not https$/,
      /^✓ model +the server answers and has small; no tokens were used$/,
      /^✓ mail +127\.0\.0\.1:\d+ accepts the connection and the sign-in; no mail was sent$/,
      isIsolated
        ? /^21 fine, 0 warnings, 0 failed, 1 skipped, 4 not set$/
        : /^20 fine, 1 warning, 0 failed, 1 skipped, 4 not set$/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line))
    expect(mail.received).toEqual([])
    expect(model.requests.map(({ url }) => url)).toEqual(['/v1/models'])
    const left = readdirSync(store, { recursive: true, withFileTypes: true })
    expect(left.filter((entry) => entry.isFile())).toEqual([])
  })

  test('the doctor reports a feature that is not configured as not set, not as failed', async () => {
    const { code, text } = await print()
    expect(code).toBe(0)
    for (const name of ['store', 'builds', 'name', 'sites', 'certificate', 'model', 'mail'])
      expect(text).toMatch(new RegExp(`^- ${name} +not set \\(OCTAVO_`, 'm'))
  })

  test('a failed check has a code, a reason and a hint, and the other checks still run', async () => {
    const { code, lines, text } = await print({
      databaseUrl: `${await nowhere('postgres')}/octavo`,
      blobs: { blobs: join(folder, 'others') },
      signIn: mailTo(await nowhere('smtp')),
    })
    expect(code).toBe(1)
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^✗ database +database-unreachable: PostgreSQL does not listen at 127\.0\.0\.1:\d+ \(ECONN/,
      ),
    )
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ +Hint: Start PostgreSQL, or correct the host and port in DATABASE_URL\.$/,
      ),
    )
    expect(text).toMatch(/^- role +skipped: the database cannot be used$/m)
    expect(text).toMatch(/^- replica +not set /m)
    expect(text).toMatch(/^✓ owner /m)
    expect(text).toMatch(/^✓ store /m)
    expect(text).toMatch(/^✗ mail +mail-failed: 127\.0\.0\.1:\d+: connect ECONNREFUSED/m)
    expect(lines.at(-1)).toMatch(/ 2 failed, /)
  })

  test('the doctor reports all invalid environment variables and skips the other checks', async () => {
    const lines: string[] = []
    const read = readSettings({
      DATABASE_URL: `mysql://u:${CANARY}@h/d`,
      OCTAVO_KEY_PEPPER: CANARY,
    })
    const code = await runDoctor([], {
      read,
      environment: { OCTAVO_KEY_PEPER: CANARY },
      print: (line) => lines.push(line),
      now: Date.now,
    })
    expect(code).toBe(1)
    const text = lines.join('\n')
    expect(text).toMatch(/^✗ environment +environment-invalid: Invalid DATABASE_URL/m)
    expect(text).toMatch(/^✗ environment +environment-invalid: OCTAVO_KEY_PEPPER needs/m)
    expect(text).toMatch(/^- the rest +skipped: /m)
    expect(text).toMatch(
      /^! environment +variable-unknown: OCTAVO_KEY_PEPER .* Did you mean `OCTAVO_KEY_PEPPER`\?$/m,
    )
    expect(text).not.toContain(CANARY)
  })

  test('the doctor rejects unknown options', async () => {
    await expect(print({}, { args: ['--fix'] })).rejects.toThrow("Unknown option '--fix'")
    await expect(print({}, { args: ['now'] })).rejects.toThrow('now')
  })
})

describe('database checks', () => {
  const runAsOwner = (text: string) => service.owner.query(text)

  test('the doctor reports a missing role or database with a hint', async () => {
    const stranger = await examine({ databaseUrl: direct({ username: 'octavo_nobody' }) })
    expect(stranger.of('database')).toMatchObject({
      code: 'database-refused',
      hint: expect.stringContaining('`octavo-service migrate` creates the role'),
    })
    const nothing = await examine({ databaseUrl: direct({ pathname: '/octavo_nothing' }) })
    expect(nothing.of('database')).toMatchObject({
      code: 'database-refused',
      hint: expect.stringContaining('Create the database'),
    })
  })

  test('the doctor fails if the role bypasses row-level security', async () => {
    const { code, of } = await examine({ databaseUrl: service.databaseUrl })
    expect(code).toBe(1)
    expect(of('role')).toMatchObject({ status: 'failed', code: 'role-unbound' })
    expect(of('role').hint).toContain('DATABASE_OWNER_URL')
    expect(of('row security')).toMatchObject({ status: 'ok' })
  })

  test('the doctor warns about a role that can create temporary tables and prints SQL to revoke that', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1)
    await runAsOwner(`grant temporary on database ${name} to octavo_service`)
    const { code, of } = await examine()
    expect(code).toBe(0)
    expect(of('role')).toMatchObject({ status: 'warning', code: 'role-temporary' })
    expect(await service.service.findStartProblem()).toBeUndefined()
    // In tests the password is the role's name, so the role is masked in the statement.
    const statement = of('role')
      .hint?.replace(/^.*?: /, '')
      .replaceAll('•••', 'octavo_service')
    await runAsOwner(statement ?? '')
    expect((await examine()).of('role')).toMatchObject({ status: 'ok' })
  })

  test.each([
    'grant create on schema public to octavo_service',
    'grant create on schema public to public',
  ])('the service does not start with a role that can create functions: %s', async (statement) => {
    await runAsOwner(statement)
    const { code, of } = await examine()
    const problem = await service.service.findStartProblem()
    await runAsOwner(statement.replace('grant', 'revoke').replace(' to ', ' from '))
    expect(code).toBe(1)
    expect(of('role')).toMatchObject({ status: 'failed', code: 'role-unbound' })
    expect(problem).toMatch(
      /^The role octavo_service can create functions .* revoke create on schema public from public,/,
    )
    expect((await examine()).of('role')).toMatchObject({ status: 'ok' })
  })

  test('the doctor fails if the role has no privileges', async () => {
    const name = `octavo_powerless_${process.pid}`
    await runAsOwner(`create role ${name} login password 'octavo_service'`)
    try {
      const { of } = await examine({
        databaseUrl: direct({ username: name, password: 'octavo_service' }),
      })
      expect(of('schema')).toMatchObject({ status: 'failed', code: 'check-failed' })
      expect(of('role')).toMatchObject({ status: 'failed', code: 'role-powerless' })
      expect(of('queue')).toMatchObject({ status: 'skipped' })
    } finally {
      await runAsOwner(`drop role ${name}`)
    }
  })

  test('the doctor names a table without row-level security', async () => {
    await runAsOwner('alter table api_key disable row level security')
    const { code, of } = await examine()
    await runAsOwner('alter table api_key enable row level security')
    expect(code).toBe(1)
    expect(of('row security')).toMatchObject({
      code: 'row-security-off',
      found: expect.stringContaining('off on api_key:'),
      hint: expect.stringContaining('alter table api_key enable row level security;'),
    })
    expect((await examine()).of('row security')).toMatchObject({ status: 'ok' })
  })

  test.each([
    [`delete from migration where name = 'migrations/0001-schema.sql'`, 'schema-missing'],
    [`update migration set checksum = 'x' where name like '%conversations.sql'`, 'schema-missing'],
    [`update migration set checksum = 'x' where name like '%/0001%'`, 'schema-changed'],
    [`insert into migration values ('migrations/9999-later.sql', 'x')`, 'schema-newer'],
    [`insert into migration values ('migrations/0001-tables.sql', 'x')`, 'schema-early'],
  ])('after the statement "%s", the schema check fails with %s', async (statement, code) => {
    await runAsOwner('create table kept as table migration')
    await runAsOwner(statement)
    try {
      const { of } = await examine()
      expect(of('schema')).toMatchObject({ status: 'failed', code })
      expect(of('schema').found).toMatch(/0001-schema|conversations\.sql|9999-later|before 0\.1/)
    } finally {
      await runAsOwner('truncate migration')
      await runAsOwner('insert into migration table kept')
      await runAsOwner('drop table kept')
    }
  })

  test('an empty database fails the schema check and skips checks that need tables', async () => {
    const name = `octavo_doctor_${process.pid}_${Date.now()}`
    await runAsOwner(`create database ${name}`)
    try {
      const { code, of } = await examine({ databaseUrl: direct({ pathname: `/${name}` }) })
      expect(code).toBe(1)
      expect(of('schema')).toMatchObject({ code: 'schema-missing' })
      expect(of('schema').hint).toBe('Run `octavo-service migrate`.')
      expect(of('queue')).toMatchObject({ status: 'skipped' })
      expect(of('clock')).toMatchObject({ status: 'ok' })
    } finally {
      await dropDatabase(name)
    }
  })

  test('the doctor fails if a process may open more connections than the server allows', async () => {
    const { of } = await examine({ databaseConnections: 100_000 })
    expect(of('connections')).toMatchObject({ status: 'failed', code: 'connections-too-few' })
    const [row] = await service.owner.query<{ most: number }>(
      `select current_setting('max_connections')::integer
              - current_setting('superuser_reserved_connections')::integer
              - coalesce(current_setting('reserved_connections', true), '0')::integer as most`,
    )
    const all = await examine({ databaseConnections: row?.most ?? 0 })
    expect(all.of('connections')).toMatchObject({ status: 'warning', code: 'connections-short' })
  })

  test('the doctor reports a promoted or unreachable replica', async () => {
    const same = await examine({ replicaUrl: service.settings.databaseUrl })
    expect(same.of('replica')).toMatchObject({ status: 'warning', code: 'replica-promoted' })
    const away = await examine({ replicaUrl: `${await nowhere('postgres')}/octavo` })
    expect(away.of('replica')).toMatchObject({ status: 'failed', code: 'replica-unreachable' })
  })

  test.each([
    [900, 'ok', undefined],
    [-900, 'ok', undefined],
    [5_000, 'warning', 'ahead of'],
    [-5_000, 'warning', 'behind'],
    [60_000, 'failed', 'ahead of'],
    [-60_000, 'failed', 'behind'],
  ])(
    'for a clock that is %i ms off, the doctor reports the status %s',
    async (offMs, status, way) => {
      const { of } = await examine({}, () => Date.now() + offMs)
      expect(of('clock')).toMatchObject({ status })
      if (way !== undefined) expect(of('clock').found).toContain(` s ${way} PostgreSQL`)
    },
  )

  test('the doctor reports that the PostgreSQL clock was set back', async () => {
    const project = await service.createProject()
    const shift = (ms: number) =>
      runAsOwner(
        `update conversation_sequence set last_ms = last_ms + ${ms} where project_id = ${project.id}`,
      )
    await service.publish(project, {
      query: 'q',
      response: 'r',
      sources: [],
      resolutionStatus: 'answered',
      questionId: 't',
    })
    await shift(3_600_000)
    expect((await examine()).of('ids')).toMatchObject({ code: 'clock-set-back' })
    await shift(-3_600_000)
    expect((await examine()).of('ids')).toMatchObject({ status: 'ok' })
  })
})

describe('queue checks', () => {
  afterEach(async () => {
    await service.owner.query('delete from jobs.job')
  })
  const insert = (columns: string, values: string) =>
    service.owner.query(
      `insert into jobs.job (name, policy, ${columns}) values ('build', 'short', ${values})`,
    )

  test('the doctor warns about a job that waits for an hour, but not about one that waits for a minute', async () => {
    await insert('start_after', `now() + interval '1 hour'`)
    expect((await examine()).of('queue').found).toBe('no job waits')
    await insert('singleton_key, start_after', `'a', now() - interval '1 minute'`)
    const { of } = await examine()
    expect(of('queue')).toMatchObject({ status: 'ok' })
    expect(of('queue').found).toMatch(/^waiting: build 1, the oldest for 6\d s$/)
    await insert('singleton_key, start_after', `'b', now() - interval '1 hour'`)
    const late = await examine()
    expect(late.code).toBe(0)
    expect(late.of('queue')).toMatchObject({ status: 'warning', code: 'queue-waits' })
    expect(late.of('queue').found).toMatch('build 2, the oldest for 60 min')
  })

  test('the doctor counts jobs that failed in the last day, but not older ones', async () => {
    await insert('state, completed_on', `'failed', now() - interval '25 hours'`)
    expect((await examine()).of('failed jobs')).toMatchObject({ status: 'ok' })
    await insert('state, completed_on', `'failed', now() - interval '23 hours'`)
    const { of } = await examine()
    expect(of('failed jobs')).toMatchObject({ status: 'warning', code: 'jobs-failed' })
    expect(of('failed jobs').found).toBe('In the last day: build 1.')
  })
})

describe('checks of the environment', () => {
  test('the doctor fails if another program uses a port, but not if the service uses it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const taken = await examine({ port, adminPort: port })
    other.close()
    expect(taken.code).toBe(1)
    expect(taken.of('port')).toMatchObject({
      code: 'port-unusable',
      found: `Port ${port} is in use.`,
      hint: 'Set PORT to another port.',
    })
    expect(taken.of('admin port')).toMatchObject({ hint: 'Set OCTAVO_ADMIN_PORT to another port.' })
    const ours = { port: service.port, adminPort: Number(new URL(service.adminUrl).port) }
    const running = await examine(ours)
    expect(running.of('port')).toMatchObject({
      status: 'ok',
      found: `${ours.port} is in use by octavo-service`,
    })
    expect(running.of('admin port')).toMatchObject({ status: 'ok' })
    const swapped = await examine({ port: ours.adminPort, adminPort: ours.port })
    expect(swapped.of('port')).toMatchObject({ code: 'port-unusable' })
    expect(swapped.of('admin port')).toMatchObject({ code: 'port-unusable' })
    expect((await examine({ port: await freePort() })).of('port').found).toMatch(/^\d+ is free$/)
    const elsewhere = await examine({ host: '192.0.2.1', port })
    expect(elsewhere.of('port').found).toBe('192.0.2.1 is not an address of this machine.')
  })

  test('names below localhost need neither DNS records nor a Public Suffix List entry', async () => {
    const dns = await startDnsServer()
    const { of } = await examine({
      dnsServers: [dns.address],
      url: 'http://octavo.localhost:8080',
      sitesDomain: 'sites.localhost',
      previewsDomain: 'previews.localhost',
    })
    await dns.stop()
    for (const check of ['name', 'sites', 'previews'])
      expect(of(check)).toMatchObject({ status: 'ok' })
    expect(of('sites').found).toBe('*.sites.localhost is this machine, as browsers resolve it')
    expect(of('site cookies')).toMatchObject({ status: 'skipped' })
  })

  test('the doctor warns about a sites domain that is not on the Public Suffix List', async () => {
    const dns = await startDnsServer()
    const cookiesOf = async (sitesDomain: string, previewsDomain?: string) => {
      const names = { url: 'http://octavo.example.com', sitesDomain, previewsDomain }
      return (await examine({ dnsServers: [dns.address], ...names })).of('site cookies')
    }
    expect(await cookiesOf('sites.example.net', 'github.io')).toMatchObject({
      status: 'warning',
      code: 'domain-shared',
      found: expect.stringMatching(/^sites\.example\.net: not on the Public Suffix List/),
      hint: expect.stringContaining('https://publicsuffix.org/submit/'),
    })
    // Only an exact entry is sufficient, not a subdomain of one or any other registrable domain.
    expect(await cookiesOf('sites.github.io')).toMatchObject({ code: 'domain-shared' })
    expect(await cookiesOf('example.net')).toMatchObject({ code: 'domain-shared' })
    expect(await cookiesOf('github.io', 'gitlab.io')).toMatchObject({ status: 'ok' })
    await dns.stop()
  })

  test('the doctor fails for a wrong pepper, and never stores the hash of an unknown pepper', async () => {
    const pepper = createPepperRing({ current: 'another pepper of 32 characters or more' })
    const other = await examine({ pepper })
    expect(other.of('pepper')).toMatchObject({ status: 'failed', code: 'pepper-wrong' })
    await service.owner.query('delete from key_check')
    expect((await examine({ pepper })).of('pepper')).toMatchObject({ status: 'ok' })
    expect(await service.owner.query('select from key_check')).toEqual([])
    expect(await service.service.findStartProblem()).toBeUndefined()
    expect((await examine()).of('pepper')).toMatchObject({ status: 'ok' })
  })

  test('the doctor fails if the store cannot be written to', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { code, of } = await examine({ blobs: { blobs: join(file, 'blobs') } })
    expect(code).toBe(1)
    expect(of('store')).toMatchObject({ code: 'store-failed' })
    expect(of('store').found).toMatch(/file\/blobs: ENOTDIR/)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'the doctor, when run by root, leaves no folders in the store that the service cannot write to',
    async () => {
      const store = join(folder, 'owned')
      mkdirSync(store)
      chownSync(store, 65_534, 65_534)
      const { of } = await examine({ blobs: { blobs: store } })
      expect(of('store')).toMatchObject({ status: 'ok' })
      const names = readdirSync(store)
      expect(names).toHaveLength(2)
      for (const name of names) expect(statSync(join(store, name)).uid).toBe(65_534)
    },
  )

  test('the doctor names a missing or wrong secret key, and prints no secret', async () => {
    const key = (id: string) => ({ id, bytes: randomBytes(32) })
    const [old, current] = [key('2025'), key('2026')]
    const secretsOf = async (...keys: readonly SecretKey[]) =>
      (await examine({ secretKeys: keys })).of('secrets')
    expect(await secretsOf(current)).toMatchObject({ status: 'ok', found: 'none is stored' })
    const { tenant } = await service.createProject()
    const bound = service.service.database.forProject(tenant)
    await createSecretStore(bound, createKeyRing([old])).write('git', CANARY)
    await createSecretStore(bound, createKeyRing([old])).write('webhook', CANARY)
    await createSecretStore(bound, createKeyRing([current])).write('model', CANARY)
    try {
      expect(await secretsOf(current, old)).toMatchObject({
        status: 'ok',
        found: 'a secret of each key was decrypted: "2025" (2 secrets), "2026" (1 secret)',
      })
      expect(await secretsOf(current)).toMatchObject({
        status: 'failed',
        code: 'secret-key-missing',
        found: expect.stringMatching(/: "2025" \(2 secrets\)\.$/),
        hint: expect.stringContaining('OCTAVO_SECRET_KEYS'),
      })
      expect(await secretsOf()).toMatchObject({
        code: 'secret-key-missing',
        found: expect.stringContaining('"2025" (2 secrets), "2026" (1 secret)'),
      })
      expect(await secretsOf(current, key('2025'))).toMatchObject({
        status: 'failed',
        code: 'secret-key-wrong',
        found: expect.stringContaining(': "2025" (2 secrets). '),
      })
    } finally {
      await bound.query('delete from secret where project_id = current_project()')
    }
  })

  test('the doctor fails if the bucket is unreachable', async () => {
    const { of } = await examine({
      blobs: {
        blobs: 's3://bucket/prefix',
        s3Endpoint: await nowhere('http'),
        awsAccessKeyId: 'id',
        awsSecretAccessKey: CANARY,
      },
    })
    expect(of('store')).toMatchObject({ status: 'failed', code: 'store-failed' })
    expect(of('store').found).toMatch(/ECONNREFUSED/)
    expect(of('store').hint).toContain('OCTAVO_S3_ENDPOINT')
  })

  test('the doctor only warns about host names without an address, since a proxy may know them', async () => {
    const dns = await startDnsServer()
    const { code, of } = await examine({
      dnsServers: [dns.address],
      url: 'https://octavo.invalid',
      sitesDomain: 'sites.invalid',
    })
    await dns.stop()
    expect(code).toBe(0)
    expect(of('name')).toMatchObject({ status: 'warning', code: 'name-unresolved' })
    expect(of('sites').found).toMatch(/^\*\.sites\.invalid has no address \(ENOTFOUND/)
    expect(of('certificate')).toMatchObject({ status: 'skipped' })
  })

  test('the doctor reports a model server that lacks the model, has no list, rejects the key or is down', async () => {
    model.behave(listModels('large'))
    const unknown = await examine({ assistant: modelOf(model.url) })
    expect(unknown.of('model')).toMatchObject({ status: 'warning', code: 'model-unknown' })
    model.behave(refuse(404))
    const silent = await examine({ assistant: modelOf(model.url) })
    expect(silent.of('model')).toMatchObject({ status: 'skipped' })
    model.behave(refuse(401, 'wrong key'))
    const refused = await examine({ assistant: modelOf(model.url) })
    expect(refused.of('model')).toMatchObject({ status: 'failed', code: 'model-refused' })
    const away = await examine({ assistant: modelOf(await nowhere('http')) })
    expect(away.of('model')).toMatchObject({ status: 'failed', code: 'model-unreachable' })
  })

  test('the doctor fails if the mail server rejects the password', async () => {
    const mail = await startMailServer()
    const url = Object.assign(new URL(mail.url), { password: CANARY })
    const { of } = await examine({ signIn: mailTo(url.href) })
    await mail.stop()
    expect(of('mail')).toMatchObject({ status: 'failed', code: 'mail-failed' })
    expect(of('mail').found).toMatch(/login/i)
  })
})

test('the doctor masks secrets, even those that a server repeats', async () => {
  const secret = `sk-${CANARY}`
  model.behave(refuse(401, `wrong key ${secret}`))
  const rude = createServer((socket) => socket.end(`554 go away ${secret}\r\n`))
  rude.listen(0, '127.0.0.1')
  await once(rude, 'listening')
  const { port } = rude.address() as AddressInfo
  const url = (scheme: string, host: string) => `${scheme}://octavo:${secret}@${host}`
  const settings: Partial<Settings> = {
    ...testSettings(url('postgres', `127.0.0.1:${await freePort()}/x`)),
    ownerUrl: direct({ username: 'octavo_nobody', password: secret }),
    directUrl: url('postgres', `127.0.0.1:${await freePort()}/x`),
    replicaUrl: url('postgres', `127.0.0.1:${await freePort()}/x`),
    pepper: createPepperRing({ current: `${secret}-current`, old: [secret] }),
    secretKeys: [{ id: 'k', bytes: Buffer.from(secret) }],
    assistant: modelOf(model.url, secret),
    signIn: mailTo(url('smtp', `127.0.0.1:${port}`)),
    blobs: {
      blobs: 's3://bucket',
      s3Endpoint: await nowhere('http'),
      awsAccessKeyId: 'id',
      awsSecretAccessKey: secret,
    },
  }
  for (const args of [[], ['--json']]) {
    const { code, text } = await print(settings, { args })
    expect(code).toBe(1)
    expect(text).toContain('go away •••')
    expect(text).toContain('wrong key')
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(Buffer.from(secret).toString('base64'))
  }
  rude.close()
})

test('the doctor masks credentials in URLs that should have none', async () => {
  const { code, text } = await print({
    blobs: {
      blobs: 's3://bucket',
      s3Endpoint: `http://octavo:${CANARY}@127.0.0.1:9`,
      awsAccessKeyId: 'id',
      awsSecretAccessKey: 'a secret of tests',
    },
    signIn: mailTo(`smtp://octavo:%zz${CANARY}@127.0.0.1:9`),
    url: `https://octavo:${CANARY}@127.0.0.1:9`,
  })
  expect(code).toBe(1)
  expect(text).toMatch(/^✗ store +store-failed: /m)
  expect(text).toMatch(/^✗ mail +/m)
  expect(text).not.toContain(CANARY)
})

async function dropDatabase(name: string): Promise<void> {
  const admin = new pg.Client(inject('databaseUrl'))
  await admin.connect()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}
