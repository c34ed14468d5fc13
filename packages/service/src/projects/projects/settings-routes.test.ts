import type { AuditList, Project, ProjectSettingsReply, WebhookReply } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ secretKeys: [{ id: 'k', bytes: Buffer.alloc(32, 1) }] })
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, call: callerOf(service.url, project) }
}

describe('project settings', () => {
  test('the settings contain the webhook, if one is set, and the trusted repositories', async () => {
    const { project, call } = await newProject()
    const plain = await call<ProjectSettingsReply>('GET', '/settings')
    expect(plain.body).toEqual({
      id: project.publicId,
      name: 'Test',
      slug: expect.stringMatching(/^test-/),
      archived: false,
      retentionDays: 730,
      playgroundProxy: false,
      failOn: null,
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

  test('a change of project settings keeps the other settings and is logged once', async () => {
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

  test('the project can override which findings stop a deployment, and can reset this to docs.json', async () => {
    const { call } = await newProject()
    const strict = await call<ProjectSettingsReply>('PUT', '/settings', {
      body: { failOn: 'warning' },
    })
    expect(strict.body.failOn).toBe('warning')
    expect((await call<Project>('GET', '')).body.failOn).toBe('warning')
    const open = await call<ProjectSettingsReply>('PUT', '/settings', { body: { failOn: null } })
    expect(open.body.failOn).toBeNull()
    expect((await call<Project>('GET', '')).body).not.toHaveProperty('failOn')
  })

  test('owners can choose the repositories whose CI jobs may deploy', async () => {
    const { call } = await newProject()
    const trust = ['github:octo/docs@main', 'gitlab:group/docs']
    const set = await call<ProjectSettingsReply>('PUT', '/settings', { body: { trust } })
    expect(set.body.trust).toEqual(trust)
    const renamed = await call<ProjectSettingsReply>('PUT', '/settings', { body: { name: 'New' } })
    expect(renamed.body.trust).toEqual(trust)
    const cleared = await call<ProjectSettingsReply>('PUT', '/settings', { body: { trust: [] } })
    expect(cleared.body.trust).toEqual([])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ failOn: 'sometimes' }, 'failOn'],
    [{ trust: ['octo/docs'] }, 'trust'],
    [{ trust: ['bitbucket:octo/docs'] }, 'trust'],
    [{ trust: Array.from({ length: 21 }, () => 'github:octo/docs') }, 'trust'],
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
  ])('the project settings %j are rejected', async (body, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('PUT', '/settings', { body })
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  test("the service's database role cannot change columns that are reserved for operators", async () => {
    const { project } = await newProject()
    const { query } = service.service.database.forProject(project.tenant)
    for (const column of ['organization_id', 'public_id', 'suspended_reason'])
      await expect(query(`update project set ${column} = default`)).rejects.toThrow(
        'permission denied',
      )
  })
})

describe('the webhook of a project', () => {
  test('setting and removing a webhook each write one audit entry, without the path of the URL', async () => {
    const { call } = await newProject()
    const url = 'https://hooks.example.com/services/T0/B0/hush'
    const set = await call<WebhookReply>('PUT', '/webhook', { body: { url, format: 'slack' } })
    expect(set).toMatchObject({ status: 200, body: { url, format: 'slack' } })
    expect(set.body.secret).toMatch(/^whsec_/)
    expect((await call<ProjectSettingsReply>('GET', '/settings')).body).toMatchObject({
      webhook: url,
      webhookFormat: 'slack',
    })
    expect((await call('DELETE', '/webhook')).status).toBe(204)
    expect((await call('DELETE', '/webhook')).status).toBe(204)
    expect((await call('GET', '/settings')).body).not.toHaveProperty('webhook')
    const { body } = await call<AuditList>('GET', '/audit')
    const entries = body.entries.filter(({ action }) => action.startsWith('webhook.'))
    expect(entries).toMatchObject([
      { action: 'webhook.remove', after: { webhook: null } },
      {
        action: 'webhook.set',
        before: { webhook: null },
        after: { webhook: 'https://hooks.example.com', format: 'slack' },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('hush')
  })

  test('changing only the format of a webhook keeps its secret, and any other request creates a new one', async () => {
    const { call } = await newProject()
    const url = 'https://hooks.example.com/x'
    const set = async (body: object) => (await call<WebhookReply>('PUT', '/webhook', { body })).body
    const first = await set({ url, format: 'slack' })
    expect(await set({ url, format: 'standard' })).toEqual({ url, format: 'standard' })
    const rotated = await set({ url, format: 'standard' })
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(first.secret)
    expect(await set({ url: `${url}y`, format: 'slack' })).toHaveProperty('secret')
  })

  test.each([
    'http://example.com/x',
    'ftp://example.com',
    'nowhere',
    'https://me:pass@example.com/',
  ])('the webhook URL %s is rejected', async (url) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('PUT', '/webhook', { body: { url } })
    expect([refused.status, refused.body.param]).toEqual([400, 'url'])
  })
})
