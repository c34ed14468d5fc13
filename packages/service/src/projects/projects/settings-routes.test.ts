import type { AuditList, ProjectSettingsReply } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, call: callerOf(service.url, project) }
}

describe('project settings', () => {
  test('settings include those that only operators can change', async () => {
    const { project, call } = await newProject()
    const plain = await call<ProjectSettingsReply>('GET', '/settings')
    expect(plain.body).toEqual({
      id: project.publicId,
      name: 'Test',
      slug: expect.stringMatching(/^test-/),
      archived: false,
      retentionDays: 730,
      playgroundProxy: false,
      trust: [],
    })
    await service.owner.query('update project set settings = $2 where id = $1', [
      project.id,
      { webhook: 'https://example.com', trust: ['github:o/n'] },
    ])
    const rich = await call<ProjectSettingsReply>('GET', '/settings')
    expect(rich.body).toMatchObject({
      webhook: 'https://example.com',
      webhookFormat: 'standard',
      trust: ['github:o/n'],
    })
  })

  test('only the given settings change, and the change is logged once', async () => {
    const { project, call } = await newProject()
    await service.owner.query('update project set settings = $2 where id = $1', [
      project.id,
      { webhook: 'https://example.com' },
    ])
    const change = { name: ' Plants ', playgroundProxy: true }
    const { status, body } = await call<ProjectSettingsReply>('PUT', '/settings', { body: change })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Plants',
      retentionDays: 730,
      playgroundProxy: true,
      webhook: 'https://example.com',
    })
    // Repeating the change has no effect.
    await call('PUT', '/settings', { body: change })
    const { body: audit } = await call<AuditList>('GET', '/audit?action=project.settings')
    expect(audit.entries).toMatchObject([
      {
        before: { name: 'Test', retentionDays: 730, playgroundProxy: false },
        after: { name: 'Plants', retentionDays: 730, playgroundProxy: true },
      },
    ])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'half \ud800' }, 'name'],
    [{ retentionDays: 0 }, 'retentionDays'],
    [{ retentionDays: 3_661 }, 'retentionDays'],
    [{ retentionDays: 1.5 }, 'retentionDays'],
    [{ playgroundProxy: 'on' }, 'playgroundProxy'],
    [{ slug: '' }, 'slug'],
    [{ slug: 'Upper' }, 'slug'],
    [{ slug: '-a' }, 'slug'],
    [{ slug: 'a'.repeat(51) }, 'slug'],
    [{ slug: 'preview/x' }, 'slug'],
    [{ archived: true }, undefined],
  ])('the settings %j are rejected', async (body, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('PUT', '/settings', { body })
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  test("the service's role cannot change columns that are reserved for operators", async () => {
    const { project } = await newProject()
    const { query } = service.service.database.forProject(project.tenant)
    for (const column of ['organization_id', 'public_id', 'suspended_reason'])
      await expect(query(`update project set ${column} = default`)).rejects.toThrow(
        'permission denied',
      )
  })
})
