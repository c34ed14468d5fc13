/** Signing in with a real OpenID provider on loopback, which can also be made to answer wrongly. */
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSessions } from '../../sessions/sessions.ts'
import {
  type Account,
  CLIENT,
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../testing/identity-provider-server.ts'
import {
  ORIGIN,
  openTestBrowser,
  type TestBrowser,
  type Visit,
} from '../../testing/test-browser.ts'
import { createPerson } from '../../testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../testing/test-service.ts'
import { formTokenOf } from '../forms.ts'
import {
  type GroupRole,
  NO_SIGN_IN,
  type ProviderSettings,
  type SignInSettings,
} from '../sign-in-settings.ts'

const COOKIE = '__Host-octavo-oidc'
const STALE = 'begun elsewhere, or a while ago'
const NOT_ACCEPTED = 'The answer of Work was not accepted'
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
  clockMs = 0
})
afterAll(() => provider.stop())

type Started = TestService & { readonly project: TestProject; readonly organisation: string }

/** A service that has an owner, and these ways to sign in. */
async function start(settings: Partial<SignInSettings>): Promise<Started> {
  const service = await startTestService({
    url: ORIGIN,
    signIn: { ...NO_SIGN_IN, ...settings },
    now: () => Date.now() + clockMs,
  })
  const project = await service.createProject()
  await createPerson(service, project, 'owner')
  const [row] = await service.owner.query<{ public_id: string }>(
    'select public_id from organisation where id = $1',
    [project.tenant.organisationId],
  )
  return { ...service, project, organisation: row?.public_id ?? '' }
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

/** As far as the provider's answer, which the browser has not followed yet. */
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
/** An account at the provider, with an address that it has verified. */
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

describe('a provider that lets everybody in', () => {
  let service: Started
  const roles: GroupRole[] = []
  beforeAll(async () => {
    const staff = providerOf({ id: 'staff', name: 'Staff', allowedDomains: ['example.com'] })
    service = await start({
      providers: [providerOf({ roles, newPeople: true }), { ...staff, newPeople: true }],
    })
    const { organisation, project } = service
    roles.push(
      { group: 'docs', organisation, role: 'editor' },
      { group: 'bosses', organisation, role: 'owner' },
      { group: 'site', organisation, project: project.publicId, role: 'admin' },
      { group: 'lost', organisation: 'org_0000000000000000', role: 'owner' },
    )
  })
  afterAll(() => service.stop())

  async function refused(visit: Visit, browser: TestBrowser, text: string): Promise<void> {
    expect(visit.text).toContain(text)
    expect([403, 404, 502]).toContain(visit.status)
    expect(browser.cookies.has('__Host-octavo')).toBe(false)
    expect(await browser.isSignedIn()).toBe(false)
  }

  test('the sign-in page links to it, with the page to go to', async () => {
    const { text } = await openTestBrowser(service).visit('/sign-in?next=/projects/x?a=b')
    expect(text).toContain('href="/sign-in/oidc/work?next=%2Fprojects%2Fx%3Fa%3Db"')
    expect(text).toContain('Continue with Work')
  })

  test('the browser is sent there with a challenge, a state and a nonce of its own', async () => {
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

  test('a new person is let in, and is the same person the next time', async () => {
    const { sub, email } = createAccount()
    for (const browser of [openTestBrowser(service), openTestBrowser(service)]) {
      const done = await signIn(browser, sub)
      expect([done.status, done.location]).toEqual([303, '/'])
      expect(browser.cookies.has(COOKIE)).toBe(false)
      expect(await browser.isSignedIn()).toBe(true)
    }
    expect(await peopleOf(service, email)).toHaveLength(1)
  })

  test('signing in again ends the session that the browser had', async () => {
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
    ['the issuer with a slash', (claims) => ({ ...claims, iss: `${claims.iss}/` })],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    [
      'two audiences and another authorized party',
      (claims) => ({ ...claims, aud: [CLIENT.id, 'x'], azp: 'x' }),
    ],
    ['an expired token', (claims) => ({ ...claims, exp: now() - 60 })],
    ['no expiry', ({ exp: _, ...claims }) => claims],
    ['no subject', ({ sub: _, ...claims }) => claims],
    [
      'a clock that is a minute behind',
      (claims) => ({ ...claims, iat: now() - 3_660, exp: now() - 60 }),
    ],
    ['a token that is not valid yet, by a minute', (claims) => ({ ...claims, nbf: now() + 60 })],
  ])('%s', (_, change) => {
    test('is refused', async () => {
      const browser = openTestBrowser(service)
      provider.faults.claims = change
      await refused(await signIn(browser, createAccount().sub), browser, NOT_ACCEPTED)
    })
  })

  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['behind', (claims) => ({ ...claims, iat: now() - 3_620, exp: now() - 20 })],
    ['ahead', (claims) => ({ ...claims, iat: now() + 20, nbf: now() + 20, exp: now() + 3_620 })],
  ])('a clock that is 20 seconds %s is let in', async (_, change) => {
    const browser = openTestBrowser(service)
    provider.faults.claims = change
    expect((await signIn(browser, createAccount().sub)).status).toBe(303)
    expect(await browser.isSignedIn()).toBe(true)
  })

  test.each(['other-key', 'none'] as const)('a signature of %s is refused', async (signature) => {
    const browser = openTestBrowser(service)
    provider.faults.signature = signature
    await refused(await signIn(browser, createAccount().sub), browser, NOT_ACCEPTED)
  })

  describe('an answer works once, in the browser that asked, for its own state', () => {
    test('a wrong state', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const wrong = path.replace(/state=[^&]+/, 'state=another')
      await refused(await browser.visit(wrong), browser, STALE)
    })

    test('no state', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(path.replace(/&?state=[^&]+/, '')), browser, STALE)
    })

    test('two states', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(`${path}&state=another`), browser, NOT_ACCEPTED)
    })

    test('the callback that another browser was sent', async () => {
      const [attacker, victim] = [openTestBrowser(service), openTestBrowser(service)]
      const path = await authorize(attacker, createAccount().sub)
      await refused(await victim.visit(path), victim, STALE)
      await victim.visit('/sign-in/oidc/work')
      await refused(await victim.visit(path), victim, STALE)
    })

    test('a replay, also with the cookie that the browser had', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const kept = browser.cookies.get(COOKIE) ?? ''
      expect((await browser.visit(path)).status).toBe(303)
      const other = openTestBrowser(service)
      await refused(await other.visit(path), other, STALE)
      other.cookies.set(COOKIE, kept)
      await refused(await other.visit(path), other, STALE)
    })

    test('two at once: one of them', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      const visits = await Promise.all([browser.visit(path), browser.visit(path)])
      expect(visits.map(({ status }) => status).toSorted()).toEqual([303, 403])
    })

    test('a code that was used up, with a state of its own', async () => {
      const { sub } = createAccount()
      const browser = openTestBrowser(service)
      const used = await authorize(browser, sub)
      await browser.visit(used)
      const other = openTestBrowser(service)
      const path = await authorize(other, sub)
      const code = /code=[^&]+/.exec(used)?.[0] ?? ''
      await refused(await other.visit(path.replace(/code=[^&]+/, code)), other, NOT_ACCEPTED)
    })

    test('after ten minutes', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      clockMs = 10 * 60_000
      await refused(await browser.visit(path), browser, STALE)
    })

    test('at the callback of another provider', async () => {
      const browser = openTestBrowser(service)
      const path = await authorize(browser, createAccount().sub)
      await refused(await browser.visit(path.replace('/work/', '/staff/')), browser, STALE)
    })

    test('with a cookie that was changed, or is there twice', async () => {
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
  ])('after signing in, %s goes to %s', async (next, expected) => {
    const way = { next: encodeURIComponent(next) }
    const done = await signIn(openTestBrowser(service), createAccount().sub, way)
    expect(done.location).toBe(expected)
  })

  test('the provider says no: its words are not shown, its code is', async () => {
    const browser = openTestBrowser(service)
    const { location } = await browser.visit('/sign-in/oidc/work')
    const state = new URL(location).searchParams.get('state') ?? ''
    const issuer = encodeURIComponent(provider.issuer)
    const words = `error=access_denied&error_description=<script>call+0900</script>&iss=${issuer}`
    const done = await browser.visit(`/sign-in/oidc/work/callback?${words}&state=${state}`)
    await refused(done, browser, 'Work did not sign you in (access_denied).')
    expect(done.text).not.toContain('0900')
  })

  test('there is no provider of this name', async () => {
    const browser = openTestBrowser(service)
    await refused(await browser.visit('/sign-in/oidc/other'), browser, 'no such way')
    await refused(
      await browser.visit('/sign-in/oidc/other/callback?code=x'),
      browser,
      'no such way',
    )
  })

  describe('accounts and people', () => {
    test('somebody who is here already is found by a verified address, then by the account', async () => {
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
      'an address that is not verified (%j) is nobody',
      async (email_verified) => {
        const person = await createPerson(service, service.project, 'owner')
        const browser = openTestBrowser(service)
        const { sub } = createAccount({ email: person.email, email_verified })
        await refused(await signIn(browser, sub), browser, 'was verified')
        const fresh = createAccount({ email_verified })
        await refused(await signIn(browser, fresh.sub), browser, 'was verified')
        expect(await peopleOf(service, fresh.email)).toEqual([])
      },
    )

    test('an account that is known may lose its verified address', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      provider.accounts.set(sub, { email, email_verified: false })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
    })

    test('an address that was given to another account does not get the first one’s person', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      const browser = openTestBrowser(service)
      const { sub: heir } = createAccount({ email })
      await refused(await signIn(browser, heir), browser, 'another account at Work')
    })

    test('somebody who is disabled, by account and by address', async () => {
      const { sub, email } = createAccount()
      await signIn(openTestBrowser(service), sub)
      await service.owner.query('update app_user set disabled_at = now() where email = $1', [email])
      const browser = openTestBrowser(service)
      await refused(await signIn(browser, sub), browser, 'disabled')
      await service.owner.query('delete from user_identity where subject = $1', [sub])
      await refused(await signIn(browser, sub), browser, 'disabled')
    })

    test('two first sign-ins at once make one person', async () => {
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
    ])('a name becomes %s', async (name, expected) => {
      const email = `local@${count}.example.com`
      const { sub } = createAccount({ email, name })
      expect((await signIn(openTestBrowser(service), sub)).status).toBe(303)
      expect((await peopleOf(service, email))[0]?.name).toBe(expected)
    })

    test.each(['person@evil.example', 'person@sub.example.com', 'person@example.com.evil.example'])(
      '%s is not of an allowed domain',
      async (email) => {
        const browser = openTestBrowser(service)
        const { sub } = createAccount({ email })
        await refused(await signIn(browser, sub, { id: 'staff' }), browser, 'not let in here')
        expect(await peopleOf(service, email)).toEqual([])
      },
    )

    test('an allowed domain has to be verified, also for an account that is known', async () => {
      const { sub, email } = createAccount()
      expect((await signIn(openTestBrowser(service), sub, { id: 'staff' })).status).toBe(303)
      provider.accounts.set(sub, { email, email_verified: false })
      const browser = openTestBrowser(service)
      await refused(await signIn(browser, sub, { id: 'staff' }), browser, 'not let in here')
    })
  })

  describe('groups', () => {
    test('give roles at each sign-in, and take them away', async () => {
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
          where object = $1 order by at limit 3`,
        [email],
      )
      const actor = 'provider work'
      expect(events).toEqual([
        { actor, action: 'member.role', before: null, after: 'editor' },
        { actor, action: 'member.role', before: null, after: 'admin' },
        { actor, action: 'member.role', before: 'editor', after: 'owner' },
      ])
    })

    test('leave a role that a person gave', async () => {
      const person = await createPerson(service, service.project, 'analyst')
      const { sub } = createAccount({ email: person.email, groups: ['docs'] })
      await signIn(openTestBrowser(service), sub)
      provider.accounts.set(sub, {})
      await signIn(openTestBrowser(service), sub)
      expect(await rolesOf(service, person.email)).toEqual([
        { role: 'analyst', project: false, granted_by: null },
      ])
    })

    test('never take the last owner away', async () => {
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

  test('a provider that is away is said to be, and the service goes on', async () => {
    clockMs = 2 * HOUR_MS
    const browser = openTestBrowser(service)
    provider.faults.isDown = true
    await refused(await browser.visit('/sign-in/oidc/work'), browser, 'Work does not answer')
    provider.faults.isDown = false
    const path = await authorize(browser, createAccount().sub)
    provider.faults.isDown = true
    await refused(await browser.visit(path), browser, 'Work does not answer')
    provider.faults.isDown = false
    expect((await signIn(browser, createAccount().sub)).status).toBe(303)
  })

  test('nothing of it is in the log', async () => {
    const log = service.log.join('')
    for (const word of ['code=', 'state=', 'account-', '@example.com', CLIENT.secret])
      expect(log).not.toContain(word)
  })
})

describe('who may come in', () => {
  async function invite({ owner, project }: Started, email: string): Promise<void> {
    await owner.query(
      `insert into invitation (organisation_id, token_hash, email, role, invited_by, expires_at)
       values ($1, $2, $3, 'editor', 'test', now() + interval '1 day')`,
      [project.tenant.organisationId, Buffer.from(email), email],
    )
  }

  async function tryNew(service: Started, email: string, newPeople = 'work'): Promise<number> {
    return (await signIn(openTestBrowser(service), createAccount({ email }).sub, { id: newPeople }))
      .status
  }

  const ways = () => [providerOf(), providerOf({ id: 'open', name: 'Open', newPeople: true })]

  test('invited: those with an invitation, which is accepted by it, or where the provider is open', async () => {
    const service = await start({ providers: ways() })
    await invite(service, 'guest@example.com')
    expect(await tryNew(service, 'stranger@example.com')).toBe(403)
    expect(await tryNew(service, 'guest@example.com')).toBe(303)
    expect(await rolesOf(service, 'guest@example.com')).toMatchObject([{ role: 'editor' }])
    expect(await service.owner.query('select from invitation')).toEqual([])
    expect(await tryNew(service, 'other@example.com', 'open')).toBe(303)
    await service.stop()
  })

  test('closed: nobody new, whatever a provider or an invitation says', async () => {
    const service = await start({ providers: ways(), signUp: { kind: 'closed' } })
    await invite(service, 'guest2@example.com')
    expect(await tryNew(service, 'guest2@example.com')).toBe(403)
    expect(await tryNew(service, 'other2@example.com', 'open')).toBe(403)
    const person = await createPerson(service, service.project, 'viewer')
    expect(await tryNew(service, person.email)).toBe(303)
    await service.stop()
  })

  test('domains: addresses of these alone', async () => {
    const signUp = { kind: 'domains', domains: ['example.org'] } as const
    const service = await start({ providers: ways(), signUp })
    expect(await tryNew(service, 'a@example.org')).toBe(303)
    expect(await tryNew(service, 'a@example.com')).toBe(403)
    expect(await tryNew(service, 'a@x.example.org')).toBe(403)
    await service.stop()
  })

  test('nobody is the first: the owner opens the link in the log', async () => {
    const signIn = { ...NO_SIGN_IN, providers: ways() }
    const service = await startTestService({ url: ORIGIN, signIn })
    const browser = openTestBrowser(service)
    const path = await authorize(browser, createAccount().sub, { id: 'open' })
    expect((await browser.visit(path)).text).toContain('has no owner yet')
    expect(await service.service.createSetupLink()).toBeDefined()
    await service.stop()
  })

  test('OIDC only: no other way is shown, and an invitation needs the provider', async () => {
    const service = await start({
      providers: ways(),
      isOidcOnly: true,
      mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'a@example.com' },
    })
    const admin = await createPerson(service, service.project, 'admin')
    const { text } = await openTestBrowser(service).visit('/sign-in')
    expect(text).toContain('Continue with Work')
    expect(text).not.toContain('name="email"')
    expect(text).not.toContain('data-passkey')
    const made = await fetch(`${service.url}/v1/projects/${service.project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'guest3@example.com', role: 'viewer' }),
    })
    const { url } = (await made.json()) as { url: string }
    const browser = openTestBrowser(service)
    const refused = await browser.visit(new URL(url).pathname, { form: {} })
    expect([refused.status, await browser.isSignedIn()]).toEqual([403, false])
    expect(await tryNew(service, 'guest3@example.com')).toBe(303)
    await service.stop()
  })
})

const now = () => Math.floor(Date.now() / 1_000)
