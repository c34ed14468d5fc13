/** Tests the access settings with the API, including stored values and entries in the audit log. */
import { generateKeyPairSync } from 'node:crypto'
import type { AccessReply, AuditList } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { PEPPER, startTestService, type TestService } from '../../../testing/test-service.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { createReaderTokenStore } from './token-store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ secretKeys: SECRET_KEYS })
})
afterAll(() => service.stop())

const PASSWORD = 'canary-of-the-password'
const SECRET = 'canary-of-the-secret'
const pemOf = (type: 'public' | 'private', curve?: string) => {
  const pair =
    curve === undefined
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: curve })
  const key = type === 'public' ? pair.publicKey : pair.privateKey
  return key.export({ format: 'pem', type: type === 'public' ? 'spki' : 'pkcs8' }).toString()
}
const jwkOf = (type: 'public' | 'private') => {
  const pair = generateKeyPairSync('ed25519')
  return { ...pair[`${type}Key`].export({ format: 'jwk' }), kid: 'one', alg: 'EdDSA', use: 'sig' }
}
const OIDC = { issuer: 'https://login.example.com', clientId: 'docs' }
const YEAR_MINUTES = 365 * 24 * 60
const LOGIN_URL = 'https://app.example.com/login'

async function newProject() {
  const project = await service.createProject(SCOPES)
  const call = callerOf(service.url, project)
  const set = (body: object) => call<AccessReply & ProblemBody>('PUT', '/access', { body })
  const epoch = async () => {
    const [row] = await service.owner.query<{ epoch: number }>(
      'select epoch from site_access where project_id = $1',
      [project.id],
    )
    return row?.epoch
  }
  return { project, call, set, epoch }
}

describe('access of a new project', () => {
  test('a new project is public, and the access to its previews depends on the repository', async () => {
    const { call } = await newProject()
    const { body } = await call<AccessReply>('GET', '/access')
    expect(body).toEqual({
      mode: 'public',
      previews: 'default',
      sessionHours: 168,
      modeSetAt: null,
      sessions: 0,
      hasPassword: false,
      passwordSetAt: null,
      oidc: null,
      jwt: null,
    })
  })
})

describe('access modes', () => {
  test('an incomplete access mode is rejected with a list of the missing settings', async () => {
    const { set } = await newProject()
    const missing = async (mode: string, more: object = {}) => {
      const { status, body } = await set({ mode, ...more })
      expect(status).toBe(422)
      const { errors } = body as unknown as { errors: { path: string }[] }
      return errors.map(({ path }) => path)
    }
    expect(await missing('password')).toEqual(['password'])
    expect(await missing('oidc')).toEqual(['oidc.issuer', 'oidc.clientId'])
    expect(await missing('oidc', { oidc: { clientId: 'docs' } })).toEqual(['oidc.issuer'])
    expect(await missing('jwt')).toEqual(['jwt.loginUrl', 'jwt.keys'])
    expect(await missing('jwt', { jwt: { loginUrl: LOGIN_URL } })).toEqual(['jwt.keys'])
    expect((await set({ mode: 'members' })).body.mode).toBe('members')
    expect((await set({ mode: 'password', password: PASSWORD })).body.mode).toBe('password')
    expect((await set({ mode: 'oidc', oidc: OIDC })).body.mode).toBe('oidc')
    const jwt = { loginUrl: LOGIN_URL, keys: [pemOf('public')] }
    expect((await set({ mode: 'jwt', jwt })).body.mode).toBe('jwt')
    expect((await set({ mode: 'public' })).body).toMatchObject({
      mode: 'public',
      hasPassword: true,
      oidc: { issuer: OIDC.issuer, scopes: ['profile', 'email'], groupsClaim: 'groups' },
      jwt: { loginUrl: LOGIN_URL },
    })
  })

  test('settings that the current access mode needs cannot be removed', async () => {
    const { set } = await newProject()
    await set({ mode: 'oidc', oidc: OIDC })
    expect((await set({ oidc: null })).status).toBe(422)
    expect((await set({ mode: 'members', oidc: null })).body.oidc).toBeNull()
  })

  test('the access mode cannot be changed with project settings or deployments', async () => {
    const { call } = await newProject()
    const settings = await call<ProblemBody>('PUT', '/settings', { body: { protection: 'public' } })
    expect(settings.status).toBe(400)
    const deployment = { root: '{}', protection: 'public' }
    expect((await call('POST', '/deployments', { body: deployment })).status).toBe(400)
  })
})

describe('secrets in the access settings', () => {
  test('secrets in the access settings are stored hashed or encrypted, and never returned', async () => {
    const { project, set, call } = await newProject()
    const replies = [
      await set({ mode: 'password', password: PASSWORD }),
      await set({ oidc: { ...OIDC, clientSecret: SECRET } }),
      await set({ sessionHours: 12 }),
    ]
    expect(replies[2]?.body).toMatchObject({
      hasPassword: true,
      sessionHours: 12,
      oidc: { ...OIDC, hasClientSecret: true },
    })
    const audit = await call<AuditList>('GET', '/audit?action=access.')
    expect(audit.body.entries).toHaveLength(3)
    expect(audit.text).toContain('hasNewPassword')
    expect(audit.text).toContain('hasNewClientSecret')
    const tables = await service.owner.query(
      `select to_jsonb(a)::text, encode(s.sealed, 'escape') from site_access a
         join secret s on s.project_id = a.project_id where a.project_id = $1`,
      [project.id],
    )
    const all = [...replies.map(({ text }) => text), audit.text, JSON.stringify(tables)].join()
    expect(all).not.toContain(PASSWORD)
    expect(all).not.toContain(SECRET)
    expect(replies.map(({ text }) => text).join() + audit.text).not.toContain('scrypt')
  })

  test('the times of mode, password and client secret change only together with their values', async () => {
    const { set } = await newProject()
    const { body: first } = await set({ mode: 'password', password: PASSWORD })
    expect([first.modeSetAt, first.passwordSetAt]).toEqual([expect.any(String), first.modeSetAt])
    const { body: same } = await set({ mode: 'password', sessionHours: 5 })
    expect(same).toMatchObject({ modeSetAt: first.modeSetAt, passwordSetAt: first.passwordSetAt })
    const { body: next } = await set({ password: 'another password' })
    expect(next.modeSetAt).toBe(first.modeSetAt)
    expect(Date.parse(next.passwordSetAt ?? '')).toBeGreaterThan(
      Date.parse(first.passwordSetAt ?? ''),
    )
    const { body: oidc } = await set({ mode: 'oidc', oidc: { ...OIDC, clientSecret: SECRET } })
    expect(oidc.oidc?.clientSecretSetAt).toEqual(expect.any(String))
    expect(oidc.modeSetAt).not.toBe(first.modeSetAt)
  })

  test('the client secret is deleted when the issuer changes', async () => {
    const { set } = await newProject()
    await set({ oidc: { ...OIDC, clientSecret: SECRET } })
    const scopes = { scopes: ['profile'] }
    expect((await set({ oidc: scopes })).body.oidc).toMatchObject({ hasClientSecret: true })
    const moved = await set({ oidc: { issuer: 'https://evil.example.com' } })
    expect(moved.body.oidc).toMatchObject({ hasClientSecret: false, clientId: 'docs', ...scopes })
    await set({ oidc: { clientSecret: SECRET } })
    const open = await set({ oidc: { clientSecret: null } })
    expect(open.body.oidc).toMatchObject({ hasClientSecret: false })
  })

  test('a client secret can only be stored if the operator has configured secret keys', async () => {
    const bare = await startTestService()
    const call = callerOf(bare.url, await bare.createProject(SCOPES))
    const refused = await call<ProblemBody>('PUT', '/access', {
      body: { oidc: { ...OIDC, clientSecret: SECRET } },
    })
    expect([refused.status, refused.body.param]).toEqual([409, 'oidc.clientSecret'])
    expect((await call('PUT', '/access', { body: { oidc: OIDC } })).status).toBe(200)
    await bare.stop()
  })
})

describe('rejected access settings', () => {
  test.each<[string, object]>([
    ['password', { password: '1234567' }],
    ['password', { password: 'x'.repeat(201) }],
    ['password', { password: 'two\nlines here' }],
    ['mode', { mode: 'private' }],
    ['sessionHours', { sessionHours: 0 }],
    ['sessionHours', { sessionHours: 721 }],
    ['previews', { previews: 'public' }],
    ['oidc.issuer', { oidc: { issuer: 'http://login.example.com' } }],
    ['oidc.issuer', { oidc: { issuer: 'javascript:alert(1)' } }],
    ['oidc.issuer', { oidc: { issuer: 'file:///etc/passwd' } }],
    ['oidc.issuer', { oidc: { issuer: 'https://login.example.com/\0' } }],
    ['oidc.issuer', { oidc: { issuer: 'https://login.example.com/\ud800' } }],
    ['oidc.clientId', { oidc: { clientId: '' } }],
    ['oidc.scopes.0', { oidc: { scopes: ['a b'] } }],
    ['jwt.loginUrl', { jwt: { loginUrl: 'http://app.example.com' } }],
    ['jwt.loginUrl', { jwt: { loginUrl: 'javascript:alert(1)//https:' } }],
    ['jwt.loginUrl', { jwt: { loginUrl: '//app.example.com' } }],
    ['jwt.loginUrl', { jwt: { loginUrl: 'https://app.example.com/?\ud800' } }],
    ['jwt.keys.0', { jwt: { keys: ['no key'] } }],
    ['jwt.keys.0', { jwt: { keys: [pemOf('private')] } }],
    ['jwt.keys.1', { jwt: { keys: [pemOf('public'), jwkOf('private')] } }],
    ['jwt.keys.0', { jwt: { keys: [pemOf('public', 'secp384r1')] } }],
    ['jwt.keys.0', { jwt: { keys: [pemOf('public', 'secp256k1')] } }],
    ['jwt.keys.0', { jwt: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['jwt.keys', { jwt: { keys: Array.from({ length: 11 }, () => jwkOf('public')) } }],
  ])('an invalid value of %s is rejected: %j', async (param, body) => {
    const { set } = await newProject()
    const refused = await set(body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  test('access settings exactly at their limits are accepted', async () => {
    const { set } = await newProject()
    expect((await set({ password: '12345678', sessionHours: 1 })).status).toBe(200)
    expect((await set({ password: 'x'.repeat(200), sessionHours: 720 })).status).toBe(200)
    const keys = [pemOf('public'), pemOf('public', 'prime256v1'), jwkOf('public')]
    const { body } = await set({ jwt: { keys } })
    expect(body.jwt?.keys.map(({ kty, crv, kid }) => [kty, crv, kid])).toEqual([
      ['OKP', 'Ed25519', undefined],
      ['EC', 'P-256', undefined],
      ['OKP', 'Ed25519', 'one'],
    ])
  })
})

describe('sessions and access settings', () => {
  test('sessions end only when the mode, password, key or issuer changes', async () => {
    const { set, epoch } = await newProject()
    const ends = async (body: object) => {
      const before = (await epoch()) ?? 0
      expect((await set(body)).status).toBe(200)
      return ((await epoch()) ?? 0) > before
    }
    expect(await ends({ mode: 'members' })).toBe(true)
    expect(await ends({ mode: 'members' })).toBe(false)
    expect(await ends({ previews: 'site', sessionHours: 5 })).toBe(false)
    expect(await ends({ password: PASSWORD })).toBe(true)
    // Setting the same password again also ends all sessions, because the new hash has a different
    // salt.
    expect(await ends({ password: PASSWORD })).toBe(true)
    expect(await ends({ jwt: { loginUrl: LOGIN_URL } })).toBe(false)
    expect(await ends({ jwt: { keys: [pemOf('public')] } })).toBe(true)
    expect(await ends({ oidc: OIDC })).toBe(true)
    expect(await ends({ oidc: { ...OIDC, scopes: ['groups'] } })).toBe(false)
    expect(await ends({ oidc: { issuer: 'https://other.example.com' } })).toBe(true)
  })

  test('an owner can end all sessions, which adds an entry to the audit log', async () => {
    const { call, epoch } = await newProject()
    expect((await call('POST', '/access/end-sessions')).status).toBe(204)
    expect((await call('POST', '/access/end-sessions')).status).toBe(204)
    expect(await epoch()).toBe(2)
    const audit = await call<AuditList>('GET', '/audit?action=access.')
    expect(audit.body.entries.map(({ action }) => action)).toEqual([
      'access.end-sessions',
      'access.end-sessions',
    ])
  })
})

describe('reader tokens for programs', () => {
  type Token = { id: string; token: string; name: string; createdAt: string; expiresAt: string }

  test('a reader token is valid for an hour by default, is shown once and can be deleted', async () => {
    const { project, call } = await newProject()
    const make = (body: object) => call<Token>('POST', '/access/tokens', { body })
    const made = await make({ name: 'Link checker', groups: ['staff', 'staff', 'partners'] })
    expect(made.status).toBe(201)
    const { id, token, createdAt, expiresAt } = made.body
    expect(token).toMatch(/^octavo_rdr_[\dA-Za-z]{38}$/)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000)
    const list = await call<{ tokens: Token[] }>('GET', '/access/tokens')
    expect(list.body.tokens).toEqual([
      {
        id,
        name: 'Link checker',
        groups: ['staff', 'partners'],
        createdAt,
        expiresAt,
        createdBy: expect.any(String),
        lastUsedAt: null,
      },
    ])
    expect(list.text).not.toContain(token)
    const find = () =>
      service.service.database.query<{ groups: string[]; way: string }>(
        'select * from find_readers($1)',
        [[PEPPER.hash('reader session', token)]],
      )
    expect(await find()).toMatchObject([{ way: 'token', groups: ['staff', 'partners'] }])
    expect((await call('DELETE', `/access/tokens/${id}`)).status).toBe(204)
    expect((await call('DELETE', `/access/tokens/${id}`)).status).toBe(404)
    expect(await find()).toEqual([])
    const audit = await call<AuditList>('GET', '/audit?action=access.')
    expect(audit.body.entries.map(({ action }) => action)).toEqual([
      'access.token-delete',
      'access.token-create',
    ])
    expect(audit.text).not.toContain(token)
    expect(await createReaderTokenStore(service.owner.forProject(project.tenant)).list()).toEqual(
      [],
    )
  })

  test('a reader token can be valid for a minute to a year', async () => {
    const { call } = await newProject()
    const make = (body: object) =>
      call<Token & ProblemBody>('POST', '/access/tokens', { body: { name: 'CI', ...body } })
    for (const minutes of [0, YEAR_MINUTES + 1, 1.5])
      expect((await make({ minutes })).status).toBe(400)
    for (const minutes of [1, YEAR_MINUTES]) expect((await make({ minutes })).status).toBe(201)
    for (const wrong of [{ name: '' }, { groups: ['a\0'] }, { groups: [''] }])
      expect((await make(wrong)).status).toBe(400)
  })

  test('reader tokens still work after the mode changes, until all tokens are deleted', async () => {
    const { call, set } = await newProject()
    const list = async () => (await call<{ tokens: Token[] }>('GET', '/access/tokens')).body.tokens
    await call('POST', '/access/tokens', { body: { name: 'CI' } })
    await call('POST', '/access/tokens', { body: { name: 'Agent', minutes: YEAR_MINUTES } })
    await set({ mode: 'members' })
    await call('POST', '/access/end-sessions')
    expect((await list()).map(({ name }) => name)).toEqual(['Agent', 'CI'])
    expect((await call('DELETE', '/access/tokens')).status).toBe(204)
    expect(await list()).toEqual([])
    const audit = await call<AuditList>('GET', '/audit?action=access.tokens-delete')
    expect(audit.body.entries).toMatchObject([{ after: { tokens: 2 } }])
  })

  test('an expired reader token is listed for 30 days if it was valid for at least a day', async () => {
    const { project, call } = await newProject()
    for (const [name, minutes] of [
      ['Job', 1_439],
      ['Crawler', 1_440],
      ['Old crawler', 1_440],
      ['Agent', 1_440],
    ])
      await call('POST', '/access/tokens', { body: { name, minutes } })
    const age = (days: number, names: readonly string[]) =>
      service.owner.query(
        `update reader_session set created_at = created_at - make_interval(days => $2),
                expires_at = expires_at - make_interval(days => $2)
          where project_id = $1 and name = any ($3)`,
        [project.id, days, names],
      )
    await age(2, ['Job', 'Crawler'])
    await age(32, ['Old crawler'])
    await service.owner.query('select forget_readers()')
    const { body } = await call<{ tokens: Token[] }>('GET', '/access/tokens')
    expect(body.tokens.map(({ name }) => name)).toEqual(['Agent', 'Crawler'])
    const rows = await service.owner.query(
      'select name from reader_session where project_id = $1 order by name',
      [project.id],
    )
    expect(rows).toEqual([{ name: 'Agent' }, { name: 'Crawler' }])
  })
})

test('a password matches in any Unicode form, and never matches if no password is stored', async () => {
  const hash = await hashPassword('Zürich-docs')
  expect(await verifyPassword('Zürich-docs'.normalize('NFD'), hash)).toBe(true)
  for (const wrong of ['zürich-docs', 'Zürich-docs ', ''])
    expect(await verifyPassword(wrong, hash)).toBe(false)
  expect(await verifyPassword('', undefined)).toBe(false)
  expect(await hashPassword('Zürich-docs')).not.toBe(hash)
})
