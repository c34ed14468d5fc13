/** Tests the entries that signing in and joining add to the audit logs, as the API returns them. */
import type { AuditEntry, AuditList } from '@octavo/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../testing/mail-server.ts'
import { ORIGIN, openTestBrowser, type TestBrowser } from '../../../testing/test-browser.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { fieldOf } from '../../../testing/visit-service.ts'
import { NO_SIGN_IN } from '../sign-in-settings.ts'

let mails: MailServer
let service: TestService
let project: TestProject
let owner: TestPerson
let organizationId: string
beforeAll(async () => {
  mails = await startMailServer()
  const mail = { smtpUrl: mails.url, from: 'Octavo <octavo@example.com>' }
  const signIn = { ...NO_SIGN_IN, mail }
  service = await startTestService({ url: ORIGIN, signIn, trustedProxies: ['127.0.0.1/32'] })
  project = await service.createProject(['audit:read'])
  owner = await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ id: string }>(
    'select public_id as id from organization where id = $1',
    [project.tenant.organizationId],
  )
  organizationId = row?.id ?? ''
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
})

const ofProject = () => `/projects/${project.publicId}/audit`
const ofOrganization = () => `/organizations/${organizationId}/audit`

/** Returns the entries about an e-mail address, newest first, without ids and times. */
async function entriesAbout(
  email: string,
  path = ofOrganization(),
  token = owner.token,
): Promise<readonly Partial<AuditEntry>[]> {
  const response = await fetch(`${service.url}/v1${path}?q=${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { entries } = (await response.json()) as AuditList
  return entries.map(({ id: _, at: __, requestId: ___, ...entry }) => entry)
}

async function invite(email: string, role: string, place?: string): Promise<string> {
  const response = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role, ...(place && { project: place }) }),
  })
  expect(response.status).toBe(201)
  const { links } = await mails.next(email)
  return new URL(links[0] ?? '').pathname
}

let network = 0
function openBrowser(): TestBrowser {
  network += 1
  const forwarded = { 'x-forwarded-for': `10.1.${network}.1` }
  const browser = openTestBrowser(service)
  const visit: TestBrowser['visit'] = (path, sent) =>
    browser.visit(path, { ...sent, headers: { ...forwarded, ...sent?.headers } })
  return { ...browser, visit }
}

async function askForCode(
  browser: TestBrowser,
  email: string,
  more: { readonly next?: string; readonly name?: string } = {},
): Promise<string> {
  await browser.visit('/sign-in/email', { form: { email, next: '/', ...more } })
  return /\b\d{6}\b/.exec((await mails.next(email)).text)?.[0] ?? ''
}

const enter = (browser: TestBrowser, email: string, code: string) =>
  browser.visit('/sign-in/email/code', { form: { code, email, next: '/' } })

test('accepting a project invitation is in the audit logs of the project and the organization', async () => {
  const email = 'mei@joined.example'
  const path = await invite(email, 'editor', project.publicId)
  const browser = openBrowser()
  const page = await browser.visit(path)
  expect(page.text).toContain('Your name')
  const next = fieldOf(page, 'next')
  await enter(browser, email, await askForCode(browser, email, { next, name: 'Mei Tanaka' }))
  expect((await browser.visit(next)).location).toBe(`/projects/${project.publicId}`)
  const entries = [
    { action: 'sign-in.success', after: { method: 'email' } },
    {
      action: 'member.join',
      actor: expect.stringMatching(/^user usr_/),
      actorName: 'Mei Tanaka',
      object: email,
      objectName: 'Mei Tanaka',
      after: { role: 'editor', invitedBy: owner.name },
      network: '10.1.1.0/24',
    },
    { action: 'member.invite', actorName: owner.name, object: email, after: { role: 'editor' } },
  ]
  const here = await entriesAbout(email, ofProject())
  expect(here).toMatchObject(entries)
  expect(await entriesAbout(email, ofProject(), project.token)).toEqual(here)
  const { publicId: id } = project
  expect(await entriesAbout(email)).toEqual(
    here.map((entry) => ({ ...entry, project: { id, name: expect.any(String) } })),
  )
})

test('an owner cannot invite themselves', async () => {
  const response = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, role: 'editor' }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    param: 'email',
    detail: 'This is your own address, and you are already a member.',
  })
})

test('API keys and members of a project do not see events about other people of the organization', async () => {
  const email = 'ben@joined.example'
  await invite(email, 'viewer')
  const browser = openBrowser()
  await enter(browser, email, await askForCode(browser, email))
  const contractor = await createPerson(service, project, 'admin', 'project')
  const actions = ['sign-in.success', 'member.join', 'member.invite']
  for (const path of [ofOrganization(), ofProject()])
    expect((await entriesAbout(email, path)).map(({ action }) => action)).toEqual(actions)
  for (const token of [project.token, contractor.token])
    expect(await entriesAbout(email, ofProject(), token)).toEqual([])
})

test('five wrong codes are logged as one refused sign-in, and an unknown address is not logged', async () => {
  const { email } = await createPerson(service, project, 'viewer')
  const before = (await entriesAbout(email)).length
  const wrong = async (address: string) => {
    const browser = openBrowser()
    await browser.visit('/sign-in/email', { form: { email: address, next: '/' } })
    for (let attempt = 0; attempt < 5; attempt += 1) await enter(browser, address, 'x')
  }
  await wrong(email)
  await wrong('nobody@unknown.example')
  const entries = await entriesAbout(email)
  expect(entries).toHaveLength(before + 1)
  expect(entries[0]).toMatchObject({
    actor: 'anonymous',
    action: 'sign-in.refused',
    object: email,
    after: { method: 'email', reason: 'wrong-code', attempts: 5 },
  })
  expect(await entriesAbout('nobody@unknown.example')).toEqual([])
})

test('at most 20 refused sign-ins of an account are logged per hour', async () => {
  const { email } = await createPerson(service, project, 'viewer')
  for (let attempt = 0; attempt < 22; attempt += 1)
    await openBrowser().visit('/sign-in/recovery', { form: { email, code: 'wrong' } })
  const entries = await entriesAbout(email)
  const refused = entries.filter(({ action }) => action === 'sign-in.refused')
  expect(refused).toHaveLength(20)
  expect(refused[0]).toMatchObject({ after: { method: 'recovery-code', reason: 'wrong-code' } })
})

test('setup logs the first owner, the project and the first sign-in', async () => {
  const fresh = await startTestService({ url: ORIGIN })
  try {
    const { pathname } = new URL((await fresh.service.createSetupLink()) ?? '')
    const form = {
      name: 'Ada',
      email: 'ada@example.com',
      organization: 'Greenhouse',
      project: 'Sensor docs',
    }
    expect((await openTestBrowser(fresh).visit(pathname, { form })).status).toBe(303)
    const rows = await fresh.owner.query(
      `select action, project_id is not null as "isOfProject", after from audit_event order by at`,
    )
    expect(rows).toEqual([
      {
        action: 'organization.set-up',
        isOfProject: false,
        after: { organization: 'Greenhouse', role: 'owner' },
      },
      {
        action: 'project.create',
        isOfProject: true,
        after: { name: 'Sensor docs', slug: 'sensor-docs' },
      },
      { action: 'sign-in.success', isOfProject: false, after: { method: 'setup-link' } },
    ])
  } finally {
    await fresh.stop()
  }
})
