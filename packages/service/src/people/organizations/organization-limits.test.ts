/**
 * Tests that members of an organization cannot flood mailboxes, reserve names in bulk, or send
 * links in names.
 */

import type { CreatedInvitation, CreatedProject, InvitationList } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../../testing/call-project.ts'
import { DASHBOARD_ORIGIN, openPage, sendForm } from '../../../testing/dashboard-visit.ts'
import { startMailServer } from '../../../testing/mail-server.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { NO_SIGN_IN } from '../sign-in-settings.ts'
import { ensureMember } from '../users/operator-store.ts'

const mails = await startMailServer()
const service = await startTestService({
  url: DASHBOARD_ORIGIN,
  signIn: { ...NO_SIGN_IN, mail: { smtpUrl: mails.url, from: 'octavo@example.com' } },
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
})

let project: TestProject
let owner: TestPerson
let organization: string
beforeAll(async () => {
  await createOrganization()
})

/** Creates an organization for one test. */
async function createOrganization(): Promise<void> {
  project = await service.createProject()
  owner = await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ id: string }>(
    'select public_id as id from organization where id = $1',
    [project.tenant.organizationId],
  )
  organization = row?.id ?? ''
}

async function send<Reply = ProblemBody>(method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    wait: Number(response.headers.get('retry-after')),
    body: (text === '' ? {} : JSON.parse(text)) as Reply,
  }
}
const invite = (email: string) =>
  send<CreatedInvitation & ProblemBody>('POST', `/projects/${project.publicId}/invitations`, {
    email,
    role: 'viewer',
  })
const create = (body: object) =>
  send<CreatedProject & ProblemBody>('POST', `/organizations/${organization}/projects`, body)
const settings = (body: object) =>
  send<ProblemBody>('PUT', `/projects/${project.publicId}/settings`, body)
const insertInvitations = (count: number) =>
  service.owner.query(
    `insert into invitation (organization_id, token_hash, email, role, invited_by, expires_at)
     select $1::bigint, ('seeded ' || n || ' ' || $1::bigint)::bytea, 'seeded-' || n || '@example.com', 'viewer', 'x',
            now() + interval '1 day'
       from generate_series(1, $2) n`,
    [project.tenant.organizationId, count],
  )
const insertProjects = (organizationId: string, count: number) =>
  service.owner.query(
    `insert into project (organization_id, public_id, slug, name, created_at)
     select $1::bigint, 'prj_' || substr(md5($1::bigint || '-' || n), 1, 16),
            'seeded-' || $1::bigint || '-' || n, 'x', now() - interval '1 day'
       from generate_series(1, $2) n`,
    [organizationId, count],
  )

describe('invitations', () => {
  test('an address gets at most ten invitations per hour, and other addresses are not affected', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await invite('often@example.com')).status).toBe(201)
    const refused = await invite('often@example.com')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect(refused.wait).toBeGreaterThan(3_500)
    expect((await invite('other@example.com')).status).toBe(201)
  })

  test('an organization can send at most 100 invitations per hour, including withdrawn ones', async () => {
    const list = `/projects/${project.publicId}/invitations`
    for (let count = 0; count < 89; count += 1) {
      const { status, body } = await invite(`person-${count}@example.com`)
      expect(status).toBe(201)
      if (count < 5) expect((await send('DELETE', `${list}/${body.id}`)).status).toBe(204)
    }
    expect(await invite('one-more@example.com')).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('100 invitations per hour') },
    })
    const { body } = await send<InvitationList>('GET', list)
    expect(body.invitations.map(({ email }) => email)).not.toContain('one-more@example.com')
    expect(mails.received.filter(({ to }) => to === 'one-more@example.com')).toEqual([])
  })

  test('an organization can have at most 200 open invitations, and all are listed', async () => {
    await createOrganization()
    await insertInvitations(199)
    expect((await invite('last@example.com')).status).toBe(201)
    expect(await invite('too-many@example.com')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('200 open invitations') },
    })
    // Inviting the same address again replaces the earlier invitation.
    expect((await invite('last@example.com')).status).toBe(201)
    const path = `/projects/${project.publicId}/invitations`
    expect((await send<InvitationList>('GET', path)).body.invitations).toHaveLength(200)
  })

  test('concurrent invitations are all counted', async () => {
    await createOrganization()
    await insertInvitations(199)
    const sent = await Promise.all(['a', 'b', 'c'].map((name) => invite(`${name}@example.com`)))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  test("names in an invitation e-mail are not links and are marked as the sender's words", async () => {
    await createOrganization()
    const hostile = 'Your account is locked, visit evil.example or hthttp://tp://www.evil.example/x'
    await service.owner.query('update organization set name = $2 where id = $1', [
      project.tenant.organizationId,
      `${hostile} ${'x'.repeat(100)}`,
    ])
    await service.owner.query('update app_user set name = $2 where id = $1', [owner.id, hostile])
    expect((await invite('victim@example.com')).status).toBe(201)
    const mail = await mails.next('victim@example.com')
    expect(mail.subject).toMatch(/^Invitation to “Your account/)
    expect(mail.links).toHaveLength(1)
    expect(mail.links[0]).toContain(`${DASHBOARD_ORIGIN}/invitations/`)
    expect(mail.text).not.toMatch(/evil\.example|tp:\/\/evil|www\./)
    expect(mail.text).toContain('were chosen by the sender')
    expect(mail.text.length).toBeLessThan(700)
  })
})

describe('projects', () => {
  test('an organization can create at most 50 projects per hour', async () => {
    await createOrganization()
    for (let count = 0; count < 49; count += 1)
      expect((await create({ name: `Project ${count}` })).status).toBe(201)
    expect(await create({ name: 'One more' })).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('50 new projects per hour') },
    })
  })

  test('an organization can have at most 500 projects, including deleted ones that can be restored', async () => {
    await createOrganization()
    await insertProjects(project.tenant.organizationId, 498)
    const last = await create({ name: 'Last' })
    expect(last.status).toBe(201)
    const refused = { status: 409, body: { detail: expect.stringContaining('500 projects') } }
    expect(await create({ name: 'Too many' })).toMatchObject(refused)
    await octavo(service, ['project', 'delete', last.body.id, '--yes', last.body.slug])
    expect(await create({ name: 'Too many' })).toMatchObject(refused)
  })

  test('a transfer to an organization with the maximum number of projects is rejected', async () => {
    await createOrganization()
    const full = await service.createProject()
    const { organizationId } = full.tenant
    await insertProjects(organizationId, 499)
    const { email, name } = owner
    await ensureMember(service.owner, { email, name, role: 'owner' }, organizationId)
    const [row] = await service.owner.query<{ slug: string; to: string }>(
      'select p.slug, o.public_id as "to" from project p, organization o where p.id = $1 and o.id = $2',
      [project.id, organizationId],
    )
    const path = `/projects/${project.publicId}/transfer`
    const form = { slug: row?.slug ?? '', organization: row?.to ?? '' }
    const sent = await sendForm(service, owner, { path, form })
    expect(sent.status).toBe(409)
    expect(sent.text).toContain('500 projects')
    expect((await openPage(service, owner, path)).status).toBe(200)
  })
})

describe('slugs', () => {
  test.each(['login', 'log-in', 'www', 'mail', 'security', 'octavo', 'xn--80ak6aa92e'])(
    'only the operator can assign the slug %s',
    async (slug) => {
      await createOrganization()
      const refused = { status: 400, body: { param: 'slug' } }
      expect(await create({ name: 'x', slug })).toMatchObject(refused)
      expect(await settings({ slug })).toMatchObject(refused)
      expect((await settings({ slug })).body.detail).toContain('is reserved')
      await octavo(service, ['project', 'rename', project.publicId, slug])
      // Members can save the settings with this slug, and choose it again later.
      expect((await settings({ slug, name: 'Other' })).status).toBe(200)
      expect((await settings({ slug: `docs-${slug}` })).status).toBe(200)
      expect((await settings({ slug })).status).toBe(200)
    },
  )

  test('a project with a reserved name gets a slug with a suffix', async () => {
    await createOrganization()
    expect((await create({ name: 'Support' })).body.slug).toMatch(/^support-\w{6}$/)
    expect((await create({ name: 'Support center' })).body.slug).toBe('support-center')
  })
})

describe('names', () => {
  test.each(['Visit https://evil.example', 'See www.evil.example', 'a\nb', 'a\u202eb', ' '])(
    'projects and organizations cannot have the name %j',
    async (name) => {
      const refused = { status: 400 }
      expect(await create({ name })).toMatchObject(refused)
      expect(await settings({ name })).toMatchObject(refused)
      expect(await send('PUT', `/organizations/${organization}`, { name })).toMatchObject(refused)
    },
  )

  test.each(['Node.js docs', 'C++ / C#: guide', 'مستندات\u200cها', 'Docs 👩‍🚀'])(
    'projects and organizations can have the name %j',
    async (name) => {
      expect((await settings({ name })).status).toBe(200)
      expect((await send('PUT', `/organizations/${organization}`, { name })).status).toBe(200)
    },
  )
})
