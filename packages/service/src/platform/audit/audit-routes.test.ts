import type { AuditEntry, AuditList, CreatedApiKey } from '@octavo/contract'
import { KEY_SCOPES, SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ url: 'http://localhost:8080' })
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, call: callerOf(service.url, project) }
}

/** Inserts events one minute apart, the newest last. */
async function fill(projectId: string, count: number, action = 'deployment.create') {
  await service.owner.query(
    `insert into audit_event (organization_id, project_id, at, actor, action, object)
     select p.organization_id, p.id, timestamptz '2026-01-01' + n * interval '1 minute', 'key 5', $2, 'thing ' || n
       from project p, generate_series(1, $3::integer) as n where p.id = $1`,
    [projectId, action, count],
  )
}

describe('the audit log', () => {
  test('an audit entry has actor, key name, action, network and request id', async () => {
    const { call } = await newProject()
    const wish = { name: 'Nightly', scopes: KEY_SCOPES, expiresAt: null }
    const made = await call<CreatedApiKey>('POST', '/keys', { body: wish })
    const { token, id } = made.body
    const changed = await call('PUT', '/settings', { body: { retentionDays: 30 }, token })
    const { body } = await call<AuditList>('GET', '/audit?limit=1')
    expect(body.entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        actor: `key ${id}`,
        actorName: 'Nightly',
        action: 'project.settings',
        object: expect.stringMatching(/^prj_/),
        before: expect.objectContaining({ retentionDays: 730 }),
        after: expect.objectContaining({ retentionDays: 30 }),
        network: '127.0.0.0/24',
        requestId: changed.headers.get('x-request-id'),
      },
    ])
    expect(body.nextCursor).not.toBeNull()
  })

  test('audit entries show and filter by the names of current members only', async () => {
    const { project, call } = await newProject()
    const person = await createPerson(service, project, 'admin')
    const other = await createPerson(service, await service.createProject(), 'owner')
    const change = (token: string) =>
      call('PUT', '/settings', { body: { retentionDays: 30 }, token })
    const changed = await change(person.token)
    expect((await change(other.token)).status).toBe(404)
    const list = async (search: string) => {
      const { body } = await call<AuditList>('GET', `/audit?${search}`)
      return body.entries
    }
    const actor = `user ${person.public_id}`
    const entry = {
      actor,
      actorName: person.name,
      action: 'project.settings',
      requestId: changed.headers.get('x-request-id'),
    }
    expect(await list(`actor=${encodeURIComponent(actor)}`)).toMatchObject([entry])
    expect(await list('actor=user')).toMatchObject([entry])
    expect(await list(`q=${encodeURIComponent(person.name.toUpperCase())}`)).toMatchObject([entry])
    expect(await list(`actor=user+${other.public_id}`)).toEqual([])
    expect(await list('actor=user+usr_')).toEqual([])
    // Attributes the event to a member of another organization, which no request can do.
    await service.owner.query('update audit_event set actor = $1 where actor = $2', [
      `user ${other.public_id}`,
      actor,
    ])
    expect((await list('actor=user'))[0]).not.toHaveProperty('actorName')
    await service.owner.query('update audit_event set actor = $1 where actor = $2', [
      actor,
      `user ${other.public_id}`,
    ])
    await service.owner.query('delete from membership where user_id = $1', [person.id])
    expect((await list('actor=user'))[0]).not.toHaveProperty('actorName')
  })

  test('every event that a route writes has the id of its request', async () => {
    const { project, call } = await newProject()
    const { token } = await createPerson(service, project, 'owner')
    const key = { name: 'x', scopes: ['analytics:read'], expiresAt: null }
    const made = await call<CreatedApiKey>('POST', '/keys', { body: key, token })
    const replies = [
      made,
      await call('POST', `/keys/${made.body.id}/rotate`, { body: { overlapHours: 1 }, token }),
      await call('DELETE', `/keys/${made.body.id}`, { token }),
      await call('PUT', '/settings', { body: { retentionDays: 30 }, token }),
      await call('PUT', '/assistant', { body: { mask: true }, token }),
      await call('POST', '/invitations', {
        body: { email: 'a@example.com', role: 'viewer' },
        token,
      }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 204, 200, 200, 201])
    const rows = await service.owner.query<{ request_id: string | null }>(
      `select request_id from audit_event
        where organization_id = $1 and actor like 'user %' and action <> 'sign-in.success'`,
      [project.tenant.organizationId],
    )
    expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual(
      replies.map(({ headers }) => headers.get('x-request-id')).toSorted(),
    )
  })

  test('the audit log is paged newest first, even with equal timestamps', async () => {
    const { project, call } = await newProject()
    await fill(project.id, 5)
    await fill(project.id, 5)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const search: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await call<AuditList>('GET', `/audit?actor=key&limit=3${search}`)
      seen.push(...body.entries.map(({ object }) => object))
      cursor = body.nextCursor
    }
    const numbers = [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]
    expect(seen).toEqual(numbers.map((number) => `thing ${number}`))
  })

  test('audit entries can be filtered by time, actor, action and text', async () => {
    const { project, call } = await newProject()
    await fill(project.id, 5)
    const count = async (search: string) => {
      const { body } = await call<AuditList>('GET', `/audit?${search}`)
      return body.entries.length
    }
    expect(await count('from=2026-01-01T00:02:00Z&to=2026-01-01T00:04:00Z')).toBe(2)
    expect(await count('actor=operator')).toBe(2)
    expect(await count('actor=key')).toBe(5)
    expect(await count('actor=ke')).toBe(0)
    expect(await count('action=deployment.')).toBe(5)
    expect(await count('action=key.')).toBe(1)
    expect(await count('q=THING+3')).toBe(1)
    expect(await count('q=%25')).toBe(0)
  })

  test('a rare event is found over several pages of scanned events', async () => {
    const { project, call } = await newProject()
    await fill(project.id, 10_050)
    await service.owner.query(
      `update audit_event set at = '2025-01-01' where project_id = $1 and action = 'key.create'`,
      [project.id],
    )
    const first = await call<AuditList>('GET', '/audit?action=key.')
    expect(first.body.entries).toEqual([])
    const second = await call<AuditList>(
      'GET',
      `/audit?action=key.&cursor=${first.body.nextCursor}`,
    )
    expect(second.body.entries).toHaveLength(1)
    expect(second.body.nextCursor).toBeNull()
    const lines = await call('GET', '/audit?action=key.', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(lines.text.trimEnd().split('\n')).toHaveLength(1)
  })

  test('the NDJSON export contains every event that matches the filter', async () => {
    const { project, call } = await newProject()
    await fill(project.id, 2_500)
    const reply = await call('GET', '/audit?action=deployment.', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(reply.headers.get('content-disposition')).toContain('audit.ndjson')
    const entries = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry)
    expect(entries).toHaveLength(2_500)
    expect(entries[0]?.object).toBe('thing 2500')
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2_500)
  })

  test.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['cursor=5', 'cursor'],
    ['limit=101', 'limit'],
    ['q=', 'q'],
    ['q=%00', 'q'],
    ['who=me', 'who'],
  ])('an audit query with %s is rejected', async (search, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('GET', `/audit?${search}`)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})
