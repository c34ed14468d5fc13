import type { AuditEntry, AuditList, CreatedApiKey } from '@octavo/contract'
import { KEY_SCOPES, ROLES, SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ url: 'http://localhost:8080' })
})
afterAll(() => service.stop())

const CSV = { accept: 'text/csv' }
const HEADER =
  'id,at,actor,actorName,action,object,objectName,project,before,after,network,requestId'

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
  test('an audit entry contains the actor, key name, action, network and request id', async () => {
    const { call } = await newProject()
    const newKey = { name: 'Nightly', scopes: KEY_SCOPES, expiresAt: null }
    const made = await call<CreatedApiKey>('POST', '/keys', { body: newKey })
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

  test('audit entries show only names of current members and can be searched by them', async () => {
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
    // Attributes the event to a member of another organization directly, because no request can.
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

  test('every audit event that a route writes contains the request id', async () => {
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

  test('the pages of the audit log are newest first, even if timestamps are equal', async () => {
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

  test('an event beyond the first 10,000 scanned events is found on the next page', async () => {
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

  test('the CSV export has a header and every event that matches the filter', async () => {
    const { project, call } = await newProject()
    await fill(project.id, 2_500)
    const reply = await call('GET', '/audit?action=deployment.', { headers: CSV })
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const [header, ...rows] = reply.text.split('\r\n')
    expect(header).toBe(HEADER)
    expect(rows.pop()).toBe('')
    expect(rows).toHaveLength(2_500)
    expect(rows[0]).toMatch(
      /^\d+,2026-01-02T17:40:00.000Z,key 5,,deployment.create,thing 2500,{6}$/,
    )
    const none = await call('GET', '/audit?action=domain.', { headers: CSV })
    expect(none.text).toBe(`${HEADER}\r\n`)
  })

  test('an audit event is one CSV row with values as JSON and no cell that starts a formula', async () => {
    const { project, call } = await newProject()
    const texts = ['=', '+', '-', '@', '\t', '\r', '\uff1d'].map((start) => `${start}1,"x"\n2`)
    for (const text of texts)
      await service.owner.query(
        `insert into audit_event (organization_id, project_id, actor, action, object, before, after)
         select organization_id, id, 'operator', 'test.formula', $2, $3, $4 from project where id = $1`,
        [project.id, text, JSON.stringify(text), JSON.stringify({ name: text })],
      )
    const { text } = await call('GET', '/audit?action=test.', { headers: CSV })
    // Parses the CSV according to RFC 4180, independently of our code.
    const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
    )
    const columns = HEADER.split(',')
    expect(cells).toHaveLength(columns.length * (texts.length + 1))
    const column = (name: string) =>
      cells.filter((_, index) => columns[index % columns.length] === name).slice(1)
    expect(column('object').toReversed()).toEqual(texts.map((one) => `'${one}`))
    expect(column('before').toReversed()).toEqual(texts.map((one) => `'${one}`))
    expect(column('after').toReversed()).toEqual(texts.map((name) => JSON.stringify({ name })))
  })

  test('owners and admins get the audit log as CSV; other roles and keys without the scope do not', async () => {
    const project = await service.createProject(['analytics:read'])
    const call = callerOf(service.url, project)
    const get = async (token: string) => {
      const reply = await call('GET', '/audit', { headers: CSV, token })
      return [reply.status, reply.headers.get('content-type')]
    }
    const results = []
    for (const role of ROLES)
      results.push([role, ...(await get((await createPerson(service, project, role)).token))])
    const allowed = [200, 'text/csv; charset=utf-8']
    const refused = [403, 'application/problem+json']
    expect(results).toEqual([
      ['owner', ...allowed],
      ['admin', ...allowed],
      ['editor', ...refused],
      ['analyst', ...refused],
      ['viewer', ...refused],
    ])
    expect(await get(project.token)).toEqual(refused)
  })

  test("the CSV of an organization's audit log contains the project of each entry", async () => {
    const project = await service.createProject(SCOPES)
    const { token } = await createPerson(service, project, 'owner')
    const viewer = await createPerson(service, project, 'viewer')
    const [organization] = await service.owner.query<{ id: string; name: string }>(
      `select o.public_id as id, p.name from organization o join project p on p.organization_id = o.id
        where p.id = $1`,
      [project.id],
    )
    await fill(project.id, 1, 'member.role')
    const get = (bearer: string) =>
      fetch(`${service.url}/v1/organizations/${organization?.id}/audit?action=member.`, {
        headers: { ...CSV, authorization: `Bearer ${bearer}` },
      })
    const text = await (await get(token)).text()
    const shown = JSON.stringify({ id: project.publicId, name: organization?.name })
    expect(text).toContain(`,member.role,thing 1,,"${shown.replaceAll('"', '""')}",`)
    expect((await get(viewer.token)).status).toBe(403)
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
