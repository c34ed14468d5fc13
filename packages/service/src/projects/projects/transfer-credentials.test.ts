/** Tests how a transfer treats the old owner's keys, tokens, trusted CI jobs and repository. */

import { KEY_SCOPES, TransferBody } from '@octavo/contract'
import { afterAll, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { DASHBOARD_ORIGIN, openPage, sendForm } from '../../../testing/dashboard-visit.ts'
import { octavo, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { ensureMember } from '../../people/users/operator-store.ts'

const service = await startTestService({ url: DASHBOARD_ORIGIN, secretKeys: SECRET_KEYS })
afterAll(() => service.stop())

/**
 * Creates a project with a key, a reader token, a trusted repository and a connection, and
 * transfers it as an owner of both organizations.
 */
async function transferProject(choice: Readonly<Record<string, string>>) {
  const project = await service.createProject(KEY_SCOPES)
  const call = callerOf(service.url, project)
  const owner = await createPerson(service, project, 'owner')
  const other = await service.createProject()
  const { email, name } = owner
  const { organizationId } = other.tenant
  await ensureMember(service.owner, { email, name, role: 'owner' }, organizationId)
  const made = await call<{ token: string }>('POST', '/access/tokens', { body: { name: 'Links' } })
  expect(made.status).toBe(201)
  const { publicId } = project
  await octavo(service, ['project', 'set', publicId, '--trust', 'github:owner/name@main'])
  await octavo(service, ['connection', 'add', publicId, '--url', 'https://git.example.com/o/n'])
  const [row] = await service.owner.query<{ slug: string; to: string }>(
    `select p.slug, o.public_id as "to" from project p, organization o
      where p.id = $1 and o.id = $2`,
    [project.id, organizationId],
  )
  const path = `/projects/${publicId}/transfer`
  const page = await openPage(service, owner, path)
  const form = { slug: row?.slug ?? '', organization: row?.to ?? '', ...choice }
  expect((await sendForm(service, owner, { path, form })).status).toBe(303)
  const count = async (table: string, condition: string) => {
    const rows = await service.owner.query(
      `select from ${table} where project_id = $1 and ${condition}`,
      [project.id],
    )
    return rows.length
  }
  return { project, owner, call, page, count, organizationId }
}

test('a transfer revokes keys, reader tokens and trust, and disconnects the repository', async () => {
  const { project, owner, call, page, count, organizationId } = await transferProject({
    revoke: 'on',
  })
  expect(page.text).toMatch(/name="revoke" value="on" checked>.*1 API key and 1 reader token/)
  await expect.poll(async () => (await call('GET', '')).status).toBe(401)
  expect(await count('reader_session', `way = 'token'`)).toBe(0)
  expect(await count('connection', 'true')).toBe(0)
  expect(await count('secret', 'true')).toBe(0)
  const settings = await call<{ trust: string[] }>('GET', '/settings', { token: owner.token })
  expect(settings.body.trust).toEqual([])
  const events = await service.owner.query(
    `select after -> 'revoked' as revoked from audit_event
      where organization_id = $1 and project_id = $2 and action = 'project.transfer'`,
    [organizationId, project.id],
  )
  expect(events).toEqual([
    {
      revoked: { keys: 1, readerTokens: 1, trust: ['github:owner/name@main'], connected: true },
    },
  ])
})

test('a transfer keeps credentials if the owner decides so', async () => {
  const { owner, call, count } = await transferProject({})
  await expect.poll(async () => (await call('GET', '')).status).toBe(200)
  expect(await count('reader_session', `way = 'token'`)).toBe(1)
  expect(await count('connection', 'true')).toBe(1)
  const settings = await call<{ trust: string[] }>('GET', '/settings', { token: owner.token })
  expect(settings.body.trust).toEqual(['github:owner/name@main'])
})

test('a transfer without a decision revokes the credentials', () => {
  expect(TransferBody.parse({ slug: 'a', organization: 'b' })).toMatchObject({ revoke: true })
})
