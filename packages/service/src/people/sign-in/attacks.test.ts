/**
 * Tests attacks on a signed-in person by hostile pages, links, neighboring sites and proxies:
 * forged forms, frames, planted sessions and cookies, redirects, spoofed hosts. The forms and pages
 * come from the dashboard's own list of routes, so that new ones are covered too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCREENS } from '@octavo/dashboard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, startIdentityProvider } from '../../../testing/identity-provider-server.ts'
import { startMailServer } from '../../../testing/mail-server.ts'
import { sendRaw } from '../../../testing/send-raw.ts'
import { ORIGIN } from '../../../testing/test-browser.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { fieldOf, type SentRequest, visitService } from '../../../testing/visit-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { NO_SIGN_IN } from '../sign-in-settings.ts'

const COOKIE = '__Host-octavo'
const EVIL = 'https://evil.example'
const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
const mails = await startMailServer()
const provider = await startIdentityProvider([`${ORIGIN}/sign-in/oidc/work/callback`])
const service = await startTestService({
  url: ORIGIN,
  blobStore: await openFolderStore(folder),
  secretKeys: SECRET_KEYS,
  allowPrivateHosts: ['127.0.0.1'],
  trustedProxies: ['127.0.0.1/32'],
  signIn: {
    ...NO_SIGN_IN,
    signUp: { kind: 'domains', domains: ['open.example'] },
    mail: { smtpUrl: mails.url, from: 'octavo@example.com' },
    providers: [
      {
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
        newPeople: true,
      },
    ],
  },
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

let project: TestProject
let victim: TestPerson
let mallory: TestPerson
let token = ''
beforeAll(async () => {
  project = await service.createProject()
  victim = await createPerson(service, project, 'owner')
  mallory = await createPerson(service, project, 'viewer')
  token = await tokenOf(victim)
})

let network = 0
/** Sends each request from a new network, so that no rate limit applies. */
function visit(path: string, sent: SentRequest = {}) {
  network += 1
  const from = `10.${network >> 8}.${network & 255}.1`
  return visitService(service, path, {
    ...sent,
    headers: { 'x-forwarded-for': from, ...sent.headers },
  })
}

async function tokenOf({ cookie }: Pick<TestPerson, 'cookie'>): Promise<string> {
  return fieldOf(await visit('/', { cookie }), 'token')
}

const isSignedIn = async (cookie: string) => (await visit('/', { cookie })).status === 200

/** Fills in a path with the victim's project and nonexistent ids. */
const pathOf = (path: string) =>
  path.replace(':projectId', project.publicId).replaceAll(/:\w+/g, 'x')

const pathsOf = (method: string) =>
  SCREENS.filter((screen) => screen.method === method).map(({ path }) => path)
/** The service's own pages whose forms change something for a signed-in person. */
const OWN_FORMS = [
  '/sign-out',
  '/device',
  '/account/passkeys',
  '/account/passkeys/options',
  '/account/recovery-codes',
]
/** Forms for signing in. They contain no token, so only the origin shows where they come from. */
const OPEN_FORMS = [
  '/sign-in/email',
  '/sign-in/email/code',
  '/sign-in/passkey',
  '/sign-in/passkey/options',
  '/sign-in/recovery',
  '/setup/x',
  '/login/x',
  '/invitations/x',
]
const FORMS = [...pathsOf('POST'), ...OWN_FORMS]

/** Returns a dump of everything that a form could have changed. */
async function everything(): Promise<string> {
  const tables = ['project', 'membership', 'invitation', 'api_key', 'connection', 'audit_event']
  const sessions = 'select id, user_id from user_session order by id'
  const rows = await Promise.all([
    ...tables.map((name) => service.owner.query(`select to_json(t)::text as row from ${name} t`)),
    service.owner.query(sessions),
  ])
  return JSON.stringify(rows.map((all) => all.map((row) => JSON.stringify(row)).toSorted()))
}

test('the tested forms include the forms of the dashboard', () => {
  expect(pathsOf('POST').length).toBeGreaterThan(20)
  expect(FORMS).toContain('/projects/:projectId/keys')
})

test("every form is accepted from our own page with the session's token", async () => {
  for (const path of FORMS.filter((one) => one !== '/sign-out')) {
    const reply = await visit(pathOf(path), { cookie: victim.cookie, form: { token } })
    expect(reply.text, path).not.toMatch(/form is too old|came from another site/)
  }
  for (const path of OPEN_FORMS) {
    const reply = await visit(path, { form: {} })
    expect(reply.text, path).not.toContain('came from another site')
  }
})

/** All kinds of forms that another site can send, with the cookie that a browser would add. */
const FORGERIES: readonly (readonly [
  string,
  (own: string) => SentRequest | Promise<SentRequest>,
])[] = [
  ['without a token', () => ({ form: {} })],
  ['with an empty token', () => ({ form: { token: '' } })],
  ['with a guessed token', () => ({ form: { token: 'A'.repeat(43) } })],
  ['with a token that is one character short', (own) => ({ form: { token: own.slice(1) } })],
  ['with the token twice, the first wrong', (own) => ({ body: `token=x&token=${own}` })],
  ['with the session itself as token', () => ({ form: { token: sessionOf(victim) } })],
  ["with another person's token", async () => ({ form: { token: await tokenOf(mallory) } })],
  ['from another origin', (own) => ({ form: { token: own }, headers: { origin: EVIL } })],
  ['from the origin null', (own) => ({ form: { token: own }, headers: { origin: 'null' } })],
  ['without an origin', (own) => ({ form: { token: own }, headers: { origin: '' } })],
  ['from a name that begins like ours', (own) => from(own, 'http://localhost:8080.evil.example')],
  ['from a name below ours', (own) => from(own, 'http://x.localhost:8080')],
  ['from another port', (own) => from(own, 'http://localhost:8081')],
  ['from another scheme', (own) => from(own, 'https://localhost:8080')],
  ['from our origin with a path', (own) => from(own, `${ORIGIN}/`)],
  ['from two origins', (own) => from(own, `${ORIGIN}, ${EVIL}`)],
  ['as a request that the browser calls cross-site', (own) => fetched(own, 'cross-site')],
  ['as a request that the browser calls same-site', (own) => fetched(own, 'same-site')],
  ['as a request that the browser calls user-initiated', (own) => fetched(own, 'none')],
  [
    'with only our referrer',
    (own) => ({ form: { token: own }, headers: { origin: '', referer: `${ORIGIN}/` } }),
  ],
  ['as JSON', (own) => typed('application/json', JSON.stringify({ token: own }))],
  ['as text that looks like a form', (own) => typed('text/plain', `token=${own}`)],
  [
    'as a multipart form',
    (own) =>
      typed(
        'multipart/form-data; boundary=x',
        `--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n${own}\r\n--x--\r\n`,
      ),
  ],
  ['without a content type', (own) => typed('', `token=${own}`)],
  ['with a second content type', (own) => typed(`${FORM_TYPE}, text/plain`, `token=${own}`)],
  ['with the token only in a header', (own) => ({ form: {}, headers: { 'x-token': own } })],
]
const FORM_TYPE = 'application/x-www-form-urlencoded'
const from = (own: string, origin: string) => ({ form: { token: own }, headers: { origin } })
const fetched = (own: string, site: string) => ({
  form: { token: own },
  headers: { 'sec-fetch-site': site },
})
const typed = (type: string, body: string) => ({ body, headers: { 'content-type': type } })
const sessionOf = ({ cookie }: TestPerson) => cookie.slice(COOKIE.length + 1)

describe('forged dashboard forms', () => {
  test.each(FORGERIES)('a form %s is rejected', async (_, make) => {
    const before = await everything()
    for (const path of FORMS) {
      const sent = await make(token)
      const reply = await visit(pathOf(path), { ...sent, cookie: victim.cookie })
      expect([path, reply.status]).toEqual([path, expect.toBeOneOf([400, 403])])
    }
    expect(await everything()).toBe(before)
  })

  test('forms sent with GET and their fields in the URL change nothing', async () => {
    const before = await everything()
    for (const path of FORMS) {
      const query = new URLSearchParams({ token, name: 'x', email: 'a@b.example', role: 'owner' })
      await visit(`${pathOf(path)}?${query}`, { cookie: victim.cookie })
    }
    expect(await everything()).toBe(before)
  })

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'a form sent with GET and the header %s changes nothing',
    async (header) => {
      const before = await everything()
      for (const path of FORMS)
        await visit(`${pathOf(path)}?token=${token}&_method=POST`, {
          cookie: victim.cookie,
          headers: { [header]: 'POST' },
        })
      expect(await everything()).toBe(before)
    },
  )

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'a form sent with the method %s is rejected',
    async (method) => {
      const before = await everything()
      for (const path of FORMS) {
        const reply = await visit(pathOf(path), { cookie: victim.cookie, method })
        expect([path, reply.status]).toEqual([path, 405])
      }
      expect(await everything()).toBe(before)
    },
  )

  test('the API ignores the session cookie', async () => {
    for (const path of ['/v1/me', '/v1/me/sessions', `/v1/projects/${project.publicId}/keys`]) {
      const reply = await visit(path, { cookie: victim.cookie })
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([401, null])
    }
    const preflight = await visit('/v1/me', {
      method: 'OPTIONS',
      headers: { origin: EVIL, 'access-control-request-method': 'GET' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('protection of pages from clickjacking', () => {
  const pages = [
    ...pathsOf('GET'),
    ...['/sign-in', '/sign-in?again', '/sign-in/recovery', '/device', '/setup/x', '/login/x'],
    ...['/invitations/x', '/sign-in/oidc/work', '/sign-in/oidc/nothing', '/connect/github?state=x'],
    ...[
      '/connect/github/prj_x',
      '/nothing',
      '/projects/prj_aaaaaaaaaaaaaaaa',
      '/_octavo/dashboard/x',
    ],
  ]
  test.each(pages)('the page %s cannot be framed', async (path) => {
    for (const cookie of [victim.cookie, undefined]) {
      const { headers } = await visit(pathOf(path), { cookie })
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).toContain("form-action 'self'")
      expect(headers.get('content-security-policy')).toContain("base-uri 'none'")
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('the page for a rejected form cannot be framed', async () => {
    const { headers } = await visit('/sign-out', { cookie: victim.cookie, form: {} })
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

/** Creates an operator's login link: the shortest way to sign in. */
async function loginLink(email: string): Promise<string> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  await runCommand(['login-link', email], { settings: service.settings, print, now: Date.now })
  return new URL(lines.at(-1) ?? '').pathname
}

async function signIn(email: string, cookie?: string): Promise<string> {
  const reply = await visit(await loginLink(email), { form: {}, cookie })
  const set = reply.cookies.find((one) => one.startsWith(`${COOKIE}=`))
  return set?.split(';')[0] ?? ''
}

describe('session fixation', () => {
  test('signing in replaces a planted session', async () => {
    const planted = `${COOKIE}=${createToken('session')}`
    const cookie = await signIn(victim.email, planted)
    expect(cookie).not.toBe(planted)
    expect(await isSignedIn(cookie)).toBe(true)
    expect(await isSignedIn(planted)).toBe(false)
  })

  test('signing in with a session cookie of the attacker ends that session', async () => {
    const person = await createPerson(service, project, 'viewer')
    const cookie = await signIn(victim.email, person.cookie)
    expect(cookie).not.toBe(person.cookie)
    // The session has also ended in the service, not only in this browser.
    expect(await isSignedIn(person.cookie)).toBe(false)
    expect((await visit('/', { cookie })).text).toContain(victim.email)
  })

  test('signing in again ends the previous session', async () => {
    const first = await signIn(victim.email)
    const second = await signIn(victim.email, first)
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
  })

  test('a form token of the previous session is rejected in the new one', async () => {
    const first = await signIn(victim.email)
    const old = await tokenOf({ cookie: first })
    const second = await signIn(victim.email, first)
    const reply = await visit('/sign-out', { cookie: second, form: { token: old } })
    expect([reply.status, await isSignedIn(second)]).toEqual([403, true])
  })

  test('a session token in the URL, a header or a form is ignored', async () => {
    const session = sessionOf(victim)
    for (const name of ['session', 'token', COOKIE])
      expect((await visit(`/?${new URLSearchParams({ [name]: session })}`)).status).toBe(303)
    const headers = { authorization: `Bearer ${session}` }
    expect((await visit('/', { headers })).status).toBe(303)
    expect((await visit('/', { form: { [COOKIE]: session } })).status).toBe(303)
  })

  test('signing out ends the session for every copy of its cookie', async () => {
    const cookie = await signIn(victim.email)
    await visit('/sign-out', { cookie, form: { token: await tokenOf({ cookie }) } })
    expect(await isSignedIn(cookie)).toBe(false)
  })

  test('removing a role takes effect with the next request of the person', async () => {
    const person = await createPerson(service, project, 'admin')
    const path = `/projects/${project.publicId}/keys`
    const form = { token: await tokenOf(person), name: 'x', kind: 'admin', days: '30' }
    expect((await visit(path, { cookie: person.cookie })).status).toBe(200)
    await service.owner.query(`update membership set role = 'viewer' where user_id = $1`, [
      person.id,
    ])
    expect((await visit(path, { cookie: person.cookie })).status).toBe(403)
    expect((await visit(path, { cookie: person.cookie, form })).status).toBe(403)
    await service.owner.query('delete from membership where user_id = $1', [person.id])
    expect((await visit(path, { cookie: person.cookie })).status).toBe(404)
  })

  test('a person who is disabled is signed out', async () => {
    const person = await createPerson(service, project, 'admin')
    await service.owner.query('update app_user set disabled_at = now() where id = $1', [person.id])
    expect(await isSignedIn(person.cookie)).toBe(false)
  })
})

describe('cookie tossing', () => {
  const own = () => sessionOf(victim)
  const cookies: readonly (readonly [string, () => string])[] = [
    ['before another of the same name', () => `${victim.cookie}; ${mallory.cookie}`],
    ['after another of the same name', () => `${mallory.cookie}; ${victim.cookie}`],
    ['after an empty one of the same name', () => `${COOKIE}=; ${victim.cookie}`],
    ['sent twice', () => `${victim.cookie}; ${victim.cookie}`],
    ['without its prefix', () => `octavo=${own()}`],
    ['with the weaker prefix', () => `__Secure-octavo=${own()}`],
    ['with its prefix in lower case', () => `__host-octavo=${own()}`],
    ['with a name that ends like ours', () => `x__Host-octavo=${own()}`],
    ['in quotes', () => `${COOKIE}="${own()}"`],
    ['with an encoded name', () => `%5F%5FHost-octavo=${own()}`],
    ['with a command line token', () => `${COOKIE}=${victim.token}`],
    ['with an API key', () => `${COOKIE}=${project.token}`],
    ['with a link token', () => `${COOKIE}=${createToken('link')}`],
    ['under the names of other cookies', () => `${COOKIE}-email=${own()}; ${COOKIE}-oidc=${own()}`],
    ['with a suffix', () => `${COOKIE}=${own()}x`],
    ['with a token after a comma', () => `${COOKIE}=x,${own()}`],
  ]
  test.each(cookies)('a session cookie %s is ignored', async (_, make) => {
    expect((await visit('/', { cookie: make() })).status).toBe(303)
  })

  test('all cookies have the __Host- prefix and no domain', async () => {
    const set = [
      ...(await visit(await loginLink(victim.email), { form: {} })).cookies,
      ...(await visit('/sign-in/email', { form: { email: victim.email } })).cookies,
      ...(await visit('/sign-in/oidc/work')).cookies,
      ...(await visit('/sign-in/passkey/options', { form: {} })).cookies,
    ]
    expect(set).toHaveLength(4)
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-octavo[\w-]*=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax/)
      expect(cookie).not.toMatch(/domain=/i)
    }
  })

  test('the callback of a sign-in that another browser began is rejected', async () => {
    const begun = await visit('/sign-in/oidc/work')
    const state = new URL(begun.location ?? '').searchParams.get('state') ?? ''
    const mine = await visit('/sign-in/oidc/work')
    const reply = await visit(`/sign-in/oidc/work/callback?code=x&state=${state}`, {
      cookie: mine.cookies[0]?.split(';')[0],
    })
    expect([reply.status, reply.cookies.join()]).toEqual([
      403,
      expect.not.stringContaining(`${COOKIE}=octavo`),
    ])
  })
})

const OUTSIDE = [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%09/evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  'http:evil.example',
  ' //evil.example',
  'https:/\\evil.example',
  '/％2f/evil.example',
]

/** Returns true if a browser would stay on our origin when it follows this redirect. */
function staysOnOrigin(location: string | null): boolean {
  const url = URL.parse(location ?? '', `${ORIGIN}/sign-in`)
  return url?.origin === ORIGIN && !url.pathname.startsWith('//')
}

describe('open redirects', () => {
  let people = 0
  test.each(OUTSIDE)(
    'no sign-in method redirects to another origin for `next` = %j',
    async (next) => {
      const query = new URLSearchParams({ next })
      const done = await visit(`/sign-in?${query}`, { cookie: victim.cookie })
      expect([done.status, staysOnOrigin(done.location)]).toEqual([303, true])
      for (const path of [`/sign-in?${query}`, `/sign-in?again&${query}`]) {
        const { text } = await visit(path, {
          cookie: path.includes('again') ? victim.cookie : undefined,
        })
        for (const [, found = ''] of text.matchAll(/(?:name="next" value|data-next)="([^"]*)"/g))
          expect(staysOnOrigin(unescapeHtml(found)), found).toBe(true)
        for (const [, found = ''] of text.matchAll(/href="([^"]*oidc[^"]*)"/g))
          expect(staysOnOrigin(new URL(unescapeHtml(found), ORIGIN).searchParams.get('next'))).toBe(
            true,
          )
      }

      people += 1
      const email = `new-${people}@open.example`
      const sent = await visit('/sign-in/email', { form: { email, next } })
      const code = /\b\d{6}\b/.exec((await mails.next(email)).text)?.[0] ?? ''
      const typedIn = await visit('/sign-in/email/code', {
        form: { code, next },
        cookie: sent.cookies[0]?.split(';')[0],
      })
      expect([typedIn.status, staysOnOrigin(typedIn.location)]).toEqual([303, true])

      provider.accounts.set(`account-${people}`, {
        email: `w${people}@open.example`,
        email_verified: true,
      })
      const begun = await visit(`/sign-in/oidc/work?${query}`)
      const back = await provider.authorize(begun.location ?? '', `account-${people}`)
      const cookie = begun.cookies[0]?.split(';')[0]
      const finished = await visit(back.pathname + back.search, { cookie })
      expect([finished.status, staysOnOrigin(finished.location)]).toEqual([303, true])

      const refused = await visit('/sign-in/passkey', { form: { next, credential: '{}' } })
      expect(refused.text).not.toMatch(/(?:name="next" value|data-next)="[^"/]/)
    },
  )

  test('a dashboard page never redirects to another origin for signing in', async () => {
    for (const path of ['//evil.example/x', '/\\evil.example', '/%2F/evil.example']) {
      const reply = await visit(path)
      if (reply.location === null) continue
      expect(staysOnOrigin(reply.location)).toBe(true)
      const next = new URL(reply.location, ORIGIN).searchParams.get('next')
      expect(
        staysOnOrigin(
          (
            await visit(`/sign-in?${new URLSearchParams({ next: next ?? '/' })}`, {
              cookie: victim.cookie,
            })
          ).location,
        ),
      ).toBe(true)
    }
  })

  test('a login link redirects to the start page, whatever its query says', async () => {
    const path = `${await loginLink(victim.email)}?next=//evil.example`
    expect((await visit(path, { form: { next: EVIL } })).location).toBe('/')
  })
})

const unescapeHtml = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

describe('spoofed host headers', () => {
  const headers: readonly (readonly [string, string])[] = [
    ['Host', 'evil.example'],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Port', '666'],
    ['X-Original-Host', 'evil.example'],
    ['X-Host', 'evil.example'],
    ['Forwarded', 'host=evil.example;proto=http'],
    ['X-Original-URL', '/v1/openapi.json'],
    ['X-Rewrite-URL', '/v1/openapi.json'],
  ]
  const raw = async (start: string, lines: readonly string[], body = '') => {
    const named = lines.some((line) => line.startsWith('Host:'))
      ? lines
      : ['Host: localhost', ...lines]
    const length = body === '' ? [] : [`Content-Length: ${body.length}`]
    const text = [`${start} HTTP/1.1`, ...named, ...length, 'Connection: close', '', body].join(
      '\r\n',
    )
    const [reply] = await sendRaw(service.port, text)
    if (reply === undefined) throw new Error('no reply')
    return reply
  }

  test.each(headers)('the header %s: %s changes no links and no redirects', async (name, value) => {
    const line = `${name}: ${value}`
    const away = await raw('GET /projects/x', [line])
    expect(away.headers.get('location')).toBe('/sign-in?next=%2Fprojects%2Fx')
    const page = await raw('GET /sign-in', [line])
    expect([page.status, page.body]).toEqual([200, expect.not.stringContaining('evil.example')])
    const begun = await raw('GET /sign-in/oidc/work', [line])
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('redirect_uri')).toBe(
      `${ORIGIN}/sign-in/oidc/work/callback`,
    )
    const keys = await raw(`GET /projects/${project.publicId}/keys`, [
      line,
      `Cookie: ${victim.cookie}`,
    ])
    expect(keys.body).toContain(`${ORIGIN}/v1/`)
    expect(keys.body).not.toContain('evil.example')
  })

  test('a form from the origin of the spoofed host is rejected', async () => {
    for (const host of ['evil.example', 'localhost.evil.example:8080']) {
      const lines = [
        `Host: ${host}`,
        `Origin: http://${host}`,
        `X-Forwarded-Host: ${host}`,
        `Cookie: ${victim.cookie}`,
        `Content-Type: ${FORM_TYPE}`,
      ]
      const reply = await raw('POST /sign-out', lines, `token=${token}`)
      expect(reply.status).toBe(403)
    }
    expect(await isSignedIn(victim.cookie)).toBe(true)
  })

  test('links in an e-mail use our own origin', async () => {
    const email = 'host@open.example'
    const body = `email=${encodeURIComponent(email)}`
    const lines = ['Host: evil.example', 'X-Forwarded-Host: evil.example', `Origin: ${ORIGIN}`]
    await raw('POST /sign-in/email', [...lines, `Content-Type: ${FORM_TYPE}`], body)
    const mail = await mails.next(email)
    expect(mail.links.length).toBeGreaterThan(0)
    for (const link of mail.links) expect(new URL(link).origin).toBe(ORIGIN)
  })

  test('a request with two hosts or an empty host is rejected', async () => {
    const two = await raw('GET /', ['Host: localhost', 'Host: evil.example'])
    expect(two.status).toBe(400)
    const none = await raw('GET /', ['Host:'])
    expect(none.status).toBe(400)
  })
})

describe('login CSRF', () => {
  test.each([
    ['from another origin', { origin: EVIL }],
    ['without an origin', { origin: '' }],
    ['from the origin null of a sandboxed frame', { origin: 'null' }],
    ['as a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])('every form for signing in is rejected when it is sent %s', async (_, headers) => {
    for (const path of OPEN_FORMS) {
      const reply = await visit(path, { form: { email: mallory.email, code: '1' }, headers })
      expect([path, reply.status, reply.cookies]).toEqual([path, 403, []])
    }
  })

  test.each([
    ['from another origin', { origin: EVIL }],
    ['as a cross-site request', { 'sec-fetch-site': 'cross-site' }],
  ])("the attacker's login link, submitted %s, is rejected", async (_, headers) => {
    const path = await loginLink(mallory.email)
    const reply = await visit(path, { form: {}, cookie: victim.cookie, headers })
    expect([reply.status, reply.cookies]).toEqual([403, []])
    expect(await isSignedIn(victim.cookie)).toBe(true)
    expect((await visit(path)).status).toBe(200)
  })

  test("the attacker's login link as an image or a frame does nothing", async () => {
    const path = await loginLink(mallory.email)
    for (const dest of ['image', 'iframe', 'document'])
      expect(
        (await visit(path, { cookie: victim.cookie, headers: { 'sec-fetch-dest': dest } })).cookies,
      ).toEqual([])
    expect(await isSignedIn(victim.cookie)).toBe(true)
  })

  test("the attacker's provider code is rejected in the victim's browser", async () => {
    provider.accounts.set('mallory', { email: 'mallory@open.example', email_verified: true })
    const begun = await visit('/sign-in/oidc/work')
    const back = await provider.authorize(begun.location ?? '', 'mallory')
    const reply = await visit(back.pathname + back.search, { cookie: victim.cookie })
    expect(reply.status).toBe(403)
    expect((await visit('/', { cookie: victim.cookie })).text).toContain(victim.email)
  })

  test("the attacker's e-mail code is rejected in the victim's browser", async () => {
    const email = 'mallory-code@open.example'
    await visit('/sign-in/email', { form: { email } })
    const code = /\b\d{6}\b/.exec((await mails.next(email)).text)?.[0] ?? ''
    const reply = await visit('/sign-in/email/code', { form: { code }, cookie: victim.cookie })
    expect(reply.status).toBe(403)
  })
})

describe('logout CSRF', () => {
  const attempts: readonly (readonly [string, () => SentRequest])[] = [
    ['a link', () => ({})],
    [
      'an image',
      () => ({ headers: { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' } }),
    ],
    ['a form from another origin', () => ({ form: {}, headers: { origin: EVIL } })],
    [
      'a form from another origin with the right token',
      () => ({ form: { token }, headers: { origin: EVIL } }),
    ],
    ['a form without a token', () => ({ form: {} })],
    ['a HEAD request', () => ({ method: 'HEAD' })],
    ['a DELETE request', () => ({ method: 'DELETE' })],
  ]
  test.each(attempts)('%s does not sign the victim out', async (_, make) => {
    await visit('/sign-out', { ...make(), cookie: victim.cookie })
    expect(await isSignedIn(victim.cookie)).toBe(true)
  })

  test('a sign-out form with the token of another session ends no session', async () => {
    const other = await signIn(mallory.email)
    const form = { token: await tokenOf({ cookie: other }) }
    expect((await visit('/sign-out', { cookie: victim.cookie, form })).status).toBe(403)
    expect([await isSignedIn(victim.cookie), await isSignedIn(other)]).toEqual([true, true])
  })
})
