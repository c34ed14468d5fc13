/** Tests renaming organizations, and deleting organizations without projects. */

import type { AuditList, Me, OrganizationReply } from '@octavo/contract'
import { afterAll, expect, test } from 'vitest'
import {
  ageSession,
  DASHBOARD_ORIGIN,
  openPage,
  sendForm,
} from '../../../testing/dashboard-visit.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { eraseProjects } from '../../projects/projects/erase-projects.ts'

const service = await startTestService({ url: DASHBOARD_ORIGIN })
afterAll(() => service.stop())
const FORM = { origin: DASHBOARD_ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }

async function createOwned() {
  const project = await service.createProject()
  const owner = await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ public_id: string; slug: string }>(
    `select o.public_id, p.slug from organization o join project p on p.organization_id = o.id
      where p.id = $1`,
    [project.id],
  )
  const path = `/organizations/${row?.public_id}`
  const api = async <Reply>(token: string, method: string, rest = '', body?: object) => {
    const response = await fetch(`${service.url}/v1${path}${rest}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Reply }
  }
  const post = (person: TestPerson, rest: string, form: Readonly<Record<string, string>>) =>
    sendForm(service, person, { path: path + rest, form })
  const remove = (person: TestPerson, name = 'Test') => post(person, '/delete', { name })
  const deleteProject = () =>
    octavo(service, ['project', 'delete', project.publicId, '--yes', row?.slug ?? ''])
  return { project, owner, path, api, post, remove, deleteProject }
}

const meOf = async ({ token }: TestPerson) => {
  const reply = await fetch(`${service.url}/v1/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await reply.json()) as Me
}

test('only an owner can rename the organization, and the audit log records it', async () => {
  const { project, owner, path, api, post } = await createOwned()
  const { body: before } = await api<OrganizationReply>(owner.token, 'GET')
  expect(before).toMatchObject({ name: 'Test', role: 'owner', projects: [{ archived: false }] })
  const renamed = await api<OrganizationReply>(owner.token, 'PUT', '', { name: ' Greenhouse ' })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Greenhouse'])
  expect((await api(owner.token, 'PUT', '', { name: ' ' })).status).toBe(400)
  const { body: log } = await api<AuditList>(owner.token, 'GET', '/audit')
  expect(log.entries[0]).toMatchObject({
    action: 'organization.rename',
    actorName: owner.name,
    before: { name: 'Test' },
    after: { name: 'Greenhouse' },
  })
  const admin = await createPerson(service, project, 'admin')
  const agency = await createPerson(service, project, 'owner', 'project')
  const stranger = (await createOwned()).owner
  expect((await api(admin.token, 'PUT', '', { name: 'Mine' })).status).toBe(403)
  expect((await api(agency.token, 'PUT', '', { name: 'Mine' })).status).toBe(404)
  expect((await api(stranger.token, 'PUT', '', { name: 'Mine' })).status).toBe(404)
  expect((await api(project.token, 'PUT', '', { name: 'Mine' })).status).toBe(403)

  expect((await openPage(service, owner, '/')).text).toContain(`href="${path}"`)
  expect((await post(owner, '', { name: 'Seed lab' })).location).toBe(`${path}?saved`)
  expect((await openPage(service, owner, path)).text).toContain('<h1>Seed lab</h1>')
  expect((await openPage(service, stranger, path)).status).toBe(404)
})

test('an owner who signed in recently can delete an organization without projects by entering its name', async () => {
  const { project, owner, api, remove, deleteProject } = await createOwned()
  const admin = await createPerson(service, project, 'admin')
  const full = await remove(owner)
  expect(full.status).toBe(409)
  expect(full.text).toContain('Delete or transfer them first')
  await deleteProject()
  expect((await remove(admin)).status).toBe(403)
  expect((await remove(owner, 'Other')).status).toBe(400)
  expect((await api(owner.token, 'POST', '/delete', { name: 'Test' })).body).toMatchObject({
    code: 'sign-in-again',
  })
  const late = await createPerson(service, project, 'owner')
  await ageSession(service, late)
  expect((await remove(late)).text).toContain('/sign-in?again&amp;next=')
  expect((await meOf(owner)).organizations).toHaveLength(1)

  expect((await remove(owner)).location).toBe('/')
  expect((await meOf(owner)).organizations).toEqual([])
  expect((await api(owner.token, 'GET')).status).toBe(404)
  expect((await api(owner.token, 'POST', '/projects', { name: 'New' })).status).toBe(404)
})

test('invitations to a deleted organization or project create no account', async () => {
  const { project, owner, remove, deleteProject } = await createOwned()
  const invite = async (email: string, place: object) => {
    const reply = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email, role: 'viewer', ...place }),
    })
    return new URL(((await reply.json()) as { url: string }).url).pathname
  }
  const accept = async (path: string) =>
    (await fetch(service.url + path, { method: 'POST', headers: FORM, redirect: 'manual' })).status
  const ofAll = await invite('of-all@example.com', {})
  const ofProject = await invite('of-project@example.com', { project: project.publicId })
  await deleteProject()
  expect(await accept(ofProject)).toBe(404)
  await remove(owner)
  expect(await accept(ofAll)).toBe(404)
  const made = `select from app_user where email in ('of-all@example.com', 'of-project@example.com')`
  expect(await service.owner.query(made)).toEqual([])
})

test('a deleted organization is erased after 7 days, but not while a project in it can be restored', async () => {
  const { project, owner, remove, deleteProject } = await createOwned()
  const neighbor = await createOwned()
  const { organizationId } = project.tenant
  const log = createLog(() => {}, Date.now)
  const erase = () =>
    eraseProjects({ database: service.service.database, log }, new AbortController().signal)
  const organizationExists = async (id: string) =>
    (await service.owner.query('select id from organization where id = $1', [id])).length === 1
  await deleteProject()
  await remove(owner)
  await erase()
  expect(await organizationExists(organizationId)).toBe(true)
  await octavo(service, ['project', 'restore', project.publicId])
  expect((await meOf(owner)).organizations[0]?.projects).toHaveLength(1)

  await deleteProject()
  await remove(owner)
  await service.owner.query(
    `update organization set deleted_at = now() - interval '8 days' where id = $1`,
    [organizationId],
  )
  await erase()
  // The organization still exists, because its project can still be restored.
  expect(await organizationExists(organizationId)).toBe(true)
  await service.owner.query(
    `update project set deleted_at = now() - interval '8 days' where id = $1`,
    [project.id],
  )
  await erase()
  expect(await organizationExists(organizationId)).toBe(false)
  for (const table of ['membership', 'audit_event', 'storage_usage', 'invitation'])
    expect(
      await service.owner.query(`select from ${table} where organization_id = $1`, [
        organizationId,
      ]),
    ).toEqual([])
  expect(await organizationExists(neighbor.project.tenant.organizationId)).toBe(true)
})
