import type { OrganizationUsage, UsageReply } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { ProjectStore } from './store.ts'
import { periodsAt } from './usage-routes.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    assistant: { model: undefined, tokensPerDay: undefined, tokensPerMonth: 1_000 },
  })
})
afterAll(() => service.stop())

/** Stores usage for today, and half as much for the first day of the previous month. */
async function use({ id }: Pick<TestProject, 'id'>, requests: number): Promise<void> {
  const first = periodsAt(Date.now()).before.from
  for (const [day, times] of [
    [new Date().toISOString().slice(0, 10), 2],
    [first, 1],
  ] as const) {
    await service.owner.query(
      'insert into traffic (project_id, day, requests, bytes) values ($1, $2, $3, $4)',
      [id, day, requests * times, requests * times * 10],
    )
    await service.owner.query(
      'insert into assistant_usage (project_id, day, questions, used_tokens) values ($1, $2, $3, $4)',
      [id, day, times, times * 100],
    )
  }
  // This day is two months ago, so it is in no period.
  await service.owner.query(
    'insert into traffic (project_id, day, requests, bytes) values ($1, $2::date - 1, 7, 7)',
    [id, first],
  )
}

async function organizationUsage(person: TestPerson, { id }: TestProject) {
  const [row] = await service.owner.query<{ public_id: string }>(
    'select o.public_id from organization o join project p on p.organization_id = o.id where p.id = $1',
    [id],
  )
  const response = await fetch(`${service.url}/v1/organizations/${row?.public_id}/usage`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  return { status: response.status, body: (await response.json()) as OrganizationUsage }
}

describe('usage', () => {
  test('the usage of a project contains this month, the previous month and the budget', async () => {
    const project = await service.createProject(SCOPES)
    await use(project, 5)
    const { body } = await callerOf(service.url, project)<UsageReply>('GET', '/usage')
    expect(body).toMatchObject({
      month: periodsAt(Date.now()).month,
      storage: { bytes: 0, bytesMax: null },
      toDate: {
        requests: 10,
        sentBytes: 100,
        questions: 2,
        tokens: 200,
        deployments: 0,
        builds: 0,
      },
      before: { requests: 5, sentBytes: 50, questions: 1, tokens: 100 },
      tokensMax: 1_000,
    })
  })

  test('members of an organization see only the usage of its projects', async () => {
    const project = await service.createProject(SCOPES)
    const foreign = await service.createProject(SCOPES)
    await use(project, 5)
    await use(foreign, 9)
    const viewer = await createPerson(service, project, 'viewer')
    const { status, body } = await organizationUsage(viewer, project)
    expect(status).toBe(200)
    expect(body.projects).toMatchObject([{ id: project.publicId, requests: 10, tokens: 200 }])
    expect((await organizationUsage(viewer, foreign)).status).toBe(404)
  })

  test('the usage of an organization is listed by project, the largest first', async () => {
    const project = await service.createProject(SCOPES)
    const { organizationId } = project.tenant
    const named = { organizationId, name: 'A second project', slug: 'second' }
    const second = await new ProjectStore(service.owner).insert(named)
    await use(project, 5)
    await use(second, 7)
    await service.owner.query(
      `insert into project_blob (project_id, sha256, size) values ($1, sha256('x'), 3)`,
      [project.id],
    )
    const viewer = await createPerson(service, project, 'viewer')
    const { body } = await organizationUsage(viewer, project)
    expect(body.storage).toEqual({ bytes: 3, bytesMax: null })
    expect(body.projects).toMatchObject([
      { id: project.publicId, storedBytes: 3, requests: 10 },
      { id: second.public_id, storedBytes: 0, requests: 14 },
    ])
  })
})

describe('periods', () => {
  test('the usage of the previous month is compared up to the same day', () => {
    expect(periodsAt(Date.parse('2026-11-15T14:20:00Z'))).toEqual({
      month: { from: '2026-11-01', to: '2026-12-01' },
      toDate: { from: '2026-11-01', to: '2026-11-16' },
      before: { from: '2026-10-01', to: '2026-10-16' },
    })
  })

  test('a shorter previous month is compared as a whole, and periods can cross the end of a year', () => {
    expect(periodsAt(Date.parse('2026-03-31T23:59:59Z')).before).toEqual({
      from: '2026-02-01',
      to: '2026-03-01',
    })
    expect(periodsAt(Date.parse('2026-12-31T00:00:00Z')).month.to).toBe('2027-01-01')
    expect(periodsAt(Date.parse('2027-01-01T00:00:00Z'))).toMatchObject({
      toDate: { from: '2027-01-01', to: '2027-01-02' },
      before: { from: '2026-12-01', to: '2026-12-02' },
    })
  })
})
