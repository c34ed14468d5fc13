import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  newReaderSite,
  openReaderBrowser,
  READER_NAMES,
  type ReaderSite,
} from '../../../testing/reader-browser.ts'
import { visit } from '../../../testing/test-deployment.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { fieldOf, type SentRequest, visitService } from '../../../testing/visit-service.ts'
import { isKnownPepperHash } from '../../app/backup/make-backup.ts'
import { runDoctor } from '../../app/commands/doctor/run-doctor.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { createService, type Service } from '../../app/roles/service.ts'
import { openFolderStore } from '../blobs/folder-store.ts'
import { createPepperRing, type PepperRing } from './pepper-ring.ts'

const OLD = 'the pepper before, of 32 characters or more'
const NEW = 'the pepper of today, of 32 characters or more'
const before = createPepperRing({ current: OLD })
const rotating = createPepperRing({ current: NEW, old: [OLD] })
const after = createPepperRing({ current: NEW })

/** Retries for a while, because processes cache lookups for a moment. */
const POLL = { interval: 50, timeout: 20_000 }
const folder = mkdtempSync(join(tmpdir(), 'octavo-pepper-'))
let service: TestService
let site: ReaderSite
let processes: Readonly<Record<'before' | 'rotating' | 'after', Process>>
beforeAll(async () => {
  const blobStore = await openFolderStore(folder)
  service = await startTestService({
    ...READER_NAMES,
    pepper: before,
    blobStore,
  })
  site = await newReaderSite(service)
  await site.set({ mode: 'members' })
  processes = {
    before: await startProcess(before),
    rotating: await startProcess(rotating),
    after: await startProcess(after),
  }

  async function startProcess(pepper: PepperRing): Promise<Process> {
    const settings = { ...service.settings, pepper }
    const running = createService({ settings, blobs: blobStore, writeLog() {}, now: Date.now })
    running.server.listen(0, '127.0.0.1')
    await once(running.server, 'listening')
    const { port } = running.server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, port, ...running }
  }
})
afterAll(async () => {
  for (const { server, stop } of Object.values(processes)) {
    server.closeAllConnections()
    await stop()
  }
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
type Process = Service & { readonly url: string; readonly port: number }

const send = (at: Pick<Process, 'url'>, path: string, sent: SentRequest) =>
  visitService(at, path, { ...sent, headers: { origin: READER_NAMES.url } })

/** Creates one credential of each kind with the old pepper. */
async function createCredentials() {
  const { project } = site
  const person = await createPerson(service, project, 'owner')
  const post = async <T>(path: string, body: object) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    return (await response.json()) as T
  }
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const input = { settings: service.settings, print, now: Date.now }
  await runCommand(['login-link', person.email], input)
  const path = `/v1/projects/${project.publicId}`
  const invitation = { email: `new-${person.id}@example.com`, role: 'viewer' }
  const reader = await post<{ token: string }>(`${path}/access/tokens`, { name: 'CI' })
  const { cookie } = person
  const formToken = fieldOf(await visitService(service, '/account', { cookie }), 'token')
  const form = { token: formToken }
  const codes = (await send(service, '/account/recovery-codes', { cookie, form })).text
  const invited = await post<{ url: string }>(`${path}/invitations`, invitation)
  return {
    apiKey: await service.createKey(project),
    commandLine: person.token,
    cookie,
    readerToken: reader.token,
    email: person.email,
    recoveryCode: /(?:[A-Z\d]{4}-){3}[A-Z\d]{4}/.exec(codes)?.[0] ?? '',
    loginLink: new URL(lines.at(-1) ?? '').pathname,
    invitation: new URL(invited.url).pathname,
  }
}
type Credentials = Awaited<ReturnType<typeof createCredentials>>

/** Returns which credentials a process accepts. An accepted recovery code is used up. */
async function accepted(at: Process, made: Credentials) {
  const get = (path: string, headers: Record<string, string>) =>
    fetch(at.url + path, { headers, redirect: 'manual' })
  const form = { email: made.email, code: made.recoveryCode }
  const statuses = {
    ...(await acceptedRepeatedly(at, made)),
    recoveryCode: (await send(at, '/sign-in/recovery', { form })).status === 303,
    loginLink: (await get(made.loginLink, {})).status === 200,
    invitation: (await get(made.invitation, {})).status === 200,
  }
  return Object.entries(statuses).flatMap(([name, is]) => (is ? [name] : []))
}

async function acceptedRepeatedly(at: Process, made: Credentials) {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(at.url + path, { headers, redirect: 'manual' })).status === 200
  const page = await visit(at.port, site.host, '/guide', { headers: bearer(made.readerToken) })
  return {
    apiKey: await get(`/v1/analytics/${site.project.publicId}/assistant`, bearer(made.apiKey)),
    commandLine: await get('/v1/me', bearer(made.commandLine)),
    session: await get('/', { cookie: made.cookie }),
    readerToken: page.status === 200,
  }
}

const ALL = [
  'apiKey',
  'commandLine',
  'session',
  'readerToken',
  'recoveryCode',
  'loginLink',
  'invitation',
]

/** Returns the pepper ids of API keys, sessions and reader tokens that the current test created. */
async function pepperIds(): Promise<readonly (string | null)[]> {
  const rows = await service.owner.query<{ id: string | null }>(
    `select pepper_id as id from api_key where name = 'test' and created_at > $1
     union all select pepper_id from user_session where created_at > $1
     union all select pepper_id from reader_session where created_at > $1`,
    [begunAt],
  )
  return rows.map(({ id }) => id)
}
let begunAt = new Date(0)
beforeEach(async () => {
  const [row] = await service.owner.query<{ at: Date }>('select clock_timestamp() as at')
  begunAt = row?.at ?? begunAt
})

const REPORTED = ['api_key', 'user_session', 'reader_session', 'recovery_code']

describe('credentials of an old pepper', () => {
  test('credentials of an old pepper are accepted only while it is configured', async () => {
    const made = await createCredentials()
    expect(await accepted(processes.after, made)).toEqual([])
    expect(await accepted(processes.rotating, made)).toEqual(ALL)
  })

  test('after the old pepper is removed, only credentials used during the rotation are accepted', async () => {
    const [used, unused] = [await createCredentials(), await createCredentials()]
    await acceptedRepeatedly(processes.rotating, used)
    await processes.rotating.flush()
    const all = { apiKey: true, commandLine: true, session: true, readerToken: true }
    // Reader credentials are hashed with the new pepper only after the response is sent.
    await vi.waitFor(
      async () => expect((await pepperIds()).filter((id) => id === after.id)).toHaveLength(4),
      POLL,
    )
    expect(await acceptedRepeatedly(processes.after, used)).toEqual(all)
    expect(Object.values(await acceptedRepeatedly(processes.after, unused))).not.toContain(true)
    // A process that was not restarted yet still accepts credentials hashed with the old pepper.
    expect(Object.values(await acceptedRepeatedly(processes.before, unused))).not.toContain(false)
  })

  test('using credentials in a process with the same pepper does not rehash them', async () => {
    const made = await createCredentials()
    await acceptedRepeatedly(processes.before, made)
    await processes.before.flush()
    expect(new Set(await pepperIds())).toEqual(new Set([before.id]))
  })
})

describe('hash purposes', () => {
  test('the hash of an invitation is not valid as the hash of a login link', async () => {
    const made = await createCredentials()
    const path = made.invitation.replace('/invitations/', '/login/')
    await service.owner.query(
      `insert into sign_in_link (token_hash, kind, user_id, expires_at)
       select i.token_hash, 'login', u.id, now() + interval '1 hour'
         from invitation i, app_user u where i.email like 'new-%' and u.email = $1`,
      [made.email],
    )
    expect((await visitService(processes.before, made.loginLink)).status).toBe(200)
    expect((await visitService(processes.before, path)).status).toBe(404)
  })
})

describe('values that the database does not store', () => {
  test('a form token of the old pepper is accepted only while it is configured', async () => {
    const { cookie } = await createCredentials()
    const token = fieldOf(await visitService(processes.before, '/', { cookie }), 'token')
    expect(token).not.toBe('')
    const type = async (at: Process) =>
      (await send(at, '/device', { cookie, form: { token, code: 'BCDF-GHJK' } })).status
    // The form token is valid, but no device is waiting with this code.
    expect(await type(processes.rotating)).toBe(422)
    expect(await type(processes.after)).toBe(403)
  })

  test('a single-use token works only once across processes with different peppers', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
    const loginUrl = 'https://app.example.com/login'
    const { host, set } = await newReaderSite(service)
    await set({ mode: 'jwt', jwt: { loginUrl, keys: [await exportSPKI(publicKey)] } })
    const exp = Math.floor(Date.now() / 1_000) + 8
    const jwt = await new SignJWT({ host, exp })
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(privateKey)
    const send = ({ port }: Process) =>
      openReaderBrowser(port, host).visit('/login/jwt-callback', { form: { jwt } })
    expect((await send(processes.before)).status).toBe(303)
    expect((await send(processes.rotating)).text).toContain('it was used before')
  })

  test('a backup of the old pepper is recognized only while it is configured', () => {
    const mark = before.hash('backup', '').toString('hex').slice(0, 16)
    expect([rotating, after].map((ring) => isKnownPepperHash(ring, mark))).toEqual([true, false])
  })

  test('an attempt is counted only once while two peppers are configured', async () => {
    const used = async () => {
      const [row] = await service.owner.query<{ used: number }>(
        'select coalesce(sum(used), 0)::integer as used from sign_in_count',
      )
      return row?.used ?? 0
    }
    const counted = await used()
    const response = await fetch(`${processes.rotating.url}/v1/device`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'octavo' }),
    })
    expect(response.status).toBe(201)
    expect((await used()) - counted).toBe(1)
  })
})

describe('octavo-service doctor', () => {
  async function pepperLine(pepper: PepperRing): Promise<string> {
    const lines: string[] = []
    const settings = { ...service.settings, pepper, url: undefined, sitesDomain: undefined }
    await runDoctor([], {
      read: { kind: 'read', settings },
      environment: {},
      print: (line) => lines.push(line),
      now: Date.now,
    })
    const at = lines.findIndex((line) => /^. pepper /.test(line))
    return lines.slice(at, at + 2).join('\n')
  }

  test('doctor counts the credentials of the old pepper until the pepper can be removed', async () => {
    const ownKey = before.hash('api key', site.project.token)
    await service.owner.query('delete from api_key where token_hash <> $1', [ownKey])
    for (const table of REPORTED.slice(1)) await service.owner.query(`delete from ${table}`)
    await createCredentials()
    expect(await pepperLine(before)).toMatch(/^✓ pepper +everything is hashed with the current one/)
    expect(await pepperLine(rotating)).toMatch(
      /^! pepper +pepper-old: Not yet on the current OCTAVO_KEY_PEPPER: API keys: 2, command lines: 1, reader tokens: 1, recovery codes: 10, sessions: 1\.\n +Hint: Credentials move to the current pepper when they are used\./,
    )
    expect(await pepperLine(after)).toMatch(
      /^✓ pepper +refused, since their pepper was removed: API keys: \d, /,
    )
    for (const table of REPORTED)
      await service.owner.query(`update ${table} set pepper_id = $1`, [after.id])
    expect(await pepperLine(rotating)).toMatch(
      /^✓ pepper +nothing needs OCTAVO_OLD_KEY_PEPPERS anymore/,
    )
  })
})
