/**
 * Tests that a person whose only role is in one project can see and change only the people of that
 * project, and nothing else in the organization.
 */

import type { CreatedInvitation, InvitationList, Member, MemberList } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { DASHBOARD_ORIGIN, openPage } from '../../../testing/dashboard-visit.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'

const service = await startTestService({ url: DASHBOARD_ORIGIN })
afterAll(() => service.stop())

let project: TestProject
let owner: TestPerson
let admin: TestPerson
/** Has a role in the project only. */
let contractor: TestPerson
let colleague: TestPerson
/** Has roles in the project and in the organization. */
let both: TestPerson
beforeAll(async () => {
  project = await service.createProject()
  owner = await createPerson(service, project, 'owner')
  admin = await createPerson(service, project, 'admin')
  contractor = await createPerson(service, project, 'admin', 'project')
  colleague = await createPerson(service, project, 'editor', 'project')
  both = await createPerson(service, project, 'analyst')
  const body = { role: 'viewer', project: project.publicId }
  expect((await as(owner, 'PUT', `/members/${both.public_id}`, body)).status).toBe(204)
})

const as = <Reply>(person: TestPerson, method: string, path: string, body?: object) =>
  callerOf(service.url, project)<Reply>(method, path, {
    token: person.token,
    ...(body !== undefined && { body }),
  })
const invite = async (person: TestPerson, body: object) => {
  const sent = await as<CreatedInvitation>(person, 'POST', '/invitations', body)
  expect(sent.status).toBe(201)
  return sent.body.id
}
const invited = async (person: TestPerson) => {
  const { body } = await as<InvitationList>(person, 'GET', '/invitations')
  return body.invitations.map(({ id }) => id)
}
const listed = async (person: TestPerson) => {
  const { body } = await as<MemberList>(person, 'GET', '/members')
  return body.members.map(({ email }) => email).toSorted()
}

describe('members', () => {
  test('a person with only a project role sees the members of the project with their project roles', async () => {
    const inProject = [contractor, colleague, both].map(({ email }) => email).toSorted()
    expect(await listed(contractor)).toEqual(inProject)
    const { body } = await as<Member>(contractor, 'GET', `/members/${both.public_id}`)
    expect(body).toMatchObject({
      role: null,
      projects: [{ id: project.publicId, role: 'viewer' }],
    })
    for (const person of [owner, admin]) {
      expect((await as(contractor, 'GET', `/members/${person.public_id}`)).status).toBe(404)
      expect((await as(contractor, 'DELETE', `/members/${person.public_id}`)).status).toBe(404)
    }
  })

  test('a person with an organization role sees all members with all roles', async () => {
    expect(await listed(admin)).toHaveLength(5)
    const { body } = await as<Member>(admin, 'GET', `/members/${both.public_id}`)
    expect(body).toMatchObject({ role: 'analyst', projects: [{ role: 'viewer' }] })
  })

  test('a person with only a project role can change and remove only roles in the project', async () => {
    const path = `/members/${both.public_id}`
    const change = { role: 'editor', project: project.publicId }
    expect((await as(contractor, 'PUT', path, { role: 'viewer' })).status).toBe(403)
    expect((await as(contractor, 'PUT', path, change)).status).toBe(204)
    expect((await as(contractor, 'DELETE', path)).status).toBe(204)
    expect((await as(contractor, 'GET', path)).status).toBe(404)
    expect((await as<Member>(owner, 'GET', path)).body).toMatchObject({
      role: 'analyst',
      projects: [],
    })
  })

  test("changes by a person with only a project role are in the project's audit log", async () => {
    const rows = await service.owner.query(
      `select action from audit_event where project_id = $1 and actor = $2 and action like 'member.%' order by at`,
      [project.tenant.projectId, `user ${contractor.public_id}`],
    )
    expect(rows).toEqual([{ action: 'member.role' }, { action: 'member.remove' }])
  })
})

describe('invitations', () => {
  test('a person with only a project role sees and can withdraw only invitations to the project', async () => {
    const whole = await invite(owner, { email: 'cofounder@example.com', role: 'owner' })
    const other = await createSiblingProject()
    const beside = await other.invite({ email: 'beside@example.com', role: 'viewer' })
    const here = await invite(contractor, {
      email: 'here@example.com',
      role: 'viewer',
      project: project.publicId,
    })
    expect(await invited(contractor)).toEqual([here])
    expect((await invited(owner)).toSorted()).toEqual([whole, beside, here].toSorted())
    for (const id of [whole, beside])
      expect((await as(contractor, 'DELETE', `/invitations/${id}`)).status).toBe(404)
    expect((await as(contractor, 'DELETE', `/invitations/${here}`)).status).toBe(204)
    expect((await invited(owner)).toSorted()).toEqual([whole, beside].toSorted())
  })

  test('only an owner can withdraw an invitation as owner', async () => {
    const id = await invite(owner, { email: 'second@example.com', role: 'owner' })
    expect((await as(admin, 'DELETE', `/invitations/${id}`)).status).toBe(403)
    expect(await invited(owner)).toContain(id)
    expect((await as(owner, 'DELETE', `/invitations/${id}`)).status).toBe(204)
  })

  test('an organization viewer who is a project admin can withdraw only invitations to that project', async () => {
    const person = await createPerson(service, project, 'viewer')
    const role = { role: 'admin', project: project.publicId }
    expect((await as(owner, 'PUT', `/members/${person.public_id}`, role)).status).toBe(204)
    const whole = await invite(owner, { email: 'third@example.com', role: 'viewer' })
    const here = await invite(owner, {
      email: 'third@example.com',
      role: 'viewer',
      project: project.publicId,
    })
    expect((await as(person, 'DELETE', `/invitations/${whole}`)).status).toBe(403)
    expect((await as(person, 'DELETE', `/invitations/${here}`)).status).toBe(204)
  })
})

test('the dashboard hides people of the organization from a person with only a project role', async () => {
  const path = `/projects/${project.publicId}/members`
  const { text } = await openPage(service, contractor, path)
  expect(text).toContain(colleague.email)
  for (const hidden of [owner.email, admin.email, 'In the organization', 'All of Test'])
    expect(text).not.toContain(hidden)
  expect((await openPage(service, admin, path)).text).toContain('All of Test')
  const role = await openPage(service, contractor, `${path}/${colleague.public_id}/role`)
  expect(role.text).not.toContain('name="organization"')
})

/** Creates another project in the same organization. */
async function createSiblingProject() {
  const { organizationId } = project.tenant
  const [row] = await service.owner.query<{ id: string }>(
    'select public_id as id from organization where id = $1',
    [organizationId],
  )
  const headers = {
    authorization: `Bearer ${owner.token}`,
    'content-type': 'application/json',
  }
  const reply = await fetch(`${service.url}/v1/organizations/${row?.id}/projects`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Beside' }),
  })
  const { id } = (await reply.json()) as { id: string }
  return {
    invite: async (body: object) => {
      const sent = await fetch(`${service.url}/v1/projects/${id}/invitations`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...body, project: id }),
      })
      return ((await sent.json()) as CreatedInvitation).id
    },
  }
}
