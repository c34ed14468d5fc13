/**
 * Tests that an account belongs to the person who can read its mailbox. Mallory, who owns an
 * organization, invites other people's addresses and opens the links herself.
 */

import type { CreatedInvitation } from '@octavo/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CLIENT,
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../../testing/identity-provider-server.ts'
import { type MailServer, startMailServer } from '../../../testing/mail-server.ts'
import {
  beginDevice,
  type Credentials,
  findValidCredentials,
  makeCredentials,
  meOf,
  sendPasskey,
} from '../../../testing/planted-account.ts'
import { ORIGIN, openTestBrowser, type TestBrowser } from '../../../testing/test-browser.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { NO_SIGN_IN, type ProviderSettings, type SignInSettings } from '../sign-in-settings.ts'

type Form = Readonly<Record<string, string>>
type Organization = { readonly project: TestProject; readonly owner: TestPerson }

let mails: MailServer
let provider: IdentityProviderServer
/**
 * Three services on one database, with different sign-in methods: links only, e-mail and a
 * provider, and a provider without e-mail.
 */
let plain: TestService
let full: TestService
let oidc: TestService
let evil: Organization
let acme: Organization

beforeAll(async () => {
  mails = await startMailServer()
  provider = await startIdentityProvider([`${ORIGIN}/sign-in/oidc/work/callback`])
  plain = await startTestService({ url: ORIGIN })
  const mail = { smtpUrl: mails.url, from: 'Octavo <octavo@example.com>' }
  full = await startOnSameDatabase({ ...NO_SIGN_IN, providers: [workProvider()], mail })
  oidc = await startOnSameDatabase({ ...NO_SIGN_IN, providers: [workProvider()] })
  evil = await createOrganization()
  acme = await createOrganization()
})
afterAll(async () => {
  await oidc.stop()
  await full.stop()
  await plain.stop()
  await provider.stop()
  await mails.stop()
})

const startOnSameDatabase = (signIn: SignInSettings) =>
  startTestService({ url: ORIGIN, databaseUrl: plain.settings.databaseUrl, signIn })

const workProvider = (): ProviderSettings => ({
  id: 'work',
  name: 'Work',
  issuer: provider.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scopes: ['openid', 'email'],
  allowedDomains: [],
  emailVerifiedClaim: 'email_verified',
  groupsClaim: 'groups',
  roles: [],
  newPeople: false,
})

async function createOrganization(): Promise<Organization> {
  const project = await plain.createProject()
  return { project, owner: await createPerson(plain, project, 'owner') }
}

async function invite(
  service: TestService,
  { project, owner }: Organization,
  email: string,
): Promise<CreatedInvitation> {
  const response = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role: 'admin' }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedInvitation
}

const membersOf = ({ project }: Organization, token: string) =>
  fetch(`${plain.url}/v1/projects/${project.publicId}/members`, {
    headers: { authorization: `Bearer ${token}` },
  })

const pathOf = (url: string | undefined) => new URL(url ?? '').pathname
const fieldIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

let count = 0
const newAddress = () => {
  count += 1
  return `newhire-${count}@acme.example`
}

/** Mallory opens the link that she created, in a fresh browser. */
async function takeAddress(email: string): Promise<TestBrowser> {
  const { url } = await invite(plain, evil, email)
  const browser = openTestBrowser(plain)
  expect((await browser.visit(pathOf(url), { form: {} })).status).toBe(303)
  expect(await browser.isSignedIn()).toBe(true)
  return browser
}

/** Sign-ins that prove access to the mailbox, or prove that the operator knows the person. */
const PROOFS = {
  'a code by e-mail': async (email: string) => {
    const browser = openTestBrowser(full)
    await browser.visit('/sign-in/email', { form: { email, next: '/' } })
    const code = /\b\d{6}\b/.exec((await mails.next(email)).text)?.[0] ?? ''
    await browser.visit('/sign-in/email/code', { form: { code, next: '/' } })
    return browser
  },
  'a verified account at a provider': (email: string) => signInAtProvider(full, email, true),
  'a login link of the operator': async (email: string) => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await runCommand(['login-link', email], { settings: plain.settings, print, now: Date.now })
    const browser = openTestBrowser(plain)
    await browser.visit(pathOf(lines.at(-1)), { form: {} })
    return browser
  },
} as const

async function signInAtProvider(service: TestService, email: string, isVerified: boolean) {
  provider.accounts.set(email, { email, email_verified: isVerified })
  const browser = openTestBrowser(service)
  const sent = await browser.visit('/sign-in/oidc/work')
  const back = await provider.authorize(sent.location, email)
  await browser.visit(back.pathname + back.search)
  return browser
}

async function personOf(email: string) {
  const [row] = await plain.owner.query<{ id: string; verified: boolean }>(
    'select id::text, verified_at is not null as verified from app_user where email = $1',
    [email],
  )
  return row
}

const rolesOf = (email: string) =>
  plain.owner.query<{ organization: string; role: string }>(
    `select m.organization_id::text as organization, m.role from membership m
       join app_user u on u.id = m.user_id where u.email = $1 order by m.created_at`,
    [email],
  )

const roleIn = ({ project }: Organization) => ({
  organization: project.tenant.organizationId,
  role: 'admin',
})

const ALL = ['session', 'passkey', 'recovery code', 'command line', 'allowed device']

describe('an account created by an invitation link', () => {
  test('an unverified account can use every kind of credential', async () => {
    const email = newAddress()
    const made = await makeCredentials(plain, await takeAddress(email))
    expect(await findValidCredentials(plain, email, made)).toEqual(ALL)
  })

  test.each(Object.entries(PROOFS))(
    'an unverified account loses all credentials when the person signs in with %s',
    async (_, prove) => {
      const email = newAddress()
      const made = await makeCredentials(plain, await takeAddress(email))
      const browser = await prove(email)
      expect(await browser.isSignedIn()).toBe(true)
      expect(await findValidCredentials(plain, email, made)).toEqual([])
      // The role from the inviting organization remains, and its log records the verification.
      expect(await rolesOf(email)).toEqual([roleIn(evil)])
      const events = await plain.owner.query(
        `select organization_id::text as organization from audit_event
        where action = 'member.verify' and object = $1`,
        [email],
      )
      expect(events).toEqual([{ organization: evil.project.tenant.organizationId }])
    },
  )

  test.each(Object.entries(PROOFS))(
    'an account that was verified with %s keeps its new credentials when it is verified again',
    async (_, prove) => {
      const email = newAddress()
      await takeAddress(email)
      const made = await makeCredentials(plain, await prove(email))
      await prove(email)
      expect(await findValidCredentials(plain, email, made)).toEqual(ALL)
    },
  )

  test('the attacker gets no access to an organization that the person joins later', async () => {
    const email = newAddress()
    const made = await makeCredentials(plain, await takeAddress(email))
    await invite(full, acme, email)
    const link = pathOf((await mails.next(email)).links[0])
    const person = await PROOFS['a code by e-mail'](email)
    expect((await person.visit(link, { form: {} })).status).toBe(303)
    expect(await rolesOf(email)).toEqual([roleIn(evil), roleIn(acme)])
    expect(await findValidCredentials(plain, email, made)).toEqual([])
    expect((await membersOf(acme, made.commandLine)).status).toBe(401)
    expect((await membersOf(acme, acme.owner.token)).status).toBe(200)
  })

  test('an unverified account cannot accept an invitation of another organization', async () => {
    const email = newAddress()
    const browser = await takeAddress(email)
    const path = pathOf((await invite(plain, acme, email)).url)
    const refused = await browser.visit(path, { form: {} })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('Verify your address first')
    expect(refused.text).toContain('Ask the operator of the service for a login link')
    const { text } = await openTestBrowser(full).visit(path, {
      form: {},
      headers: { cookie: `__Host-octavo=${browser.cookies.get('__Host-octavo')}` },
    })
    expect(text).toContain('Sign in again with a code by e-mail')
    expect(text).toContain(`href="/sign-in?again&amp;next=${encodeURIComponent(path)}%3Fsigned-in"`)
    expect(await rolesOf(email)).toEqual([roleIn(evil)])
    const again = pathOf((await invite(plain, evil, email)).url)
    expect((await browser.visit(again, { form: {} })).status).toBe(303)
    const person = await PROOFS['a login link of the operator'](email)
    expect((await person.visit(path, { form: {} })).status).toBe(303)
    expect(await rolesOf(email)).toEqual([roleIn(evil), roleIn(acme)])
  })

  test('an unverified account without roles cannot accept another invitation', async () => {
    const email = newAddress()
    const browser = await takeAddress(email)
    await plain.owner.query('delete from membership where user_id = $1', [
      (await personOf(email))?.id,
    ])
    const path = pathOf((await invite(plain, acme, email)).url)
    expect((await browser.visit(path, { form: {} })).status).toBe(403)
    expect(await rolesOf(email)).toEqual([])
  })

  test("the service's database role cannot add an unverified account to another organization", async () => {
    const email = newAddress()
    await takeAddress(email)
    const { id } = (await personOf(email)) ?? {}
    const insertInto = ({ project }: Organization) =>
      plain.service.database.forOrganization(project.tenant.organizationId).query(
        `insert into membership (organization_id, user_id, project_id, role)
           values (current_organization(), $1, $2, 'viewer')`,
        [id, project.id],
      )
    await expect(insertInto(acme)).rejects.toThrow('is not verified')
    await insertInto(evil)
    await PROOFS['a code by e-mail'](email)
    await insertInto(acme)
  })

  test('creating the person as operator verifies the account and revokes its credentials', async () => {
    const email = newAddress()
    const made = await makeCredentials(plain, await takeAddress(email))
    const [row] = await plain.owner.query<{ public_id: string }>(
      'select public_id from organization where id = $1',
      [acme.project.tenant.organizationId],
    )
    const create = ['user', 'create', email, '--role', 'admin', '--organization']
    const input = { settings: plain.settings, print: () => {}, now: Date.now }
    await runCommand([...create, row?.public_id ?? ''], input)
    expect(await findValidCredentials(plain, email, made)).toEqual([])
    expect(await rolesOf(email)).toEqual([roleIn(evil), roleIn(acme)])
  })

  test('a provider account with an unverified address does not verify the account', async () => {
    const email = newAddress()
    const made = await makeCredentials(plain, await takeAddress(email))
    expect(await (await signInAtProvider(full, email, false)).isSignedIn()).toBe(false)
    expect(await personOf(email)).toMatchObject({ verified: false })
    expect(await findValidCredentials(plain, email, made)).toEqual(ALL)
  })

  /** While the request waits, another transaction verifies the address and commits. */
  test.each<[string, string, (made: Credentials, form: Form) => Promise<{ status: number }>]>([
    [
      'recovery code',
      'recovery_code',
      ({ browser }, form) => browser.visit('/account/recovery-codes', { form }),
    ],
    [
      'allowed device',
      'device_request',
      ({ browser }, form) => browser.visit('/device', { form: { ...form, answer: 'allow' } }),
    ],
    ['session', 'user_session', ({ passkey }) => sendPasskey(openTestBrowser(plain), passkey)],
  ])('an account gets no %s while its address is being verified', async (_, table, send) => {
    const email = newAddress()
    const made = await makeCredentials(plain, await takeAddress(email))
    const { id } = (await personOf(email)) ?? {}
    const token = fieldIn((await made.browser.visit('/account')).text, 'token')
    const { userCode } = await beginDevice(plain)
    const other = new pg.Client(plain.databaseUrl)
    await other.connect()
    await other.query('begin')
    await other.query('select verify_address($1)', [id])
    const sent = send(made, { token, code: userCode })
    await expect
      .poll(() =>
        plain.owner.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1)
    await other.query('commit')
    await other.end()
    expect((await sent).status).toBeGreaterThanOrEqual(400)
    expect(await plain.owner.query(`select from ${table} where user_id = $1`, [id])).toEqual([])
  })
})

describe('invitations of a service that sends e-mail', () => {
  test('if the service sends e-mail, the inviter gets no link, and the link alone creates no account', async () => {
    const email = newAddress()
    expect(await invite(full, evil, email)).not.toHaveProperty('url')
    const link = pathOf((await mails.next(email)).links[0])
    const mallory = openTestBrowser(full)
    for (const form of [undefined, {}]) {
      const page = await mallory.visit(link, form && { form })
      expect(page.text).toContain('enter the code that we send to this address')
      expect(await mallory.isSignedIn()).toBe(false)
    }
    expect(await personOf(email)).toBeUndefined()
  })

  test('a new person accepts an invitation with a code, which creates a verified account', async () => {
    const email = newAddress()
    await invite(full, acme, email)
    const link = pathOf((await mails.next(email)).links[0])
    const browser = openTestBrowser(full)
    const { text } = await browser.visit(link)
    const form = { email: fieldIn(text, 'email'), next: fieldIn(text, 'next') }
    expect(form.email).toBe(email)
    expect((await browser.visit('/sign-in/email', { form })).text).toContain('name="code"')
    const code = /\b\d{6}\b/.exec((await mails.next(email)).text)?.[0] ?? ''
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const type = (typed: string) =>
      browser.visit('/sign-in/email/code', { form: { ...form, code: typed } })
    expect((await type(wrong)).status).toBe(403)
    expect(await personOf(email)).toBeUndefined()
    const done = await type(code)
    expect((await browser.visit(done.location)).location).toBe('/')
    expect(await browser.isSignedIn()).toBe(true)
    expect(await personOf(email)).toMatchObject({ verified: true })
    expect(await rolesOf(email)).toEqual([roleIn(acme)])
    expect((await openTestBrowser(full).visit(link)).status).toBe(404)
  })

  test('a person with an account accepts an invitation after signing in with a code', async () => {
    const { email } = await createPerson(plain, evil.project, 'viewer')
    await invite(full, acme, email)
    const link = pathOf((await mails.next(email)).links[0])
    const person = await PROOFS['a code by e-mail'](email)
    const page = await person.visit(`${link}?signed-in`)
    expect(page.text).toContain('Accept')
    expect(await rolesOf(email)).toHaveLength(1)
    expect((await person.visit(link, { form: {} })).status).toBe(303)
    expect(await rolesOf(email)).toContainEqual(roleIn(acme))
  })

  test('a person who opens an invitation with another account sees an explanation', async () => {
    const email = newAddress()
    await invite(full, acme, email)
    const link = pathOf((await mails.next(email)).links[0])
    const { cookie, email: own } = acme.owner
    const refused = await openTestBrowser(full).visit(link, { form: {}, headers: { cookie } })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(`You are signed in as ${own}. This invitation is for ${email}.`)
  })
})

describe('invitations of a service with a provider and no e-mail', () => {
  test('without e-mail, the inviter gets the link, but only a provider can create the account', async () => {
    const email = newAddress()
    const link = pathOf((await invite(oidc, evil, email)).url)
    const mallory = openTestBrowser(oidc)
    for (const form of [undefined, {}]) {
      const page = await mallory.visit(link, form && { form })
      expect(page.text).toContain('To accept, sign in with the account that has this address.')
    }
    expect(await mallory.isSignedIn()).toBe(false)
    expect(await (await signInAtProvider(oidc, email, false)).isSignedIn()).toBe(false)
    expect(await personOf(email)).toBeUndefined()
    expect(await (await signInAtProvider(oidc, email, true)).isSignedIn()).toBe(true)
    expect(await personOf(email)).toMatchObject({ verified: true })
    expect(await rolesOf(email)).toEqual([roleIn(evil)])
  })
})

describe('unverified accounts with older provider accounts and roles', () => {
  const identitiesOf = (email: string) =>
    plain.owner.query<{ subject: string }>(
      'select i.subject from user_identity i join app_user u on u.id = i.user_id where u.email = $1',
      [email],
    )
  const forgetProof = (email: string) =>
    plain.owner.query('update app_user set verified_at = null where email = $1', [email])

  test('signing in with a linked provider account verifies the account and keeps the link', async () => {
    const { email } = await createPerson(plain, acme.project, 'viewer')
    const made = await makeCredentials(plain, await signInAtProvider(full, email, true))
    await forgetProof(email)
    expect(await (await signInAtProvider(full, email, false)).isSignedIn()).toBe(true)
    expect(await personOf(email)).toMatchObject({ verified: true })
    expect(await identitiesOf(email)).toEqual([{ subject: email }])
    expect(await findValidCredentials(plain, email, made)).toEqual([])
  })

  test('a code by e-mail unlinks the provider account of an unverified account', async () => {
    const { email } = await createPerson(plain, acme.project, 'viewer')
    await signInAtProvider(full, email, true)
    await forgetProof(email)
    await PROOFS['a code by e-mail'](email)
    expect(await identitiesOf(email)).toEqual([])
    expect(await (await signInAtProvider(full, email, false)).isSignedIn()).toBe(false)
    expect(await (await signInAtProvider(full, email, true)).isSignedIn()).toBe(true)
    expect(await identitiesOf(email)).toEqual([{ subject: email }])
  })

  test('an unverified account keeps its sessions, and its roles can be changed', async () => {
    const person = await createPerson(plain, evil.project, 'viewer')
    await plain.owner.query(
      `insert into membership (organization_id, user_id, role) values ($1, $2, 'viewer')`,
      [acme.project.tenant.organizationId, person.id],
    )
    await plain.owner.query('update app_user set verified_at = null where id = $1', [person.id])
    for (const { project, owner } of [evil, acme]) {
      const changed = await fetch(
        `${plain.url}/v1/projects/${project.publicId}/members/${person.public_id}`,
        {
          method: 'PUT',
          headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ role: 'editor' }),
        },
      )
      expect(changed.status).toBe(204)
    }
    expect((await meOf(plain, person.token))?.organizations).toMatchObject([
      { role: 'editor' },
      { role: 'editor' },
    ])
  })
})
