import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../api-keys/caller.ts'
import type { AuditEntry, AuditList, CreatedApiKey } from '../contract.ts'
import { callerOf, type ProblemBody } from '../testing/call-project.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, call: callerOf(service.url, project) }
}

/** Events a minute apart, the last one the newest. */
async function fill(projectId: string, count: number, action = 'deployment.create') {
  await service.owner.query(
    `insert into audit_event (organisation_id, project_id, at, actor, action, object)
     select p.organisation_id, p.id, timestamptz '2026-01-01' + n * interval '1 minute', 'key 5', $2, 'thing ' || n
       from project p, generate_series(1, $3::integer) as n where p.id = $1`,
    [projectId, action, count],
  )
}

describe('the audit log', () => {
  test('says who did what from where, with the name of a key', async () => {
    const { call } = await newProject()
    const wish = { name: 'Nightly', scopes: [...SCOPES.slice(0, 9)], expiresAt: null }
    const made = await call<CreatedApiKey>('POST', '/keys', { body: wish })
    const { token, id } = made.body
    await call('PUT', '/settings', { body: { retentionDays: 30 }, token })
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
      },
    ])
    expect(body.nextCursor).not.toBeNull()
  })

  test('has pages, newest first, also of events of the same instant', async () => {
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

  test('filters by time, who, what and text', async () => {
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

  test('what is rare is looked for in steps, and found in the end', async () => {
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

  test('as NDJSON it is everything that the filter matches', async () => {
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
  ])('%s is refused', async (search, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('GET', `/audit?${search}`)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})
