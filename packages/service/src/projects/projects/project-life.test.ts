/** Tests who can archive, restore, transfer and delete projects, and the effects. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKeyList, AuditList, Me, ProjectContents } from '@octavo/contract'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import {
  ageSession,
  DASHBOARD_ORIGIN,
  openPage,
  sendForm,
} from '../../../testing/dashboard-visit.ts'
import { connectionOf, connectProject, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { ensureMember } from '../../people/users/operator-store.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { insertConnection } from '../../publishing/connections/store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { ProjectLifecycleStore } from './lifecycle-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-life-'))
const service = await startTestService({
  url: DASHBOARD_ORIGIN,
  blobStore: await openFolderStore(folder),
  secretKeys: SECRET_KEYS,
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const SITE = siteOf({ 'index.html': 'Welcome' })
const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }

async function createOwned() {
  const project = await service.createProject(KEY_SCOPES)
  const owner = await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ slug: string; organization: string }>(
    `select p.slug, o.public_id as organization from project p
       join organization o on o.id = p.organization_id where p.id = $1`,
    [project.id],
  )
  const call = callerOf(service.url, project)
  const asPerson = <Reply>(person: TestPerson, method: string, path: string, body?: object) =>
    call<Reply>(method, path, { token: person.token, ...(body !== undefined && { body }) })
  const path = (rest: string) => `/projects/${project.publicId}/${rest}`
  const post = (person: TestPerson, rest: string, form: Readonly<Record<string, string>> = {}) =>
    sendForm(service, person, { path: path(rest), form })
  const names = { slug: row?.slug ?? '', organization: row?.organization ?? '' }
  return { project, owner, call, asPerson, path, post, ...names }
}

/** Returns all rows of a project and its organization. */
const rowsOf = async ({ id, tenant }: TestProject) => [
  await service.owner.query('select * from project where id = $1', [id]),
  await service.owner.query('select * from organization where id = $1', [tenant.organizationId]),
  await service.owner.query('select * from storage_usage where organization_id = $1', [
    tenant.organizationId,
  ]),
  await service.owner.query('select * from membership where organization_id = $1 order by id', [
    tenant.organizationId,
  ]),
  await service.owner.query('select * from api_key where project_id = $1 order by id', [id]),
]

const eventsOf = async ({ tenant }: TestProject, action: string) =>
  service.owner.query<{ actor: string; project_id: string | null; object: string }>(
    `select actor, project_id, object from audit_event where organization_id = $1 and action = $2
      order by at`,
    [tenant.organizationId, action],
  )

let neighbor: TestProject
let untouched: unknown
beforeAll(async () => {
  neighbor = await service.createProject(KEY_SCOPES)
  await createPerson(service, neighbor, 'owner')
  await clientOf(service.url, neighbor).deploy(SITE)
  await service.service.flush()
  untouched = await rowsOf(neighbor)
})

describe('archived projects', () => {
  test('an archived project can be read and exported but not changed, until it is restored', async () => {
    const { project, owner, call, asPerson } = await createOwned()
    await service.publish(project, { ...TURN, questionId: 't' })
    const client = clientOf(service.url, project)
    expect((await client.deploy(SITE)).body).toMatchObject({ state: 'live' })
    expect((await asPerson(owner, 'POST', '/archive')).status).toBe(204)
    // Archiving again has no effect.
    expect((await asPerson(owner, 'POST', '/archive')).status).toBe(204)
    await expect
      .poll(async () => (await call<ProblemBody>('POST', '/deployments', { body: {} })).body.code)
      .toBe('archived')

    for (const [method, path, body] of [
      ['POST', '/deployments', { root: SITE.root }],
      ['PUT', '/settings', { name: 'Other' }],
      ['POST', '/keys', { name: 'k', scopes: ['keys:write'], expiresAt: null }],
      ['POST', '/assistant/test', { question: 'Why?' }],
      ['PUT', '/assistant', { mask: true }],
    ] as const)
      for (const token of [project.token, owner.token]) {
        const refused = await call<ProblemBody>(method, path, { body, token })
        expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'archived'])
        expect(refused.body.detail).toMatch(/An admin can restore it/)
      }
    const imported = await fetch(`${service.url}/v1/analytics/${project.publicId}/assistant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ conversations: [{ ...TURN, questionId: 'x' }] }),
    })
    expect(await imported.json()).toMatchObject({ code: 'archived', status: 409 })

    expect((await service.get(project)).status).toBe(200)
    for (const path of ['', '/overview', '/settings', '/deployments', '/keys', '/audit'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    await service.createKey(project)
    const { body } = await call<ApiKeyList>('GET', '/keys')
    // A leaked key can still be revoked.
    expect((await call('DELETE', `/keys/${body.keys[0]?.id}`)).status).toBe(204)

    expect((await asPerson(owner, 'POST', '/restore')).status).toBe(204)
    await expect.poll(async () => (await client.create(SITE)).status).toBe(201)
    expect(await eventsOf(project, 'project.archive')).toHaveLength(1)
    expect(await eventsOf(project, 'project.restore')).toMatchObject([
      { actor: `user ${owner.public_id}`, object: project.publicId },
    ])
  })

  test('admins can archive a project; editors, keys and other users cannot', async () => {
    const { project, call, asPerson } = await createOwned()
    const admin = await createPerson(service, project, 'admin')
    const editor = await createPerson(service, project, 'editor')
    const outsider = await createPerson(service, neighbor, 'owner')
    expect((await asPerson(editor, 'POST', '/archive')).status).toBe(403)
    expect((await call('POST', '/archive')).status).toBe(403)
    expect((await asPerson(outsider, 'POST', '/archive')).status).toBe(404)
    expect((await asPerson(admin, 'POST', '/archive')).status).toBe(204)
    expect((await asPerson(outsider, 'POST', '/restore')).status).toBe(404)
    expect((await asPerson(editor, 'POST', '/restore')).status).toBe(403)
    await service.owner.query('delete from membership where user_id = $1', [outsider.id])
  })

  test('archiving cancels waiting builds and pauses checks until the project is restored', async () => {
    const { project, owner, asPerson } = await createOwned()
    const bound = service.service.database.forProject(project.tenant)
    await bound.transaction((query) =>
      insertConnection(query, connectionOf(`hook-of-archived-${project.id}`)),
    )
    const build = await service.service.acceptBuild(project.tenant, {
      target: 'production',
      ref: 'main',
      commit: 'a'.repeat(40),
      pullRequest: undefined,
      isFork: false,
      trigger: 'api',
    })
    await asPerson(owner, 'POST', '/archive')
    expect(
      await service.owner.query('select state, reason from build where id = $1', [build]),
    ).toEqual([{ state: 'cancelled', reason: 'The project was archived.' }])
    const due = async () =>
      (
        await service.owner.query<{ id: string }>(
          'select project_id as id from take_due_checks(100)',
        )
      )
        .map(({ id }) => id)
        .includes(project.id)
    await service.owner.query('update connection set next_check_at = now() where project_id = $1', [
      project.id,
    ])
    expect(await due()).toBe(false)
    await service.owner.query(
      `update connection set next_check_at = now() + interval '1 hour' where project_id = $1`,
      [project.id],
    )
    await asPerson(owner, 'POST', '/restore')
    expect(await due()).toBe(true)
  })

  test('webhooks of a Git host for an archived project are rejected with the reason', async () => {
    const options = ['--url', 'https://git.example.com/o/n', '--provider', 'github']
    const project = await connectProject(service, options)
    const body = JSON.stringify({ ref: 'refs/heads/main', after: '2'.repeat(40) })
    const push = async (delivery: string) => {
      const signature = createHmac('sha256', project.secret).update(body).digest('hex')
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': delivery,
        'x-hub-signature-256': `sha256=${signature}`,
      }
      const reply = await fetch(project.hookUrl, { method: 'POST', headers, body })
      return [reply.status, ((await reply.json()) as ProblemBody).code]
    }
    expect((await push('1'))[0]).toBe(202)
    const life = new ProjectLifecycleStore(service.owner.forProject(project.tenant))
    await life.archive(OPERATOR)
    expect(await push('2')).toEqual([409, 'archived'])
    await life.restore(OPERATOR)
    expect((await push('3'))[0]).toBe(202)
    await life.removeAsOperator()
    expect(await push('4')).toEqual([404, 'not-found'])
  })

  test('an archived project is marked in the dashboard and can be restored there', async () => {
    const { owner, path, post } = await createOwned()
    expect((await openPage(service, owner, path('archive'))).text).toContain('(410)')
    expect((await post(owner, 'archive')).location).toBe(path('settings'))
    expect((await openPage(service, owner, '/')).text).toContain('Archived')
    const settings = await openPage(service, owner, path('settings'))
    expect(settings.text).toContain('This project is archived.')
    const refused = await post(owner, 'settings', { name: 'Other', retentionDays: '30' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('An admin can restore it')
    expect((await post(owner, 'restore')).location).toBe(path('settings'))
    expect((await openPage(service, owner, path('settings'))).text).not.toContain('is archived.')
  })
})

describe('deleting projects', () => {
  test('deleting a project shows what is lost, needs the slug, and takes effect at once', async () => {
    const { project, owner, call, asPerson, path, post, slug, organization } = await createOwned()
    const agency = await createPerson(service, project, 'editor', 'project')
    await service.publish(project, { ...TURN, questionId: 't' })
    await clientOf(service.url, project).deploy(SITE)
    const { body: contents } = await asPerson<ProjectContents>(owner, 'GET', '/contents')
    expect(contents).toMatchObject({ deployments: 1, conversations: 1, keys: 1, previews: 0 })
    expect(contents.bytes).toBeGreaterThan(0)
    const page = await openPage(service, owner, path('delete'))
    expect(page.text).toContain(`Type ${slug} to confirm`)
    expect(page.text).toMatch(/Conversations<\/dt><dd>1</)

    const wrong = await post(owner, 'delete', { slug: `${slug}x` })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('Expected the slug of this project')
    expect((await call('GET', '')).status).toBe(200)

    const done = await post(owner, 'delete', { slug })
    expect([done.status, done.location]).toEqual([303, '/?deleted'])
    await expect.poll(async () => (await call('GET', '')).status).toBe(401)
    expect((await asPerson(owner, 'GET', '')).status).toBe(404)
    expect((await asPerson(agency, 'GET', '')).status).toBe(404)
    expect((await openPage(service, owner, path('settings'))).status).toBe(404)
    const me = await fetch(`${service.url}/v1/me`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(((await me.json()) as Me).organizations[0]?.projects).toEqual([])
    // The deletion is in the organization's audit log, which remains.
    const log = await fetch(`${service.url}/v1/organizations/${organization}/audit`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(((await log.json()) as AuditList).entries[0]).toMatchObject({
      action: 'project.delete',
      object: project.publicId,
      actor: `user ${owner.public_id}`,
      before: { slug },
    })
    expect(await eventsOf(project, 'project.delete')).toMatchObject([{ project_id: null }])
  })

  test('deleting a project needs a recent sign-in in a browser', async () => {
    const { owner, asPerson, path, post, slug } = await createOwned()
    const late = await asPerson<ProblemBody>(owner, 'POST', '/delete', { slug })
    expect([late.status, late.body.code]).toEqual([403, 'sign-in-again'])
    await ageSession(service, owner)
    const refused = await post(owner, 'delete', { slug })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(
      `href="/sign-in?again&amp;next=${encodeURIComponent(path('delete'))}"`,
    )
    expect((await asPerson(owner, 'GET', '')).status).toBe(200)
  })

  test('only owners can delete a project', async () => {
    const { project, call, asPerson, post, slug } = await createOwned()
    const admin = await createPerson(service, project, 'admin')
    const outsider = await createPerson(service, neighbor, 'owner')
    const before = await rowsOf(neighbor)
    expect((await post(admin, 'delete', { slug })).status).toBe(403)
    expect((await post(outsider, 'delete', { slug })).status).toBe(404)
    expect((await call('POST', '/delete', { body: { slug } })).status).toBe(403)
    expect((await asPerson(admin, 'GET', '/contents')).status).toBe(403)
    expect((await call('GET', '')).status).toBe(200)
    expect(await rowsOf(neighbor)).toEqual(before)
    await service.owner.query('delete from membership where user_id = $1', [outsider.id])
  })
})

describe('transferring projects', () => {
  async function createOther(owner: TestPerson, role: 'owner' | 'admin' = 'owner') {
    const other = await createOwned()
    await ensureMember(
      service.owner,
      { email: owner.email, name: owner.name, role },
      other.project.tenant.organizationId,
    )
    return other
  }
  const storedBy = async ({ tenant }: TestProject) => {
    const [row] = await service.owner.query<{ bytes: string }>(
      'select bytes from storage_usage where organization_id = $1',
      [tenant.organizationId],
    )
    return Number(row?.bytes ?? 0)
  }

  test('a transfer moves keys, site, conversations, audit log and storage, but no roles', async () => {
    const { project, owner, call, asPerson, post, slug, organization } = await createOwned()
    const colleague = await createPerson(service, project, 'admin')
    const agency = await createPerson(service, project, 'editor', 'project')
    const client = clientOf(service.url, project)
    await client.deploy(SITE)
    await service.publish(project, { ...TURN, questionId: 't' })
    const stored = await storedBy(project)
    expect(stored).toBeGreaterThan(0)
    const other = await createOther(owner)
    const to = other.organization

    const wrong = await post(owner, 'transfer', { slug: 'wrong', organization: to })
    expect(wrong.status).toBe(400)
    const done = await post(owner, 'transfer', { slug, organization: to })
    expect(done.status).toBe(303)

    expect((await asPerson(owner, 'GET', '')).status).toBe(200)
    expect((await asPerson(other.owner, 'GET', '')).status).toBe(200)
    expect((await asPerson(colleague, 'GET', '')).status).toBe(404)
    expect((await asPerson(agency, 'GET', '')).status).toBe(404)
    expect([await storedBy(project), await storedBy(other.project)]).toEqual([0, stored])
    await expect
      .poll(async () => (await call<AuditList>('GET', '/audit')).body.entries?.[0]?.action)
      .toBe('project.transfer')
    const { body: log } = await call<AuditList>('GET', '/audit?action=project.create')
    expect(log.entries).toHaveLength(1)
    const exported = (await (await service.get(project)).json()) as { conversations: object[] }
    expect(exported.conversations).toHaveLength(1)
    // New files count for the new organization.
    const more = siteOf({ 'index.html': 'Welcome', 'more.html': 'x'.repeat(1_000) })
    expect((await client.deploy(more)).body).toMatchObject({ state: 'live' })
    expect(await storedBy(other.project)).toBeGreaterThan(stored + 1_000)
    expect(await storedBy(project)).toBe(0)
    expect(await eventsOf(project, 'project.transfer')).toMatchObject([
      { actor: `user ${owner.public_id}`, project_id: null, object: project.publicId },
    ])
    expect(organization).not.toBe(to)
  })

  test('an upload with the old tenant after a transfer counts for the new organization', async () => {
    const { project, owner, post, slug } = await createOwned()
    const other = await createOther(owner)
    const stale = service.service.database.forProject(project.tenant)
    expect((await post(owner, 'transfer', { slug, organization: other.organization })).status).toBe(
      303,
    )
    await new DeploymentStore(stale).addBlobs([{ sha256: 'b'.repeat(64), size: 500 }], {
      began: new Date().toISOString(),
    })
    expect([await storedBy(project), await storedBy(other.project)]).toEqual([0, 500])
  })

  test('waiting jobs of a transferred project move to the new organization', async () => {
    const { project, owner, post, slug } = await createOwned()
    await service.service.acceptBuild(project.tenant, {
      target: 'production',
      ref: 'main',
      commit: 'a'.repeat(40),
      pullRequest: undefined,
      isFork: false,
      trigger: 'api',
    })
    const other = await createOther(owner)
    await post(owner, 'transfer', { slug, organization: other.organization })
    const { organizationId } = other.project.tenant
    expect(
      await service.owner.query(
        `select data ->> 'organizationId' as data, group_id as group from jobs.job
          where name = 'build' and singleton_key = $1`,
        [project.id],
      ),
    ).toEqual([{ data: organizationId, group: organizationId }])
  })

  test('a transfer needs an owner and free storage in the other organization, which has to be different', async () => {
    const { project, owner, asPerson, post, slug, organization } = await createOwned()
    await clientOf(service.url, project).deploy(SITE)
    const managed = await createOther(owner, 'admin')
    const foreign = await createOwned()
    const full = await createOther(owner)
    await service.owner.query('update organization set storage_bytes_max = 10 where id = $1', [
      full.project.tenant.organizationId,
    ])
    const before = await rowsOf(project)
    const send = async (to: string) =>
      (await post(owner, 'transfer', { slug, organization: to })).status
    expect(await send(managed.organization)).toBe(403)
    expect(await send(foreign.organization)).toBe(404)
    expect(await send(full.organization)).toBe(507)
    expect(await send(organization)).toBe(409)
    const admin = await createPerson(service, project, 'admin')
    expect((await post(admin, 'transfer', { slug, organization: 'org_x' })).status).toBe(403)
    const body = { slug, organization: full.organization }
    expect((await asPerson<ProblemBody>(owner, 'POST', '/transfer', body)).body.code).toBe(
      'sign-in-again',
    )
    expect((await rowsOf(project)).slice(0, 3)).toEqual(before.slice(0, 3))
  })

  test('the database rejects a transfer to an organization that the person does not own', async () => {
    const { project, owner } = await createOwned()
    const foreign = await createOwned()
    const bound = service.service.database.forProject(project.tenant)
    const [row] = await bound.query('select transfer_project($1, $2) as refusal', [
      owner.id,
      foreign.project.tenant.organizationId,
    ])
    expect(row).toEqual({ refusal: 'not-owner' })
  })
})

test('archiving, deleting and transferring projects does not change other organizations', async () => {
  expect(await rowsOf(neighbor)).toEqual(untouched)
})
