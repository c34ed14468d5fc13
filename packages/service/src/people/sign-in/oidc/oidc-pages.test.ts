/**
 * Tests sign-in with a real OpenID provider on loopback, which can also be made to respond
 * incorrectly.
 */
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JWK, JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  CLIENT,
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../../../testing/identity-provider-server.ts'
import { startMailServer } from '../../../../testing/mail-server.ts'
import {
  ORIGIN,
  openTestBrowser,
  type TestBrowser,
  type Visit,
} from '../../../../testing/test-browser.ts'
import { createPerson } from '../../../../testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/test-service.ts'
import { createSessions } from '../../sessions/sessions.ts'
import {
  type GroupRole,
  NO_SIGN_IN,
  type ProviderSettings,
  type SignInSettings,
} from '../../sign-in-settings.ts'
import { formTokenOf } from '../forms.ts'

const COOKIE = '__Host-octavo-oidc'
const STALE = 'started in another browser or has expired'
const NOT_ACCEPTED = 'The response from Work was not accepted'
const HOUR_MS = 3_600_000

let provider: IdentityProviderServer
let clockMs = 0
beforeAll(async () => {
  const ids = ['work', 'staff', 'open']
  provider = await startIdentityProvider(ids.map((id) => `${ORIGIN}/sign-in/oidc/${id}/callback`))
})
afterEach(() => {
  provider.faults.claims = undefined
  provider.faults.signature = 'right'
  provider.faults.isDown = false
  provider.faults.forge = undefined
  provider.faults.answer = undefined
  clockMs = 0
})
afterAll(() => provider.stop())

type Started = TestService & { readonly project: TestProject; readonly organization: string }

/** Starts a service that has an owner and the given sign-in settings. */
async function start(settings: Partial<SignInSettings>): Promise<Started> {
  const service = await startTestService({
    url: ORIGIN,
    signIn: { ...NO_SIGN_IN, ...settings },
    now: () => Date.now() + clockMs,
  })
  const project = await service.createProject()
  await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ public_id: string }>(
    'select public_id from organization where id = $1',
    [project.tenant.organizationId],
  )
  return { ...service, project, organization: row?.public_id ?? '' }
}

function providerOf(change: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    id: 'work',
    name: 'Work',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: ['openid', 'email', 'profile'],
    allowedDomains: [],
    emailVerifiedClaim: 'email_verified',
    groupsClaim: 'groups',
    roles: [],
    newPeople: false,
    ...change,
  }
}

type Way = { readonly id?: string; readonly next?: string }

/** Returns the callback path that the provider redirects to, before the browser follows it. */
async function authorize(
  browser: TestBrowser,
  account: string,
  { id = 'work', next = '' }: Way = {},
): Promise<string> {
  const sent = await browser.visit(`/sign-in/oidc/${id}${next && `?next=${next}`}`)
  expect(sent.status).toBe(303)
  const back = await provider.authorize(sent.location, account)
  expect(back.origin).toBe(ORIGIN)
  return back.pathname + back.search
}

async function signIn(browser: TestBrowser, account: string, way?: Way): Promise<Visit> {
  return browser.visit(await authorize(browser, account, way))
}

let count = 0
/** Creates an account at the provider with a verified e-mail address. */
function createAccount(change: Account = {}): { readonly sub: string; readonly email: string } {
  count += 1
  const sub = `account-${count}`
  const email = `person-${count}@example.com`
  provider.accounts.set(sub, { email, email_verified: true, name: `Person ${count}`, ...change })
  return { sub, email: change.email ?? email }
}

const peopleOf = (service: TestService, email: string) =>
  service.owner.query<{ id: string; name: string }>(
    'select id::text, name from app_user where email = $1',
    [email.toLowerCase()],
  )

const rolesOf = (service: TestService, email: string) =>
  service.owner.query<{ role: string; project: boolean; granted_by: string | null }>(
    `select m.role, m.project_id is not null as project, m.granted_by from membership m
       join app_user u on u.id = m.user_id where u.email = $1 order by 2, 1`,
    [email.toLowerCase()],
  )

describe('a provider that is open to new people', () => {
  let service: Started
  const roles: GroupRole[] = []
  beforeAll(async () => {
    const staff = providerOf({ id: 'staff', name: 'Staff', allowedDomains: ['example.com'] })
    service = await start({
      providers: [providerOf({ roles, newPeople: true }), { ...staff, newPeople: true }],
    })
    const { organization, project } = service
    roles.push(
      { group: 'docs', organization, role: 'editor' },
      { group: 'bosses', organization, role: 'owner' },
      { group: 'site', organization, project: project.publicId, role: 'admin' },
      { group: 'lost', organization: 'org_0000000000000000', role: 'owner' },
    )
  })
  afterAll(() => service.stop())

  async function refused(visit: Visit, browser: TestBrowser, text: string): Promise<void> {
    expect(visit.text).toContain(text)
    expect([403, 404, 502]).toContain(visit.status)
    expect(browser.cookies.has('__Host-octavo')).toBe(false)
    expect(await browser.isSignedIn()).toBe(false)
  }

  test('the sign-in page links to the provider with the path to open after signing in', async () => {
    const { text } = await openTestBrowser(service).visit('/sign-in?next=/projects/x?a=b')
    expect(text).toContain('href="/sign-in/oidc/work?next=%2Fprojects%2Fx%3Fa%3Db"')
    expect(text).toContain('Continue with Work')
  })

  test('each redirect to the provider has its own challenge, state and nonce', async () => {
    const browser = openTestBrowser(service)
    const visits = [
      await browser.visit('/sign-in/oidc/work'),
      await browser.visit('/sign-in/oidc/work'),
    ]
    const queries = visits.map(({ location }) => new URL(location).searchParams)
    for (const query of queries) {
      expect(query.get('code_challenge_method')).toBe('S256')
      expect(query.get('redirect_uri')).toBe(`${ORIGIN}/sign-in/oidc/work/callback`)
      expect(query.get('response_type')).toBe('code')
    }
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(queries[0]?.get(name)).not.toBe(queries[1]?.get(name))
    expect(visits[0]?.headers.get('set-cookie')).toMatch(
      /^__Host-octavo-oidc=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
  })

  test('a new person gets an account and is recognized the next time', async () => {
    const { sub, email } = createAccount()
    for (const browser of [openTestBrowser(service), openTestBrowser(service)]) {
      const done = await signIn(browser, sub)
      expect([done.status, done.location]).toEqual([303, '/'])
      expect(browser.cookies.has(COOKIE)).toBe(false)
      expect(await browser.isSignedIn()).toBe(true)
    }
    expect(await peopleOf(service, email)).toHaveLength(1)
  })

  test("signing in again ends the browser's previous session", async () => {
    const browser = openTestBrowser(service)
    const { sub } = createAccount()
    await signIn(browser, sub)
    const first = browser.cookies.get('__Host-octavo') ?? ''
    await signIn(browser, sub)
    const old = openTestBrowser(service)
    old.cookies.set('__Host-octavo', first)
    expect([await old.isSignedIn(), await browser.isSignedIn()]).toEqual([false, true])
  })

  test('signing out ends our session', async () => {
    const browser = openTestBrowser(service)
    await signIn(browser, createAccount().sub)
    const cookie = browser.cookies.get('__Host-octavo') ?? ''
    const person = await createSessions(service.service.database, PEPPER).find(cookie)
    if (person === undefined) throw new Error('nobody is signed in')
    const token = formTokenOf(person, PEPPER)
    expect((await browser.visit('/sign-out', { form: { token } })).location).toBe('/sign-in')
    browser.cookies.set('__Host-octavo', cookie)
    expect(await browser.isSignedIn()).toBe(false)
  })

  describe.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['a wrong nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['a slash after the issuer', (claims) => ({ ...claims, iss: `${claims.iss}/` })],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    [
      'two audiences and another authorized party',
      (claims) => ({ ...claims, aud: [CLIENT.id, 'x'], azp: 'x' }),
    ],
    ['an expiry in the past', (claims) => ({ ...claims, exp: now() - 60 })],
    ['no expiry', ({ exp: _, ...claims }) => claims],
    ['no subject', ({ sub: _, ...claims }) => claims],
    [
      'times of a clock one minute behind',
      (claims) => ({ ...claims, iat: now() - 3_660, exp: now() - 60 }),
    ],
    ['a start one minute ahead', (claims) => ({ ...claims, nbf: now() + 60 })],
    ['two audiences and no authorized party', (claims) => ({ ...claims, aud: [CLIENT.id, 'x'] })],
    ['no audience', (claims) => ({ ...claims, aud: [] })],
    ['a list as issuer', (claims) => ({ ...claims, iss: [claims.iss] as unknown as string })],
    ['a list as nonce', (claims) => ({ ...claims, nonce: [claims.nonce] })],
    ['a string as expiry', (claims) => ({ ...claims, exp: '9999999999' as unknown as number })],
    ['a string as time of issue', (claims) => ({ ...claims, iat: 'now' as unknown as number })],
    ['an empty subject', (claims) => ({ ...claims, sub: '' })],
    ['a number as subject', (claims) => ({ ...claims, sub: 1 as unknown as string })],
    ['a NUL character in the subject', (claims) => ({ ...claims, sub: 'a\0b' })],
    ['an unpaired surrogate in the subject', (claims) => ({ ...claims, sub: 'a\ud800' })],
    ['a subject of 9,000 random characters', (claims) => ({ ...claims, sub: longText() })],
  ])('an ID token with %s', (_, change) => {
    test('an ID token with invalid claims is rejected', async () => {
      const browser = openTestBrowser(service)
      provider.faults.claims = change
      await refused(await signIn(browser, createAccount().sub), browser, NOT_ACCEPTED)
    })
  })

  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['behind', (claims) => ({ ...claims, iat: now() - 3_620, exp: now() - 20 })],
    ['ahead', (claims) => ({ ...claims, iat: now() + 20, nbf: now() + 20, exp: now() + 3_620 })],
  ])('a provider clock that is 20 seconds %s is accepted', async (_, change) => {
    const browser = openTestBrowser(service)
    provider.faults.claims = change
    expect((await signIn(browser, createAccount().sub)).status).toBe(303)
    expect(await browser.isSignedIn()).toBe(true)
  })

  test.each(['other-key', 'none'] as const)(
    'an ID token with an invalid signature is rejected: %s',
    async (signature) => {
      const browser = openTestBrowser(service)
      provider.faults.signature = signature
      await refused(await signIn(browser, createAccount().sub), browser, NOT_ACCEPTED)
    },
  )

  describe('callbacks from the provider', () => {
    test('a callback with a wrong state is rejected', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const wrong = path.replace(/state=[^&]+/, 'state=another')
      await refused(await browser.visit(wrong), browser, STALE)
    })

    test('a callback without a state is rejected', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(path.replace(/&?state=[^&]+/, '')), browser, STALE)
    })

    test('a callback with two states is rejected', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(`${path}&state=another`), browser, NOT_ACCEPTED)
    })

    test('a callback is rejected in a browser that did not begin the sign-in', async () => {
      const [attacker, victim] = [openTestBrowser(service), openTestBrowser(service)]
      const path = await authorize(attacker, createAccount().sub)
      await refused(await victim.visit(path), victim, STALE)
      await victim.visit('/sign-in/oidc/work')
      await refused(await victim.visit(path), victim, STALE)
    })

    test('a replayed callback is rejected, even with the original cookie', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const kept = browser.cookies.get(COOKIE) ?? ''
      expect((await browser.visit(path)).status).toBe(303)
      const other = openTestBrowser(service)
      await refused(await other.visit(path), other, STALE)
      other.cookies.set(COOKIE, kept)
      await refused(await other.visit(path), other, STALE)
    })

    test('only one of two concurrent callbacks succeeds', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const visits = await Promise.all([browser.visit(path), browser.visit(path)])
      expect(visits.map(({ status }) => status).toSorted()).toEqual([303, 403])
    })

    test('a used code is rejected with a new state', async () => {
      const { sub } = createAccount()
      const browser = openTestBrowser(service)
      const used = await authorize(browser, sub)
      await browser.visit(used)
      const other = openTestBrowser(service)
      const path = await authorize(other, sub)
      const code = /code=[^&]+/.exec(used)?.[0] ?? ''
      await refused(await other.visit(path.replace(/code=[^&]+/, code)), other, NOT_ACCEPTED)
    })

    test('a callback is rejected after ten minutes', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      clockMs = 10 * 60_000
      await refused(await browser.visit(path), browser, STALE)
    })

    test("a callback at another provider's URL is rejected", async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(path.replace('/work/', '/staff/')), browser, STALE)
    })

    test('a callback with a changed or duplicate cookie is rejected', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const cookie = browser.cookies.get(COOKIE) ?? ''
      const [body = '', signature = ''] = cookie.split('.')
      const text = Buffer.from(body, 'base64url').toString().replace('"next":"/"', '"next":"/x"')
      browser.cookies.set(COOKIE, `${Buffer.from(text).toString('base64url')}.${signature}`)
      await refused(await browser.visit(path), browser, STALE)
      const headers = { cookie: `${COOKIE}=x; ${COOKIE}=${cookie}` }
      expect((await browser.visit(path, { headers })).text).toContain(STALE)
    })
  })

  test.each([
    ['/projects/x?a=b', '/projects/x?a=b'],
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/'.padEnd(2_000, 'a'), '/'],
  ])('signing in with next=%s redirects to %s', async (next, expected) => {
    const way = { next: encodeURIComponent(next) }
    const done = await signIn(openTestBrowser(service), createAccount().sub, way)
    expect(done.location).toBe(expected)
  })

  test("a denial shows the provider's error code but not its description", async () => {
    const browser = openTestBrowser(service)
    const { location } = await browser.visit('/sign-in/oidc/work')
    const state = new URL(location).searchParams.get('state') ?? ''
    const issuer = encodeURIComponent(provider.issuer)
    const words = `error=access_denied&error_description=<script>call+0900</script>&iss=${issuer}`
    const done = await browser.visit(`/sign-in/oidc/work/callback?${words}&state=${state}`)
    await refused(done, browser, 'Work did not sign you in (access_denied).')
    expect(done.text).not.toContain('0900')
  })

  test('an unknown provider is rejected', async () => {
    const browser = openTestBrowser(service)
    await refused(
      await browser.visit('/sign-in/oidc/other'),
      browser,
      'sign-in method does not exist',
    )
    await refused(
      await browser.visit('/sign-in/oidc/other/callback?code=x'),
      browser,
      'sign-in method does not exist',
    )
  })

  describe('accounts and people', () => {
    test('an existing person is found by verified address at first, and later by provider account', async () => {
      const person = await createPerson(service, service.project, 'viewer')
      const { sub } = createAccount({ email: person.email.toUpperCase() })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
      provider.accounts.set(sub, { email: 'renamed@example.com', email_verified: true })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
      expect(await peopleOf(service, 'renamed@example.com')).toEqual([])
      const sessions = await service.owner.query('select id from user_session where user_id = $1', [
        person.id,
      ])
      expect(sessions).toHaveLength(4)
    })

    test.each([false, undefined, null, 'false', 'yes', 0, {}])(
      'an account with email_verified %j cannot sign in',
      async (email_verified) => {
        const person = await createPerson(service, service.project, 'owner')
        const browser = openTestBrowser(service)
        const { sub } = createAccount({ email: person.email, email_verified })
        await refused(await signIn(browser, sub), browser, 'is verified')
        const fresh = createAccount({ email_verified })
        await refused(await signIn(browser, fresh.sub), browser, 'is verified')
        expect(await peopleOf(service, fresh.email)).toEqual([])
      },
    )

    test.each<[string, (email: string) => unknown]>([
      ['with a space before it', (email) => ` ${email}`],
      ['with a space after it', (email) => `${email} `],
      ['with a newline after it', (email) => `${email}\n`],
      ['with NUL after it', (email) => `${email}\0`],
      ['with a dot after it', (email) => `${email}.`],
      ['in a list', (email) => [email]],
      ['in an object', (email) => ({ toString: () => email })],
      ['with a name', (email) => `Owner <${email}>`],
      ['with another address', (email) => `${email},x@example.com`],
      ['with a full-width @', (email) => email.replace('@', '\uff20')],
      ['with a full-width letter', (email) => email.replace('o', '\uff4f')],
      ['with a letter of another script', (email) => email.replace('o', '\u043e')],
      ['with a letter whose lower case is ASCII', () => '\u212aeeper@example.com'],
      ['with a zero-width joiner', (email) => email.replace('@', '\u200d@')],
    ])("a provider account that sends the owner's address %s cannot sign in", async (_, change) => {
      const person = await createPerson(service, service.project, 'owner')
      await service.owner.query(
        `update app_user set email = 'keeper@example.com' where id = $1 and $2`,
        [person.id, change('') === '\u212aeeper@example.com'],
      )
      const browser = openTestBrowser(service)
      const { sub } = createAccount({ email: change(person.email) as string })
      await refused(await signIn(browser, sub), browser, 'is verified')
    })

    test('a known provider account can sign in after its address is no longer verified', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      provider.accounts.set(sub, { email, email_verified: false })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
    })

    test('another provider account with the same address cannot sign in as the person', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      const browser = openTestBrowser(service)
      const { sub: heir } = createAccount({ email })
      await refused(await signIn(browser, heir), browser, 'another account at Work')
    })

    test('a disabled person cannot sign in by provider account or by address', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      await service.owner.query('update app_user set disabled_at = now() where email = $1', [email])
      const browser = openTestBrowser(service)
      await refused(await signIn(browser, sub), browser, 'disabled')
      await service.owner.query('delete from user_identity where subject = $1', [sub])
      await refused(await signIn(browser, sub), browser, 'disabled')
    })

    test('concurrent first sign-ins create one person', async () => {
      const { sub, email } = createAccount()
      const browsers = [1, 2, 3].map(() => openTestBrowser(service))
      const paths = await Promise.all(browsers.map((browser) => authorize(browser, sub)))
      const done = await Promise.all(browsers.map((one, index) => one.visit(paths[index] ?? '')))
      expect(done.map(({ status }) => status)).toEqual([303, 303, 303])
      expect(await peopleOf(service, email)).toHaveLength(1)
    })

    test.each([
      ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
      ['a\u0000b\u202e\ncanary', 'a b canary'],
      ['', 'local'],
      [{ toString: 1 }, 'local'],
      ['𝒳'.repeat(500), '𝒳'.repeat(100)],
    ])('the name %s from a provider is sanitized', async (name, expected) => {
      const email = `local@${count}.example.com`
      const { sub } = createAccount({ email, name })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
      expect((await peopleOf(service, email))[0]?.name).toBe(expected)
    })

    test.each(['person@evil.example', 'person@sub.example.com', 'person@example.com.evil.example'])(
      'a sign-in with the address %s, which is not in an allowed domain, is rejected',
      async (email) => {
        const browser = openTestBrowser(service)
        const { sub } = createAccount({ email })
        await refused(await signIn(browser, sub, { id: 'staff' }), browser, 'cannot sign in here')
        expect(await peopleOf(service, email)).toEqual([])
      },
    )

    test('if domains are limited, even a known provider account needs a verified address', async () => {
      const { sub, email } = createAccount()
      expect((await signIn(openTestBrowser(service), sub, { id: 'staff' })).status).toBe(303)
      provider.accounts.set(sub, { email, email_verified: false })
      const browser = openTestBrowser(service)
      await refused(await signIn(browser, sub, { id: 'staff' }), browser, 'cannot sign in here')
    })
  })

  describe('groups from the provider', () => {
    test('groups grant and remove roles at each sign-in', async () => {
      const { sub, email } = createAccount({ groups: ['docs', 'lost', 'unknown'] })
      const account = provider.accounts.get(sub)
      const issuer = provider.issuer
      const after = async (groups: unknown) => {
        provider.accounts.set(sub, { ...account, groups })
        await signIn(openTestBrowser(service), sub)
        return rolesOf(service, email)
      }
      const editor = { role: 'editor', project: false, granted_by: issuer }
      const admin = { role: 'admin', project: true, granted_by: issuer }
      expect(await after(['docs', 'lost', 'unknown'])).toEqual([editor])
      expect(await after(['docs', 'site'])).toEqual([editor, admin])
      expect(await after(['docs', 'bosses'])).toEqual([{ ...editor, role: 'owner' }])
      expect(await after('docs')).toEqual([editor])
      expect(await after([{ name: 'bosses' }, 1, null])).toEqual([])
      expect(await after(['docs'])).toEqual([editor])
      expect(await after(undefined)).toEqual([])
      const events = await service.owner.query(
        `select actor, action, before->>'role' as before, after->>'role' as after from audit_event
          where object = $1 and action like 'member.%' order by at limit 3`,
        [email],
      )
      const actor = 'provider work'
      expect(events).toEqual([
        { actor, action: 'member.role', before: null, after: 'editor' },
        { actor, action: 'member.role', before: null, after: 'admin' },
        { actor, action: 'member.role', before: 'editor', after: 'owner' },
      ])
    })

    test.each<[string, unknown]>([
      ['an object', { docs: true, 0: 'docs', length: 1 }],
      ['a list of lists', [['docs'], { name: 'docs' }, null, 1]],
      ['other spellings of the group', ['Docs', ' docs', 'docs\0', 'docs,bosses', '*']],
      ['property names of JavaScript objects', ['__proto__', 'constructor']],
      ['20,000 other groups before the right one', [...Array(20_000).fill('other'), 'docs']],
      ['a number', 7],
    ])('groups in an unexpected form grant no role: %s', async (_, groups) => {
      const { sub, email } = createAccount()
      provider.faults.claims = (claims) => ({ ...claims, groups })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
      expect(await rolesOf(service, email)).toEqual([])
    })

    test('groups do not change a role that a person granted', async () => {
      const person = await createPerson(service, service.project, 'analyst')
      const { sub } = createAccount({ email: person.email, groups: ['docs'] })
      await signIn(openTestBrowser(service), sub)
      provider.accounts.set(sub, {})
      await signIn(openTestBrowser(service), sub)
      expect(await rolesOf(service, person.email)).toEqual([
        { role: 'analyst', project: false, granted_by: null },
      ])
    })

    test('groups never remove the last owner', async () => {
      const { sub, email } = createAccount({ groups: ['bosses'] })
      await signIn(openTestBrowser(service), sub)
      await service.owner.query(
        `delete from membership where role = 'owner' and granted_by is null`,
      )
      for (const groups of [[], ['docs']]) {
        provider.accounts.set(sub, { groups })
        await signIn(openTestBrowser(service), sub)
        expect(await rolesOf(service, email)).toMatchObject([{ role: 'owner' }])
      }
      await createPerson(service, service.project, 'owner')
      await signIn(openTestBrowser(service), sub)
      expect(await rolesOf(service, email)).toMatchObject([{ role: 'editor' }])
    })
  })

  test('an unreachable provider is reported, and sign-in works again later', async () => {
    clockMs = 2 * HOUR_MS
    const browser = openTestBrowser(service)
    provider.faults.isDown = true
    await refused(await browser.visit('/sign-in/oidc/work'), browser, 'Work does not respond')
    provider.faults.isDown = false
    const path = await authorize(browser, createAccount().sub)
    provider.faults.isDown = true
    await refused(await browser.visit(path), browser, 'Work does not respond')
    provider.faults.isDown = false
    expect((await signIn(browser, createAccount().sub)).status).toBe(303)
  })

  test('the log contains no codes, states, accounts or secrets', async () => {
    const log = service.log.join('')
    for (const word of ['code=', 'state=', 'account-', '@example.com', CLIENT.secret])
      expect(log).not.toContain(word)
  })
})

describe('sign-up policies', () => {
  async function invite({ owner, project }: Started, email: string): Promise<void> {
    await owner.query(
      `insert into invitation (organization_id, token_hash, email, role, invited_by, expires_at)
       values ($1, $2, $3, 'editor', 'test', now() + interval '1 day')`,
      [project.tenant.organizationId, Buffer.from(email), email],
    )
  }

  async function tryNew(service: Started, email: string, newPeople = 'work'): Promise<number> {
    return (await signIn(openTestBrowser(service), createAccount({ email }).sub, { id: newPeople }))
      .status
  }

  const ways = () => [providerOf(), providerOf({ id: 'open', name: 'Open', newPeople: true })]

  test('if sign-up is by invitation, a new person needs an invitation or an open provider', async () => {
    const service = await start({ providers: ways() })
    await invite(service, 'guest@example.com')
    expect(await tryNew(service, 'stranger@example.com')).toBe(403)
    expect(await tryNew(service, 'guest@example.com')).toBe(303)
    expect(await rolesOf(service, 'guest@example.com')).toMatchObject([{ role: 'editor' }])
    expect(await service.owner.query('select from invitation')).toEqual([])
    expect(await tryNew(service, 'other@example.com', 'open')).toBe(303)
    await service.stop()
  })

  test('if sign-up is closed, an invitation or an open provider does not create an account', async () => {
    const service = await start({ providers: ways(), signUp: { kind: 'closed' } })
    await invite(service, 'guest2@example.com')
    expect(await tryNew(service, 'guest2@example.com')).toBe(403)
    expect(await tryNew(service, 'other2@example.com', 'open')).toBe(403)
    const person = await createPerson(service, service.project, 'viewer')
    expect(await tryNew(service, person.email)).toBe(303)
    await service.stop()
  })

  test('if sign-up is limited to domains, a new person needs an address in one of them', async () => {
    const signUp = { kind: 'domains', domains: ['example.org'] } as const
    const service = await start({ providers: ways(), signUp })
    expect(await tryNew(service, 'a@example.org')).toBe(303)
    expect(await tryNew(service, 'a@example.com')).toBe(403)
    expect(await tryNew(service, 'a@x.example.org')).toBe(403)
    await service.stop()
  })

  test('a provider sign-in cannot create the first owner', async () => {
    const signIn = { ...NO_SIGN_IN, providers: ways() }
    const service = await startTestService({ url: ORIGIN, signIn })
    const browser = openTestBrowser(service)
    const path = await authorize(browser, createAccount().sub, { id: 'open' })
    expect((await browser.visit(path)).text).toContain('has no owner yet')
    expect(await service.service.createSetupLink()).toBeDefined()
    await service.stop()
  })

  test('with OIDC only, the provider is the only sign-in method, even for invitations', async () => {
    const mails = await startMailServer()
    const service = await start({
      providers: ways(),
      isOidcOnly: true,
      mail: { smtpUrl: mails.url, from: 'a@example.com' },
    })
    const admin = await createPerson(service, service.project, 'admin')
    const { text } = await openTestBrowser(service).visit('/sign-in')
    expect(text).toContain('Continue with Work')
    expect(text).not.toContain('name="email"')
    expect(text).not.toContain('data-passkey')
    await fetch(`${service.url}/v1/projects/${service.project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guest3@example.com', role: 'viewer' }),
    })
    const [url = ''] = (await mails.next('guest3@example.com')).links
    const browser = openTestBrowser(service)
    const page = await browser.visit(new URL(url).pathname, { form: {} })
    expect(page.text).toContain('To accept, sign in with the account that has this address.')
    expect(await browser.isSignedIn()).toBe(false)
    expect(await peopleOf(service, 'guest3@example.com')).toEqual([])
    expect(await tryNew(service, 'guest3@example.com')).toBe(303)
    await service.stop()
    await mails.stop()
  })
})

describe('a malicious provider', () => {
  let service: Started
  let begun = 0
  beforeAll(async () => {
    service = await start({ providers: [providerOf({ newPeople: true })] })
  })
  afterAll(() => service.stop())

  /** Signs in after advancing the clock, so that the provider's configuration is read again. */
  async function tryToSignIn(): Promise<Visit> {
    begun += 1
    clockMs = begun * 2 * HOUR_MS
    const browser = openTestBrowser(service)
    const sent = await browser.visit('/sign-in/oidc/work')
    if (!sent.location.startsWith(`${provider.issuer}/auth`)) return sent
    const back = await provider.authorize(sent.location, createAccount().sub)
    const done = await browser.visit(back.pathname + back.search)
    expect(await browser.isSignedIn()).toBe(done.status === 303)
    return done
  }

  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const otherJwk = otherKey.publicKey.export({ format: 'jwk' }) as JWK
  const forge =
    (header: object, secret: (publicKey: JWK) => KeyObject) =>
    async (claims: JWTPayload, publicKey: JWK) =>
      signAs({ kid: 'one', ...header }, claims, secret(publicKey))
  const shared = (text: string) => createSecretKey(Buffer.from(text))
  const pemOf = (key: JWK) =>
    String(
      createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      }),
    )

  test.each<[string, ReturnType<typeof forge>]>([
    ['the PEM public key as a shared key', forge({ alg: 'HS256' }, (key) => shared(pemOf(key)))],
    ['its modulus as a shared key', forge({ alg: 'HS256' }, (key) => shared(key.n ?? ''))],
    ["the client's secret", forge({ alg: 'HS256' }, () => shared(CLIENT.secret))],
    ['a key in the header', forge({ alg: 'RS256', jwk: otherJwk }, () => otherKey.privateKey)],
    [
      'a key at an address in the header',
      forge({ alg: 'RS256', jku: 'http://127.0.0.1:1/', kid: 'x' }, () => otherKey.privateKey),
    ],
    ['an unknown key', forge({ alg: 'RS256', kid: 'two' }, () => otherKey.privateKey)],
    ['a different algorithm in the header', forge({ alg: 'PS256' }, () => otherKey.privateKey)],
    [
      'an unknown critical header',
      forge({ alg: 'RS256', crit: ['x'], x: 1 }, () => otherKey.privateKey),
    ],
  ])('a token signed with %s is rejected', async (_, forged) => {
    provider.faults.forge = forged
    const done = await tryToSignIn()
    expect(done.text).toContain(NOT_ACCEPTED)
    expect(done.status).toBe(403)
  })

  const CONFIGURATION = '/.well-known/openid-configuration'
  const say = (path: string, text: string) => (asked: string, response: ServerResponse) => {
    if (!asked.startsWith(path)) return false
    response.setHeader('content-type', 'application/json').end(text)
    return true
  }
  const leadTo = (path: string, location: string) => (asked: string, response: ServerResponse) => {
    if (!asked.startsWith(path)) return false
    response.writeHead(302, { location }).end()
    return true
  }
  const keys = (...list: unknown[]) => JSON.stringify({ keys: list })

  test.each<[string, () => ReturnType<typeof say>]>([
    ['another issuer', () => say(CONFIGURATION, '{"issuer":"https://evil.example"}')],
    ['no configuration', () => say(CONFIGURATION, 'null')],
    [
      'a redirect to another configuration',
      () => leadTo(CONFIGURATION, `${provider.issuer}/other`),
    ],
    ['a redirect to other keys', () => leadTo('/jwks', `${provider.issuer}/other`)],
    ['a redirect to another token endpoint', () => leadTo('/token', `${provider.issuer}/other`)],
    ['no keys', () => say('/jwks', 'null')],
    ['shared keys', () => say('/jwks', keys({ kty: 'oct', k: 'c2VjcmV0', kid: 'one' }))],
    [
      'a short key',
      () => say('/jwks', keys({ ...weak.publicKey.export({ format: 'jwk' }), kid: 'one' })),
    ],
    ['an empty key', () => say('/jwks', keys({ kty: 'RSA', n: '', e: '', kid: 'one' }))],
    [
      'an invalid token',
      () => say('/token', '{"access_token":"x","token_type":"bearer","id_token":"a.b.c"}'),
    ],
    ['no ID token', () => say('/token', '{"access_token":"x","token_type":"bearer"}')],
  ])('a provider that sends %s is rejected', async (_, answer) => {
    provider.faults.answer = answer()
    const asked = provider.asked.length
    const done = await tryToSignIn()
    expect([403, 502]).toContain(done.status)
    expect(provider.asked.slice(asked)).not.toContain('/other')
  })

  test.each(['/.well-known/', '/jwks', '/token', '/me'])(
    'an endless response of the provider at %s is cut off',
    async (path) => {
      const sent = { bytes: 0 }
      provider.faults.answer = (asked, response) =>
        asked.startsWith(path) && sendMuch(response, sent)
      provider.faults.claims = ({ email: _, ...claims }) => claims
      expect([403, 502]).toContain((await tryToSignIn()).status)
      expect(sent.bytes).toBeGreaterThan(0)
      expect(sent.bytes).toBeLessThan(MUCH_BYTES / 2)
    },
  )
})

const MUCH_BYTES = 60_000_000

/** Sends as much as the client accepts, up to a limit that protects the test machine. */
function sendMuch(response: ServerResponse, sent: { bytes: number }): true {
  response.setHeader('content-type', 'application/json')
  const piece = Buffer.alloc(100_000, ' ')
  const send = () => {
    while (!response.destroyed && sent.bytes < MUCH_BYTES) {
      sent.bytes += piece.length
      if (!response.write(piece)) return
    }
    response.end('{}')
  }
  response.on('drain', send)
  send()
  return true
}

/** Signs a token with any headers, even if JWT libraries would refuse them. */
function signAs(header: object, claims: JWTPayload, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part(header)}.${part(claims)}`
  const signature =
    key.type === 'secret'
      ? createHmac('sha256', key).update(text).digest('base64url')
      : createSign('sha256').update(text).sign(key, 'base64url')
  return `${text}.${signature}`
}

const longText = () => randomBytes(4_500).toString('hex')
const now = () => Math.floor(Date.now() / 1_000)
