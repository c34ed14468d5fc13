/** Tests sign-in with the requests of a browser: links, cookies, forms, and rejected requests. */

import type { CreatedInvitation } from '@octavo/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { safePath } from '../../people/sign-in/forms.ts'
import { runCommand } from '../commands/run-command.ts'

const ORIGIN = 'http://localhost:8080'
const settings = { url: ORIGIN }
const FIELDS = {
  name: 'Amara Okafor',
  email: 'Amara@example.com',
  organization: 'Greenhouse',
  project: 'Sensor docs',
}

type Sent = {
  readonly cookie?: string
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
}

/** Sends a request without following redirects, by default with the service's own origin. */
async function visit(service: TestService, path: string, { cookie, form, headers }: Sent = {}) {
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(form !== undefined && {
        origin: ORIGIN,
        'content-type': 'application/x-www-form-urlencoded',
      }),
      ...headers,
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  })
  const text = await response.text()
  const set = response.headers.get('set-cookie')
  return {
    status: response.status,
    headers: response.headers,
    text,
    location: response.headers.get('location'),
    setCookie: set,
    cookie: set?.split(';')[0] ?? '',
  }
}

const pathOf = (url: string | undefined) => new URL(url ?? '').pathname

describe('setup of the first owner', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startTestService(settings)
    return () => service.stop()
  })

  test('the setup link from the log creates the organization and signs in its first owner', async () => {
    const url = await service.service.createSetupLink()
    expect(url).toMatch(/^http:\/\/localhost:8080\/setup\/octavo_lnk_\w+$/)
    const page = await visit(service, pathOf(url))
    expect(page.status).toBe(200)
    expect(page.text).toContain('name="organization"')
    const done = await visit(service, pathOf(url), { form: FIELDS })
    expect(done.status).toBe(303)
    expect(done.location).toMatch(/^\/projects\/prj_\w+$/)
    expect(done.setCookie).toMatch(
      /^__Host-octavo=octavo_ses_\w+; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    expect((await visit(service, '/', { cookie: done.cookie })).location).toBe('/keep-access')
    const rows = await service.owner.query(
      `select u.email, m.role, o.name as organization, p.slug from membership m
         join app_user u on u.id = m.user_id join organization o on o.id = m.organization_id
         join project p on p.organization_id = o.id`,
    )
    expect(rows).toEqual([
      {
        email: 'amara@example.com',
        role: 'owner',
        organization: 'Greenhouse',
        slug: 'sensor-docs',
      },
    ])
    // The link was used, all other setup links are invalid too, and no new ones are created.
    expect((await visit(service, pathOf(url))).status).toBe(404)
    expect((await visit(service, pathOf(url), { form: FIELDS })).status).toBe(404)
    expect(await service.service.createSetupLink()).toBeUndefined()
  })

  test('two setup links used at the same time create one owner', async () => {
    const links = [await service.service.createSetupLink(), await service.service.createSetupLink()]
    const done = await Promise.all(
      links.map((url, index) =>
        visit(service, pathOf(url), { form: { ...FIELDS, email: `a${index}@example.com` } }),
      ),
    )
    expect(done.map(({ status }) => status).toSorted()).toEqual([303, 404])
    expect(await service.owner.query('select id from app_user')).toHaveLength(1)
  })

  test('the setup form shows all errors at once and keeps the input', async () => {
    const path = pathOf(await service.service.createSetupLink())
    const page = await visit(service, path, { form: { ...FIELDS, email: 'nobody', name: ' ' } })
    expect(page.status).toBe(422)
    expect(page.text).toContain('Enter your name.')
    expect(page.text).toContain('Enter an e-mail address')
    expect(page.text).toContain('value="Greenhouse"')
    expect(await service.owner.query('select id from app_user')).toEqual([])
  })

  test('the first visitor cannot set up the service without the link', async () => {
    expect((await visit(service, '/')).location).toBe('/sign-in')
    for (const path of [
      '/setup/x',
      '/setup/x.',
      '/setup/octavo_lnk_00000000000000000000000000000000000000',
    ])
      expect((await visit(service, path, { form: FIELDS })).status).toBe(404)
  })

  test('a setup link expires after an hour', async () => {
    const path = pathOf(await service.service.createSetupLink())
    await service.owner.query(`update sign_in_link set expires_at = now()`)
    expect((await visit(service, path)).status).toBe(404)
    expect((await visit(service, path, { form: FIELDS })).status).toBe(404)
  })
})

describe('sign-in with existing users', () => {
  let service: TestService
  let project: TestProject
  let admin: TestPerson
  beforeAll(async () => {
    service = await startTestService(settings)
    project = await service.createProject()
    await createPerson(service, project, 'owner')
    admin = await createPerson(service, project, 'admin')
  })
  afterAll(() => service.stop())

  async function run(...args: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await runCommand(args, { settings: service.settings, print, now: Date.now })
    return lines
  }

  test.each(['/v2/analytics/x/assistant', '/V1/projects', '/v1/', '/problems/invalid-request'])(
    'the path %s returns a problem of the API instead of the sign-in page',
    async (path) => {
      const { status, headers } = await visit(service, path)
      expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    },
  )

  test('a login link survives mail scanners and can be used once', async () => {
    const path = pathOf((await run('login-link', admin.email)).at(-1))
    for (let count = 0; count < 3; count += 1)
      expect((await visit(service, path)).text).toContain('<form method="post"')
    const done = await visit(service, path, { form: {} })
    expect(done.status).toBe(303)
    expect((await visit(service, path, { form: {} })).status).toBe(404)
    expect((await visit(service, '/', { cookie: done.cookie })).status).toBe(200)
    await expect(run('login-link', 'nobody@example.com')).rejects.toThrow('No user has the address')
  })

  test('`user create` creates a person with a role and prints a link', async () => {
    const [first, link] = await run(
      'user',
      'create',
      'Mei@Example.com',
      '--organization',
      'Test',
      '--role',
      'analyst',
      '--name',
      'Mei Tanaka',
    )
    expect(first).toContain('mei@example.com is analyst of Test.')
    expect((await visit(service, pathOf(link), { form: {} })).status).toBe(303)
    await expect(run('user', 'create', 'x', '--organization', 'Test')).rejects.toThrow('e-mail')
    await expect(
      run('user', 'create', 'a@b.co', '--organization', 'Test', '--role', 'king'),
    ).rejects.toThrow('Unknown role "king"')
  })

  describe('invitations', () => {
    async function invite(email: string): Promise<string> {
      const response = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email, role: 'viewer' }),
      })
      return pathOf(((await response.json()) as CreatedInvitation).url)
    }

    test('an invitation creates the invited person and can be used once', async () => {
      const path = await invite('sofia@example.com')
      expect((await visit(service, path)).text).toContain('sofia@example.com')
      const done = await visit(service, path, { form: {} })
      expect(done.status).toBe(303)
      expect((await visit(service, path, { form: {} })).status).toBe(404)
    })

    test('an invitation does not sign in an existing user, since the inviter has the link too', async () => {
      const [victim] = await run('user', 'create', 'victim@example.com', '--organization', 'Other')
      expect(victim).toContain('victim@example.com')
      const path = await invite('victim@example.com')
      for (const cookie of [undefined, admin.cookie]) {
        const refused = await visit(service, path, { form: {}, ...(cookie && { cookie }) })
        expect([refused.status, refused.setCookie]).toEqual([403, null])
      }
      const link = pathOf((await run('login-link', 'victim@example.com')).at(-1))
      const { cookie } = await visit(service, link, { form: {} })
      expect((await visit(service, path, { form: {}, cookie })).status).toBe(303)
    })
  })

  describe('cross-site form submissions', () => {
    const refused: readonly (readonly [string, Record<string, string>])[] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['no origin at all', { origin: '' }],
      ['the origin null', { origin: 'null' }],
      ['another port', { origin: 'http://localhost:8081' }],
      ['another scheme', { origin: 'https://localhost:8080' }],
      ['a subdomain of ours', { origin: 'http://x.localhost:8080' }],
      ['ours, with a browser that says it was another site', { 'sec-fetch-site': 'cross-site' }],
      ['our origin, from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ]
    test.each(refused)('a form from %s is rejected', async (_, headers) => {
      const reply = await visit(service, '/sign-out', { cookie: admin.cookie, form: {}, headers })
      expect(reply.status).toBe(403)
      expect((await visit(service, '/', { cookie: admin.cookie })).status).toBe(200)
    })

    test.each([
      ['no token', {}],
      ['a wrong one', { token: 'x' }],
      ['an empty one', { token: '' }],
    ])('a form without a valid token is rejected: %s', async (_, form) => {
      expect((await visit(service, '/sign-out', { cookie: admin.cookie, form })).status).toBe(403)
    })

    test('forms with JSON or multipart bodies are rejected', async () => {
      for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
        const headers = { 'content-type': type }
        const reply = await visit(service, '/sign-out', { cookie: admin.cookie, form: {}, headers })
        expect(reply.status).toBe(400)
      }
    })
  })

  test('a request with two session cookies is anonymous, since a sibling site could have set one', async () => {
    const cookie = `__Host-octavo=octavo_ses_x; ${admin.cookie}`
    expect((await visit(service, '/', { cookie })).status).toBe(303)
  })

  test('a command-line token is not accepted as a cookie, nor a cookie as a token', async () => {
    expect((await visit(service, '/', { cookie: `__Host-octavo=${admin.token}` })).status).toBe(303)
    const api = await fetch(`${service.url}/v1/me`, { headers: { cookie: admin.cookie } })
    expect(api.status).toBe(401)
  })

  test('signing out ends the session at once', async () => {
    const path = pathOf((await run('login-link', admin.email)).at(-1))
    const { cookie } = await visit(service, path, { form: {} })
    const page = await visit(service, '/', { cookie })
    const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const done = await visit(service, '/sign-out', { cookie, form: { token } })
    expect([done.status, done.location]).toEqual([303, '/sign-in'])
    expect(done.setCookie).toContain('Max-Age=0')
    expect((await visit(service, '/', { cookie })).location).toBe('/sign-in')
  })

  test('a session ends after 12 idle hours or a week', async () => {
    for (const change of [`last_seen_at = now() - interval '12 hours'`, `expires_at = now()`]) {
      const person = await createPerson(service, project, 'viewer')
      expect((await visit(service, '/', { cookie: person.cookie })).status).toBe(200)
      await service.owner.query(`update user_session set ${change} where user_id = $1`, [person.id])
      expect((await visit(service, '/', { cookie: person.cookie })).status).toBe(303)
    }
  })

  test('every page has security headers, even an error page', async () => {
    for (const path of ['/sign-in', '/setup/x', '/projects/x/keys']) {
      const { headers } = await visit(service, path)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('private, no-store')
    }
  })
})

test.each([
  ['/projects/x?a=b', '/projects/x?a=b'],
  ['/', '/'],
  [null, '/'],
  ['', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\nb', '/'],
  ['/\t/evil.example', '/'],
  ['/..//evil.example', '/'],
  ['/docs//evil.example', '/'],
  ['/docs/x?next=a//b', '/docs/x?next=a//b'],
])('after sign-in, next=%j redirects to %s', (next, path) => {
  expect(safePath(next)).toBe(path)
})

test.each([
  ['http://octavo.localhost:8080', true],
  ['http://octavo.example:8080', false],
])('the sign-in page at %s offers passkeys and sessions: %s', async (url, isOffered) => {
  const service = await startTestService({ url })
  const { text } = await visit(service, '/sign-in')
  await service.stop()
  expect(text.includes('Use a passkey')).toBe(isOffered)
  expect(text.includes('Sessions need HTTPS')).toBe(!isOffered)
})
