import type { ApiKeyList, AuditList, CreatedApiKey } from '@octavo/contract'
import { KEY_SCOPES, SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
let nowMs = Date.now()
beforeAll(async () => {
  service = await startTestService({ now: () => nowMs })
})
afterAll(() => service.stop())

async function newProject(scopes: Parameters<TestService['createProject']>[0] = SCOPES) {
  const project = await service.createProject(scopes)
  return { project, call: callerOf(service.url, project) }
}

const NEW_KEY = { name: 'Nightly', scopes: ['analytics:read'], expiresAt: null }
const events = async (projectId: string) =>
  service.owner.query<{ action: string; actor: string; after: unknown }>(
    `select action, actor, after from audit_event where project_id = $1 and actor <> 'operator' order by at`,
    [projectId],
  )

describe('creating API keys', () => {
  test('a created key is in the response, works, and is shown nowhere else (requirements A2b, A4)', async () => {
    const { project, call } = await newProject()
    const expiresAt = new Date(nowMs + 86_400_000).toISOString()
    const made = await call<CreatedApiKey>('POST', '/keys', {
      body: { ...NEW_KEY, expiresAt, allowedFrom: ['127.0.0.0/8'] },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      kind: 'admin',
      name: 'Nightly',
      scopes: ['analytics:read'],
      allowedFrom: ['127.0.0.0/8'],
      createdBy: expect.stringMatching(/^key \d+$/),
      createdByName: expect.any(String),
      expiresAt,
      lastFour: made.body.token.slice(-4),
    })
    const read = await service.get({ publicId: project.publicId, token: made.body.token })
    expect(read.status).toBe(200)
    const list = await call<ApiKeyList>('GET', '/keys')
    expect(list.text).not.toContain(made.body.token)
    const { token: _, ...shown } = made.body
    expect(list.body.keys[0]).toMatchObject(shown)
    expect(await events(project.id)).toEqual([
      {
        action: 'key.create',
        actor: made.body.createdBy,
        after: { kind: 'admin', scopes: ['analytics:read'] },
      },
    ])
  })

  test('a caller cannot create a key with scopes that it does not have', async () => {
    const { project, call } = await newProject(['keys:write', 'analytics:read'])
    const refused = await call<ProblemBody>('POST', '/keys', {
      body: { ...NEW_KEY, scopes: ['analytics:read', 'analytics:write', 'deploy:write'] },
    })
    expect(refused.status).toBe(403)
    expect(refused.body.detail).toContain('analytics:write, deploy:write')
    expect(await events(project.id)).toEqual([])
    // The scope `analytics:read` includes `gaps:read`.
    const smaller = await call('POST', '/keys', { body: { ...NEW_KEY, scopes: ['gaps:read'] } })
    expect(smaller.status).toBe(201)
  })

  test.each([
    ['no name', { ...NEW_KEY, name: ' ' }, 'name'],
    ['no scopes', { ...NEW_KEY, scopes: [] }, 'scopes'],
    ['a scope that only people can have', { ...NEW_KEY, scopes: ['members:write'] }, 'scopes.0'],
    ['a scope that a deploy key cannot have', { ...NEW_KEY, kind: 'deploy' }, 'scopes'],
    ['a time in the past', { ...NEW_KEY, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['no expiry setting', { name: 'a', scopes: ['gaps:read'] }, 'expiresAt'],
    ['bits after the mask', { ...NEW_KEY, allowedFrom: ['10.0.0.1/8'] }, 'allowedFrom'],
    [
      'an address without a prefix length',
      { ...NEW_KEY, allowedFrom: ['10.0.0.1'] },
      'allowedFrom.0',
    ],
  ])('creating a key with %s is rejected', async (_, body, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('POST', '/keys', { body })
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  test('a repeated request with the same idempotency key creates no second key', async () => {
    const { call } = await newProject()
    const headers = { 'idempotency-key': 'once' }
    expect((await call('POST', '/keys', { body: NEW_KEY, headers })).status).toBe(201)
    const again = await call<ProblemBody>('POST', '/keys', { body: NEW_KEY, headers })
    expect([again.status, again.body.param]).toEqual([409, 'Idempotency-Key'])
    const list = await call<ApiKeyList>('GET', '/keys')
    expect(list.body.keys.filter(({ name }) => name === 'Nightly')).toHaveLength(1)
  })
})

describe('listing API keys', () => {
  test('the pages of the key list are newest first, without missing or duplicate keys', async () => {
    const { call } = await newProject()
    for (let count = 0; count < 7; count += 1)
      await call('POST', '/keys', { body: { ...NEW_KEY, name: `k${count}` } })
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const search: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await call<ApiKeyList>('GET', `/keys?limit=3${search}`)
      expect(body.keys.length).toBeLessThanOrEqual(3)
      names.push(...body.keys.map(({ name }) => name))
      cursor = body.nextCursor
    }
    expect(names).toEqual(['k6', 'k5', 'k4', 'k3', 'k2', 'k1', 'k0', 'test'])
  })

  test.each(['x', '1', '1-', '-1', '1-99999999999999999999'])(
    'the key list rejects the cursor %s',
    async (cursor) => {
      const { call } = await newProject()
      const refused = await call<ProblemBody>('GET', `/keys?cursor=${cursor}`)
      expect([refused.status, refused.body.param]).toEqual([400, 'cursor'])
    },
  )

  test('an expired token of a CI job is not listed', async () => {
    const { project, call } = await newProject()
    const hour = { kind: 'deploy' as const, scopes: ['deploy:write'] as const }
    await service.createKey(project, { ...hour, expiresAt: new Date(Date.now() - 1_000) })
    await service.createKey(project, { ...hour, expiresAt: new Date(Date.now() + 60_000) })
    await service.owner.query(
      `update api_key set created_at = created_at - interval '10 minutes' where project_id = $1 and kind = 'deploy'`,
      [project.id],
    )
    const { body } = await call<ApiKeyList>('GET', '/keys')
    expect(body.keys.filter(({ kind }) => kind === 'deploy')).toHaveLength(1)
  })
})

describe('rotating API keys', () => {
  test('rotating creates a copy of a key, and the old key works until the overlap ends', async () => {
    const { project, call } = await newProject()
    const lifetimeMs = 90 * 86_400_000
    const old = await call<CreatedApiKey>('POST', '/keys', {
      body: {
        ...NEW_KEY,
        expiresAt: new Date(nowMs + lifetimeMs).toISOString(),
        allowedFrom: ['127.0.0.1/32'],
      },
    })
    const made = await call<CreatedApiKey>('POST', `/keys/${old.body.id}/rotate`, {
      body: { overlapHours: 2 },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Nightly',
      scopes: ['analytics:read'],
      allowedFrom: ['127.0.0.1/32'],
      replaces: old.body.id,
    })
    const lasts = Date.parse(made.body.expiresAt ?? '') - nowMs
    expect(Math.abs(lasts - lifetimeMs)).toBeLessThan(60_000)
    const status = async (token: string) =>
      (await service.get({ publicId: project.publicId, token })).status
    expect([await status(old.body.token), await status(made.body.token)]).toEqual([200, 200])
    nowMs += 2 * 3_600_000 + 1_000
    expect([await status(old.body.token), await status(made.body.token)]).toEqual([401, 200])
    const again = await call<ProblemBody>('POST', `/keys/${old.body.id}/rotate`, {
      body: { overlapHours: 2 },
    })
    expect(again.status).toBe(409)
    const { body: audit } = await call<AuditList>('GET', '/audit?action=key.rotate')
    expect(audit.entries).toMatchObject([
      { object: `key ${old.body.id}`, after: { key: made.body.id, overlapHours: 2 } },
    ])
    nowMs = Date.now()
  })

  test('a caller cannot rotate a key that has more scopes than the caller', async () => {
    const { project, call } = await newProject()
    const weak = await service.createKey(project, { scopes: ['keys:write'] })
    const strong = await call<CreatedApiKey>('POST', '/keys', {
      body: { ...NEW_KEY, scopes: [...KEY_SCOPES] },
    })
    const refused = await call('POST', `/keys/${strong.body.id}/rotate`, {
      body: { overlapHours: 0 },
      token: weak,
    })
    expect(refused.status).toBe(403)
    const list = await call<ApiKeyList>('GET', '/keys')
    expect(list.body.keys.some(({ replaces }) => replaces !== undefined)).toBe(false)
    expect(list.body.keys[0]?.expiresAt).toBeUndefined()
  })

  test.each([-1, 721, 1.5, '2'])(
    'rotating a key with an overlap of %s hours is rejected',
    async (overlapHours) => {
      const { call } = await newProject()
      const refused = await call<ProblemBody>('POST', '/keys/1/rotate', { body: { overlapHours } })
      expect([refused.status, refused.body.param]).toEqual([400, 'overlapHours'])
    },
  )

  test('`key rotate` rotates a key like the API', async () => {
    const { project, call } = await newProject()
    const old = await call<CreatedApiKey>('POST', '/keys', { body: NEW_KEY })
    const run = (...words: string[]) =>
      octavo(service, ['key', 'rotate', project.publicId, ...words])
    const lines = await run(old.body.id, '--overlap', '1')
    expect(lines[0]).toBe(
      `Key ${old.body.id} stops working in 1 hour, if it does not expire earlier.`,
    )
    const { status } = await service.get({ publicId: project.publicId, token: lines.at(-1) ?? '' })
    expect(status).toBe(200)
    await expect(run('12')).rejects.toThrow('does not exist in this project')
    await expect(run(old.body.id, '--overlap', '721')).rejects.toThrow('from 0 to 720')
  })
})

describe('revoking API keys', () => {
  test('a revoked key stops working, stays in the list, and is in the audit log', async () => {
    const { project, call } = await newProject()
    const made = await call<CreatedApiKey>('POST', '/keys', { body: NEW_KEY })
    expect((await call('DELETE', `/keys/${made.body.id}`)).status).toBe(204)
    const { status } = await service.get({ publicId: project.publicId, token: made.body.token })
    expect(status).toBe(401)
    const list = await call<ApiKeyList>('GET', '/keys')
    expect(list.body.keys[0]?.revokedAt).toBeDefined()
    expect((await events(project.id)).map(({ action }) => action)).toEqual([
      'key.create',
      'key.revoke',
    ])
  })

  test.each(['0', '9223372036854775808', 'x'])(
    'revoking the unknown key %s returns 404',
    async (id) => {
      const { call } = await newProject()
      expect((await call('DELETE', `/keys/${id}`)).status).toBe(404)
    },
  )
})
