/** Tests roles, invitations and projects with API requests from signed-in people. */

import type { CreatedInvitation, InvitationList, Me, MemberList } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'

const service = await startTestService({ url: 'http://localhost:8080' })
let project: TestProject
let owner: TestPerson
let admin: TestPerson
let viewer: TestPerson
let agency: TestPerson
beforeAll(async () => {
  project = await service.createProject()
  owner = await createPerson(service, project, 'owner')
  admin = await createPerson(service, project, 'admin')
  viewer = await createPerson(service, project, 'viewer')
  agency = await createPerson(service, project, 'admin', 'project')
})
afterAll(() => service.stop())

async function call(person: TestPerson, method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const FORM = {
  origin: 'http://localhost:8080',
  'content-type': 'application/x-www-form-urlencoded',
}
const members = (path = '') => `/v1/projects/${project.publicId}/members${path}`
const invitations = (path = '') => `/v1/projects/${project.publicId}/invitations${path}`

test('GET /v1/me lists organizations and projects with the effective role', async () => {
  const { body } = (await call(viewer, 'GET', '/v1/me')) as { body: Me }
  expect(body).toMatchObject({ id: viewer.public_id, email: viewer.email })
  expect(body.organizations).toHaveLength(1)
  expect(body.organizations[0]).toMatchObject({ role: 'viewer', projects: [{ role: 'viewer' }] })
  const own = (await call(agency, 'GET', '/v1/me')) as { body: Me }
  expect(own.body.organizations[0]).toMatchObject({ role: null, projects: [{ role: 'admin' }] })
})

describe('roles', () => {
  test('an admin can list and change the roles of a member in the project and in the organization', async () => {
    expect(
      await call(admin, 'PUT', members(`/${viewer.public_id}`), {
        role: 'editor',
        project: project.publicId,
      }),
    ).toMatchObject({ status: 204 })
    expect(
      await call(admin, 'PUT', members(`/${viewer.public_id}`), { role: 'analyst' }),
    ).toMatchObject({ status: 204 })
    const { body } = (await call(admin, 'GET', members())) as { body: MemberList }
    const found = body.members.find(({ id }) => id === viewer.public_id)
    expect(found).toMatchObject({
      role: 'analyst',
      projects: [{ id: project.publicId, role: 'editor' }],
    })
    const { body: me } = (await call(viewer, 'GET', '/v1/me')) as { body: Me }
    expect(me.organizations[0]?.projects[0]?.role).toBe('editor')
  })

  test.each([
    ['an admin cannot make a member an owner', () => [admin, viewer, { role: 'owner' }] as const],
    ['an admin cannot demote an owner', () => [admin, owner, { role: 'viewer' }] as const],
    [
      'a project role cannot change organization roles',
      () => [agency, viewer, { role: 'viewer' }] as const,
    ],
  ])('%s', async (_, act) => {
    const [by, who, body] = act()
    expect(await call(by, 'PUT', members(`/${who.public_id}`), body)).toMatchObject({ status: 403 })
  })

  test('the last owner cannot lose the role', async () => {
    expect(await call(owner, 'PUT', members(`/${owner.public_id}`), { role: null })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('needs an owner') },
    })
    const { body } = (await call(owner, 'GET', '/v1/me')) as { body: Me }
    expect(body.organizations[0]?.role).toBe('owner')
  })

  test.each<[string, (own: string, other: string) => readonly [string, string, object?]]>([
    ['demote each other', (_, other) => ['PUT', other, { role: 'viewer' }]],
    ['remove each other', (_, other) => ['DELETE', other]],
    ['leave', (own) => ['DELETE', own]],
  ])('one of two owners remains when both %s at the same time', async (_, act) => {
    for (let tried = 0; tried < 5; tried += 1) {
      const shared = await service.createProject()
      const one = await createPerson(service, shared, 'owner')
      const two = await createPerson(service, shared, 'owner')
      const send = (by: TestPerson, about: TestPerson) => {
        const [method, id, body] = act(by.public_id, about.public_id)
        return call(by, method, `/v1/projects/${shared.publicId}/members/${id}`, body)
      }
      await Promise.all([send(one, two), send(two, one)])
      const owners = await service.owner.query(
        `select from membership where organization_id = $1 and project_id is null and role = 'owner'`,
        [shared.tenant.organizationId],
      )
      expect(owners).toHaveLength(1)
    }
  })

  test('a role change is in the audit log with its actor', async () => {
    const rows = await service.owner.query(
      `select actor, object, before, after from audit_event where action = 'member.role' and actor = $1 order by at desc limit 1`,
      [`user ${admin.public_id}`],
    )
    expect(rows).toEqual([
      {
        actor: `user ${admin.public_id}`,
        object: viewer.email,
        before: { role: 'viewer' },
        after: { role: 'analyst' },
      },
    ])
  })

  test('a person who loses the last role loses access to the project', async () => {
    const other = await createPerson(service, project, 'viewer')
    expect((await call(owner, 'PUT', members(`/${other.public_id}`), { role: null })).status).toBe(
      204,
    )
    expect((await call(other, 'GET', `/v1/projects/${project.publicId}`)).status).toBe(404)
    expect(
      (await call(owner, 'PUT', members(`/${other.public_id}`), { role: 'viewer' })).status,
    ).toBe(404)
  })
})

describe('members', () => {
  const one = (person: TestPerson) => members(`/${person.public_id}`)

  test('a member is shown with all roles and loses all of them when removed', async () => {
    const other = await createPerson(service, project, 'editor')
    const inProject = { role: 'admin', project: project.publicId }
    expect((await call(admin, 'PUT', one(other), inProject)).status).toBe(204)
    expect((await call(admin, 'GET', one(other))).body).toEqual({
      id: other.public_id,
      name: other.name,
      email: other.email,
      role: 'editor',
      projects: [{ id: project.publicId, role: 'admin' }],
    })
    expect((await call(admin, 'DELETE', one(other))).status).toBe(204)
    expect((await call(admin, 'GET', one(other))).status).toBe(404)
    expect((await call(other, 'GET', '/v1/me')).body).toMatchObject({ organizations: [] })
  })

  test('a project admin removes a member from the project only', async () => {
    const here = await createPerson(service, project, 'editor', 'project')
    expect((await call(agency, 'DELETE', one(admin))).status).toBe(404)
    expect((await call(agency, 'DELETE', one(viewer))).status).toBe(204)
    expect((await call(owner, 'GET', one(viewer))).body).toMatchObject({
      role: 'analyst',
      projects: [],
    })
    expect((await call(agency, 'DELETE', one(here))).status).toBe(204)
    expect((await call(owner, 'GET', one(here))).status).toBe(404)
  })

  test('members with a higher role and the last owner cannot be removed', async () => {
    expect((await call(admin, 'DELETE', one(owner))).status).toBe(403)
    expect(await call(owner, 'DELETE', one(owner))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('needs an owner') },
    })
    expect((await call(owner, 'GET', one(owner))).body).toMatchObject({ role: 'owner' })
  })

  test('a member of another organization is not found', async () => {
    const foreign = await createPerson(service, await service.createProject(), 'viewer')
    for (const method of ['GET', 'DELETE'])
      expect((await call(owner, method, one(foreign))).status).toBe(404)
  })
})

describe('invitations', () => {
  const invite = (by: TestPerson, body: object) =>
    call(by, 'POST', invitations(), body) as Promise<{ status: number; body: CreatedInvitation }>

  test('an invitation is listed without its link, replaced by a second one, and withdrawn', async () => {
    const first = await invite(admin, { email: 'Sofia@example.com', role: 'editor' })
    expect(first).toMatchObject({
      status: 201,
      body: { email: 'sofia@example.com', role: 'editor' },
    })
    expect(first.body.url).toMatch(/^http:\/\/localhost:8080\/invitations\/octavo_lnk_/)
    const second = await invite(admin, { email: 'sofia@example.com', role: 'viewer' })
    const { body } = (await call(admin, 'GET', invitations())) as { body: InvitationList }
    expect(body.invitations.filter(({ email }) => email === 'sofia@example.com')).toEqual([
      expect.not.objectContaining({ url: expect.anything() }),
    ])
    expect((await call(admin, 'DELETE', invitations(`/${second.body.id}`))).status).toBe(204)
    expect((await call(admin, 'DELETE', invitations(`/${second.body.id}`))).status).toBe(404)
  })

  test('after five concurrent invitations of the same address, only one of them is open', async () => {
    const body = { email: 'often@example.com', role: 'viewer' }
    const made = await Promise.all(Array.from({ length: 5 }, () => invite(admin, body)))
    expect(made.map(({ status }) => status)).toEqual(Array(5).fill(201))
    const { body: list } = (await call(admin, 'GET', invitations())) as { body: InvitationList }
    expect(list.invitations.filter(({ email }) => email === body.email)).toHaveLength(1)
  })

  test.each<[string, string, object?]>([
    ['removed', 'DELETE'],
    ['demoted', 'PUT', { role: 'viewer' }],
    ['left without a role', 'PUT', { role: null }],
  ])(
    'an open invitation does not restore the role of a member who was %s',
    async (_, method, body) => {
      const member = await createPerson(service, project, 'editor')
      const { url } = (await invite(owner, { email: member.email, role: 'admin' })).body
      expect((await call(owner, method, members(`/${member.public_id}`), body)).status).toBe(204)
      const accepted = await fetch(service.url + new URL(url ?? '').pathname, {
        method: 'POST',
        headers: { ...FORM, cookie: member.cookie },
        redirect: 'manual',
      })
      expect(accepted.status).toBe(404)
      expect((await call(member, 'GET', members())).status).not.toBe(200)
    },
  )

  test('an admin who removes a member does not withdraw an invitation as owner', async () => {
    const member = await createPerson(service, project, 'viewer')
    const { id } = (await invite(owner, { email: member.email, role: 'owner' })).body
    expect((await call(admin, 'DELETE', members(`/${member.public_id}`))).status).toBe(204)
    expect((await call(owner, 'DELETE', invitations(`/${id}`))).status).toBe(204)
  })

  test.each([
    ['a higher role than the inviter has', { email: 'a@example.com', role: 'owner' }, 403],
    ['an invalid address', { email: 'nobody', role: 'viewer' }, 400],
    [
      'another project',
      { email: 'a@example.com', role: 'viewer', project: 'prj_0000000000000000' },
      400,
    ],
    ['an unknown role', { email: 'a@example.com', role: 'king' }, 400],
  ])('an invitation with %s is rejected', async (_, body, status) => {
    expect((await invite(admin, body)).status).toBe(status)
  })
})

describe('projects', () => {
  const create = async (person: TestPerson, body: object) => {
    const { body: me } = (await call(person, 'GET', '/v1/me')) as { body: Me }
    return call(person, 'POST', `/v1/organizations/${me.organizations[0]?.id}/projects`, body)
  }

  test('a project gets a slug from its name, with a suffix if it is taken', async () => {
    const first = await create(owner, { name: 'Grower handbook' })
    expect(first).toMatchObject({ status: 201, body: { slug: 'grower-handbook' } })
    const second = await create(owner, { name: 'Grower handbook' })
    expect(second.body.slug).toMatch(/^grower-handbook-\w{6}$/)
    expect(await create(owner, { name: 'Other', slug: 'grower-handbook' })).toMatchObject({
      status: 409,
    })
    expect((await call(owner, 'GET', `/v1/projects/${first.body.id}/gaps`)).status).toBe(200)
  })

  test('a person with only a project role cannot create projects', async () => {
    expect((await create(agency, { name: 'Mine' })).status).toBe(404)
  })
})

test.each([
  ['GET', () => members('/usr_%00'), 404],
  ['GET', () => members('?cursor=%00'), 400],
  ['GET', () => '/v1/projects/prj_%00/members', 404],
  ['GET', () => '/v1/organizations/%00', 404],
  ['DELETE', () => invitations('/9223372036854775808'), 404],
  ['DELETE', () => '/v1/me/sessions/9999999999999999999', 404],
])(
  'a request with an impossible id or cursor gets a 4xx response: %s %s',
  async (method, path, status) => {
    expect((await call(owner, method, path())).status).toBe(status)
  },
)

test('a person sees their own sessions, and a deleted session ends immediately', async () => {
  const { body } = await call(viewer, 'GET', '/v1/me/sessions')
  expect(body.sessions).toHaveLength(2)
  const current = body.sessions.find(({ current }: { current: boolean }) => current)
  expect(current).toMatchObject({ kind: 'command-line', network: '192.0.2.0/24' })
  expect((await call(admin, 'DELETE', `/v1/me/sessions/${current.id}`)).status).toBe(404)
  expect((await call(viewer, 'DELETE', `/v1/me/sessions/${current.id}`)).status).toBe(204)
  expect((await call(viewer, 'GET', '/v1/me')).status).toBe(401)
})
