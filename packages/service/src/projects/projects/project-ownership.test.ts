/**
 * Tests that a project belongs to its organization: a person who owns only the project can neither
 * transfer nor delete it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DASHBOARD_ORIGIN, openPage, sendForm } from '../../../testing/dashboard-visit.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { ensureMember } from '../../people/users/operator-store.ts'

const service = await startTestService({ url: DASHBOARD_ORIGIN })
afterAll(() => service.stop())

let project: TestProject
let slug: string
/** Owns the project, but has no role in its organization. */
let contractor: TestPerson
let owner: TestPerson
/** An organization that the contractor owns. */
let away: { readonly id: string; readonly publicId: string }
beforeAll(async () => {
  project = await service.createProject()
  owner = await createPerson(service, project, 'owner')
  contractor = await createPerson(service, project, 'owner', 'project')
  const other = await service.createProject()
  const { email, name } = contractor
  const id = other.tenant.organizationId
  await ensureMember(service.owner, { email, name, role: 'owner' }, id)
  const [row] = await service.owner.query<{ slug: string; publicId: string }>(
    `select p.slug, o.public_id as "publicId" from project p, organization o
      where p.id = $1 and o.id = $2`,
    [project.id, id],
  )
  slug = row?.slug ?? ''
  away = { id, publicId: row?.publicId ?? '' }
})

const path = (rest: string) => `/projects/${project.publicId}/${rest}`
const post = (person: TestPerson, rest: string, form: Readonly<Record<string, string>>) =>
  sendForm(service, person, { path: path(rest), form })
const readProject = async () => {
  const [row] = await service.owner.query<{ organization: string; deleted_at: Date | null }>(
    'select organization_id::text as organization, deleted_at from project where id = $1',
    [project.id],
  )
  return row
}
const untouched = () => ({ organization: project.tenant.organizationId, deleted_at: null })

test('a person who owns only the project cannot transfer it to their own organization', async () => {
  const sent = await post(contractor, 'transfer', { slug, organization: away.publicId })
  expect(sent.status).toBe(403)
  expect(sent.text).toContain('only in this project')
  expect(await readProject()).toEqual(untouched())
})

test('a person who owns only the project cannot delete it', async () => {
  expect((await post(contractor, 'delete', { slug })).status).toBe(403)
  expect(await readProject()).toEqual(untouched())
})

test('an admin of the organization who owns the project cannot transfer or delete it', async () => {
  const { email, name } = contractor
  const { organizationId } = project.tenant
  await ensureMember(service.owner, { email, name, role: 'admin' }, organizationId)
  expect((await post(contractor, 'transfer', { slug, organization: away.publicId })).status).toBe(
    403,
  )
  expect((await post(contractor, 'delete', { slug })).status).toBe(403)
  await service.owner.query(
    'delete from membership where organization_id = $1 and user_id = $2 and project_id is null',
    [organizationId, contractor.id],
  )
  expect(await readProject()).toEqual(untouched())
})

test('the dashboard offers transfer and deletion only to owners of the organization', async () => {
  const offered = (await openPage(service, owner, path('settings'))).text
  expect(offered).toContain(`href="${path('transfer')}"`)
  expect(offered).toContain(`href="${path('delete')}"`)
  const other = (await openPage(service, contractor, path('settings'))).text
  expect(other).toContain(`href="${path('archive')}"`)
  expect(other).not.toContain(`href="${path('transfer')}"`)
  expect(other).not.toContain(`href="${path('delete')}"`)
  expect(other).toContain('Only owners of Test can transfer and delete its projects')
  for (const page of ['transfer', 'delete'])
    expect((await openPage(service, contractor, path(page))).status).toBe(403)
})

describe('ownership checks in the database', () => {
  const bound = () => service.service.database.forProject(project.tenant)

  test('the database only lets owners of both organizations transfer a project', async () => {
    for (const { id } of [contractor, owner])
      expect(
        await bound().query('select transfer_project($1, $2) as refusal', [id, away.id]),
      ).toEqual([{ refusal: 'not-owner' }])
    expect(await readProject()).toEqual(untouched())
  })

  test('the database only lets owners of the organization delete a project', async () => {
    const [row] = await bound().query('select refusal from delete_project($1)', [contractor.id])
    expect(row).toEqual({ refusal: 'not-owner' })
    expect(await readProject()).toEqual(untouched())
  })

  test('the service cannot delete a project with a plain update', async () => {
    await expect(
      bound().query('update project set deleted_at = now() where id = current_project()'),
    ).rejects.toThrow('permission denied')
    expect(await readProject()).toEqual(untouched())
  })
})

test('an owner of the organization can delete the project', async () => {
  expect((await post(owner, 'delete', { slug })).location).toBe('/?deleted')
  expect((await readProject())?.deleted_at).toBeInstanceOf(Date)
})
