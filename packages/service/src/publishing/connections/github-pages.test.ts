/**
 * Connects repositories through the GitHub App, with a fake GitHub on loopback, and tests all cases
 * that are rejected.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  GITHUB_APP_ID,
  GITHUB_APP_KEY,
  startGitHubHost,
} from '../../../testing/git-hosts/github-host.ts'
import { GITHUB_CLIENT } from '../../../testing/git-hosts/github-people.ts'
import { ORIGIN } from '../../../testing/test-browser.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { fieldOf, type Visited, visitService } from '../../../testing/visit-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { ConnectionStore } from './store.ts'

const MINUTE_MS = 60_000
let nowMs = Date.parse('2026-11-16T12:00:00Z')
const now = () => nowMs
const host = await startGitHubHost({ repository: 'acme/docs', token: 'none', now })
const app = {
  id: GITHUB_APP_ID,
  key: GITHUB_APP_KEY,
  url: host.url,
  webhookSecret: 'webhook-secret-1234',
  client: GITHUB_CLIENT,
}
const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
const settings = {
  url: ORIGIN,
  secretKeys: SECRET_KEYS,
  allowPrivateHosts: ['127.0.0.1'],
  blobStore: await openFolderStore(folder),
}
const service = await startTestService({ ...settings, gitHubApp: app, now })
afterAll(async () => {
  await service.stop()
  host.stop()
  rmSync(folder, { recursive: true, force: true })
})

const OWN = {
  id: host.installationId,
  appId: GITHUB_APP_ID,
  repositories: [
    { name: 'acme/docs', push: true },
    { name: 'acme/only-read', push: false },
  ],
}
let project: TestProject
let owner: TestPerson
let codes = 0
beforeEach(async () => {
  project = await service.createProject()
  owner = await createPerson(service, project, 'owner')
  Object.assign(host.state, { installed: true, suspended: false })
})

/** Creates an OAuth code for a person who can use these installations. */
function codeOf(...installations: readonly (typeof OWN & { suspended?: boolean })[]): string {
  codes += 1
  host.people.codes.set(`code${codes}`, installations)
  return `code${codes}`
}

type Started = { readonly reply: Visited; readonly state: string; readonly cookie: string }

/**
 * Starts the redirect to GitHub. Returns its response, its state, and the cookies of the browser
 * afterwards.
 */
async function leave(person: TestPerson = owner, query = ''): Promise<Started> {
  const path = `/connect/github/${project.publicId}${query}`
  const reply = await visitService(service, path, { cookie: person.cookie })
  const state = URL.parse(reply.location ?? '')?.searchParams.get('state') ?? ''
  return { reply, state, cookie: withCookies(person, reply) }
}

const withCookies = (person: TestPerson, { cookies }: Visited) =>
  [person.cookie, ...cookies.map((one) => one.split(';')[0])].join('; ')

const comeBack = (cookie: string, query: Readonly<Record<string, string>>) =>
  visitService(service, `/connect/github?${new URLSearchParams(query)}`, { cookie })

/** Returns from GitHub to the page for choosing a repository. */
async function choose(): Promise<Visited> {
  const { state, cookie } = await leave()
  const installation_id = host.installationId
  return comeBack(cookie, { state, code: codeOf(OWN), installation_id, setup_action: 'install' })
}

const connect = (
  page: Visited,
  form: Readonly<Record<string, string>> = {},
  cookie = owner.cookie,
) =>
  visitService(service, `/projects/${project.publicId}/connection`, {
    cookie,
    form: {
      token: fieldOf(page, 'token'),
      grant: fieldOf(page, 'grant'),
      credential: 'github-app',
      url: host.repositoryUrl,
      folder: 'docs',
      previews: 'on',
      ...form,
    },
  })

const stored = () => new ConnectionStore(service.service.database.forProject(project.tenant)).find()

describe('people with access to the installation', () => {
  test('a person installs the app, chooses a repository and connects it', async () => {
    const { reply, state, cookie } = await leave()
    expect(reply.status).toBe(303)
    expect(reply.location).toBe(
      `${host.url}/github-apps/octavo-docs/installations/new?state=${state}`,
    )
    expect(state).toMatch(/^[\w-]{43}$/)
    expect(reply.cookies).toEqual([
      expect.stringMatching(
        /^__Host-octavo-github=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=1800$/,
      ),
    ])
    const page = await comeBack(cookie, {
      state,
      code: codeOf(OWN),
      installation_id: host.installationId,
      setup_action: 'install',
    })
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>Choose a repository</h1>')
    expect(page.text).toContain(`<option value="${host.repositoryUrl}">acme/docs</option>`)
    expect(page.text).not.toContain('only-read')
    expect(page.cookies).toEqual([expect.stringContaining('Max-Age=0')])
    const done = await connect(page)
    expect(done.status).toBe(201)
    expect(done.text).toContain('the GitHub App reports pushes')
    expect(await stored()).toMatchObject({
      url: host.repositoryUrl,
      provider: 'github',
      credential: 'github-app',
      installationId: host.installationId,
      folder: 'docs',
      previews: true,
      forks: false,
    })
    const audit = await service.owner.query(
      `select actor, action, after from audit_event where project_id = $1 and action like 'connection.%'`,
      [project.id],
    )
    expect(audit).toEqual([
      {
        actor: `user ${owner.public_id}`,
        action: 'connection.add',
        after: expect.objectContaining({ url: host.repositoryUrl, credential: 'github-app' }),
      },
    ])
    const seen = service.log.join() + page.text + done.text + JSON.stringify(audit)
    expect(seen).not.toMatch(/ghu_canary|client-secret-canary/)
  })

  test('a person only authorizes the app if it is already installed', async () => {
    const { reply, state, cookie } = await leave(owner, '?installed')
    const address = new URL(reply.location ?? '')
    expect(address.origin + address.pathname).toBe(`${host.url}/login/oauth/authorize`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: GITHUB_CLIENT.id,
      redirect_uri: `${ORIGIN}/connect/github`,
      state,
    })
    const page = await comeBack(cookie, { state, code: codeOf(OWN) })
    expect(page.text).toContain('>acme/docs</option>')
    expect((await connect(page)).status).toBe(201)
  })

  test('a callback without a code leads to the authorization for the same installation', async () => {
    const first = await leave()
    const change = { installation_id: host.installationId, setup_action: 'update' }
    const again = await comeBack(first.cookie, { state: first.state, ...change })
    expect(again.location).toContain('/login/oauth/authorize')
    const state = new URL(again.location ?? '').searchParams.get('state') ?? ''
    expect(state).not.toBe(first.state)
    const other = { ...OWN, id: '77', repositories: [{ name: 'acme/other', push: true }] }
    const cookie = withCookies(owner, again)
    const page = await comeBack(cookie, { state, code: codeOf(OWN, other) })
    expect(page.text).toContain('>acme/docs</option>')
    expect(page.text).not.toContain('acme/other')
  })

  test('the page says if there are no repositories, or too many to list', async () => {
    const nothing = { ...OWN, repositories: OWN.repositories.slice(1) }
    const many = Array.from({ length: 601 }, (_, n) => ({ name: `acme/n${n}`, push: true }))
    const open = async (installation: typeof OWN) => {
      const { state, cookie } = await leave(owner, '?installed')
      return (await comeBack(cookie, { state, code: codeOf(installation) })).text
    }
    expect(await open(nothing)).toContain('There are no repositories to choose from.')
    const page = await open({ ...OWN, repositories: many })
    expect(page).toContain('more repositories than can be listed')
    expect(page.match(/<option/g)).toHaveLength(500)
  })

  test('the page says if an organization owner has to approve the app', async () => {
    const { state, cookie } = await leave()
    const page = await comeBack(cookie, { state, setup_action: 'request' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('has to approve')])
  })

  test('a person can choose again after entering an invalid folder', async () => {
    const page = await choose()
    const refused = await connect(page, { folder: '../..' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Expected a path inside the repository')
    expect(refused.text).toContain('>acme/docs</option>')
    expect((await connect(refused)).status).toBe(201)
  })
})

/** A callback from GitHub, which the cases below change to make it invalid. */
type Return = {
  readonly cookie: string
  readonly query: Record<string, string>
}
const RETURNS: readonly (readonly [
  title: string,
  change: (good: Return) => Return | Promise<Return>,
  status: number,
])[] = [
  ['without a state', ({ cookie, query: { state: _, ...query } }) => ({ cookie, query }), 403],
  ['with another state', ({ cookie, query }) => ({ cookie, query: { ...query, state: 'x' } }), 403],
  [
    'with the state of another attempt',
    async ({ cookie, query }) => ({ cookie, query: { ...query, state: (await leave()).state } }),
    403,
  ],
  ['without the cookie', ({ query }) => ({ cookie: owner.cookie, query }), 403],
  [
    'with two cookies',
    ({ cookie, query }) => ({ cookie: `${cookie}; __Host-octavo-github=x`, query }),
    403,
  ],
  [
    'with a cookie name without its prefix',
    ({ cookie, query }) => ({
      cookie: cookie.replace('__Host-octavo-github', 'octavo-github'),
      query,
    }),
    403,
  ],
  [
    'with a changed cookie',
    ({ cookie, query }) => ({ cookie: cookie.replace(/\.[\w-]+$/, '.AAAA'), query }),
    403,
  ],
  [
    'with the cookie of another purpose',
    ({ cookie, query }) => ({ cookie: cookie.replace('-github=', '-oidc='), query }),
    403,
  ],
  [
    'by a person who is signed out',
    ({ cookie, query }) => ({ cookie: cookie.replace(`${owner.cookie}; `, ''), query }),
    403,
  ],
  [
    'in another session of the same person',
    async ({ cookie, query }) => {
      const other = await createPerson(service, project, 'owner')
      await service.owner.query('update user_session set user_id = $1 where user_id = $2', [
        owner.id,
        other.id,
      ])
      return { cookie: cookie.replace(owner.cookie, other.cookie), query }
    },
    403,
  ],
  [
    'by another person with a role',
    async ({ cookie, query }) => {
      const other = await createPerson(service, project, 'owner')
      return { cookie: cookie.replace(owner.cookie, other.cookie), query }
    },
    403,
  ],
  [
    'after half an hour',
    (good) => {
      nowMs += 30 * MINUTE_MS
      return good
    },
    403,
  ],
  [
    'that is repeated',
    async (good) => {
      await comeBack(good.cookie, { ...good.query, error: 'access_denied' })
      return good
    },
    403,
  ],
  [
    'by a person whose role was removed',
    async (good) => {
      await service.owner.query('delete from membership where user_id = $1', [owner.id])
      return good
    },
    404,
  ],
  [
    'by a person who became a viewer',
    async (good) => {
      await service.owner.query(`update membership set role = 'viewer' where user_id = $1`, [
        owner.id,
      ])
      return good
    },
    403,
  ],
  [
    'with a code that GitHub did not issue',
    ({ cookie, query }) => ({ cookie, query: { ...query, code: 'guessed' } }),
    403,
  ],
  [
    'with a foreign installation',
    ({ cookie, query }) => ({ cookie, query: { ...query, installation_id: '9999' } }),
    403,
  ],
  [
    'with an installation that is not a number',
    ({ cookie, query }) => ({ cookie, query: { ...query, installation_id: '1/../2' } }),
    403,
  ],
  [
    'with an installation of another app',
    ({ cookie, query }) => ({ cookie, query: { ...query, code: codeOf({ ...OWN, appId: '1' }) } }),
    403,
  ],
  [
    'with a suspended installation',
    ({ cookie, query }) => ({
      cookie,
      query: { ...query, code: codeOf({ ...OWN, suspended: true }) },
    }),
    403,
  ],
  [
    'after a denial on GitHub',
    ({ cookie, query }) => ({ cookie, query: { ...query, error: 'access_denied' } }),
    403,
  ],
]

describe('rejected callbacks from GitHub', () => {
  test.each(RETURNS)('a callback %s is rejected', async (_, change, status) => {
    const { state, cookie } = await leave()
    const installation_id = host.installationId
    const good = { cookie, query: { state, code: codeOf(OWN), installation_id } }
    const { cookie: sent, query } = await change(good)
    const reply = await comeBack(sent, query)
    expect(reply.status).toBe(status)
    expect(reply.text).not.toContain('acme/docs')
    expect(reply.text).not.toContain('name="grant"')
  })

  test('a callback fails with the reason while GitHub is down', async () => {
    const { state, cookie } = await leave()
    host.plan({ status: 503, when: ({ path }) => path === '/login/oauth/access_token' })
    const reply = await comeBack(cookie, { state, code: codeOf(OWN) })
    expect([reply.status, reply.text]).toEqual([502, expect.stringContaining('status 503')])
    const next = await leave()
    host.plan({ status: 500, when: ({ path }) => path.endsWith('/repositories') })
    expect((await comeBack(next.cookie, { state: next.state, code: codeOf(OWN) })).status).toBe(502)
  })

  test('a callback with a method other than GET is rejected and does not use up the attempt', async () => {
    const { state, cookie } = await leave()
    const query = new URLSearchParams({ state, code: codeOf(OWN) })
    const path = `/connect/github?${query}`
    expect((await visitService(service, path, { cookie, form: {} })).status).toBe(405)
    expect((await visitService(service, path, { cookie, method: 'HEAD' })).status).toBe(405)
    expect((await visitService(service, path, { cookie })).status).toBe(200)
  })
})

describe('redirects to GitHub', () => {
  test.each(['viewer', 'analyst', 'editor'] as const)(
    'the redirect to GitHub is refused for the role %s',
    async (role) => {
      const { reply } = await leave(await createPerson(service, project, role))
      expect([reply.status, reply.cookies, reply.location]).toEqual([403, [], null])
    },
  )

  test('foreign projects return 404, and signed-out visitors are redirected to sign in', async () => {
    const stranger = await createPerson(service, await service.createProject(), 'owner')
    expect((await leave(stranger)).reply.status).toBe(404)
    const path = `/connect/github/${project.publicId}`
    expect((await visitService(service, path)).location).toBe(
      `/sign-in?next=${encodeURIComponent(path)}`,
    )
  })

  test('connecting with GitHub is not offered without an OAuth client', async () => {
    const other = await startTestService({ ...settings, gitHubApp: { ...app, client: undefined } })
    try {
      const own = await other.createProject()
      const { cookie } = await createPerson(other, own, 'owner')
      const path = `/connect/github/${own.publicId}`
      expect((await visitService(other, path, { cookie })).status).toBe(404)
      const page = await visitService(other, `/projects/${own.publicId}/connection`, { cookie })
      expect(page.text).not.toContain('Connect with GitHub')
    } finally {
      await other.stop()
    }
    const page = await visitService(service, `/projects/${project.publicId}/connection`, {
      cookie: owner.cookie,
    })
    expect(page.text).toContain(`href="/connect/github/${project.publicId}"`)
  })

  test('the page reports an unreachable GitHub and wrong app credentials', async () => {
    const wrong = { ...app, client: { ...GITHUB_CLIENT, secret: 'wrong' } }
    const other = await startTestService({ ...settings, gitHubApp: wrong })
    try {
      const own = await other.createProject()
      const person = await createPerson(other, own, 'owner')
      const { cookie } = person
      const path = `/connect/github/${own.publicId}`
      host.plan({ status: 503 })
      expect((await visitService(other, path, { cookie })).status).toBe(502)
      const begun = await visitService(other, `${path}?installed`, { cookie })
      const state = new URL(begun.location ?? '').searchParams.get('state') ?? ''
      const reply = await visitService(
        other,
        `/connect/github?state=${state}&code=${codeOf(OWN)}`,
        {
          cookie: withCookies(person, begun),
        },
      )
      expect(reply.status).toBe(502)
      expect(reply.text).toContain('OCTAVO_GITHUB_APP_CLIENT_SECRET')
    } finally {
      await other.stop()
    }
  })
})

describe('rejected GitHub grants', () => {
  async function expectRefused(reply: Visited, status = 400) {
    expect(reply.status).toBe(status)
    expect(await stored()).toBeUndefined()
  }

  test('a grant is rejected for a repository that it does not name', async () => {
    const page = await choose()
    for (const name of ['acme/only-read', 'acme/other', 'mallory/docs'])
      await expectRefused(await connect(page, { url: `${host.url}/${name}.git` }))
    await expectRefused(await connect(page, { url: 'https://github.com/acme/docs.git' }))
  })

  test('a changed or empty grant is rejected', async () => {
    const page = await choose()
    const grant = fieldOf(page, 'grant')
    const names = Buffer.from(grant.split('.')[0] ?? '', 'base64url').toString()
    const more = Buffer.from(names.replace('acme/docs', 'mallory/docs')).toString('base64url')
    for (const one of ['', 'x', `${more}.${grant.split('.')[1]}`, `${grant}x`])
      await expectRefused(await connect(page, { grant: one }))
  })

  test('a grant is rejected after half an hour', async () => {
    const page = await choose()
    nowMs += 30 * MINUTE_MS
    await expectRefused(await connect(page))
  })

  test('a grant is rejected in another session of the same project', async () => {
    const page = await choose()
    const other = await createPerson(service, project, 'owner')
    const path = `/projects/${project.publicId}/connection`
    const own = await visitService(service, path, { cookie: other.cookie })
    await expectRefused(await connect(page, { token: fieldOf(own, 'token') }, other.cookie))
  })

  test('a grant is rejected for another project of the same person', async () => {
    const page = await choose()
    const first = project
    project = await service.createProject()
    await service.owner.query(
      `insert into membership (organization_id, user_id, role) values ($1, $2, 'owner')`,
      [project.tenant.organizationId, owner.id],
    )
    await expectRefused(await connect(page))
    project = first
    expect((await connect(page)).status).toBe(201)
  })

  test('a grant is rejected with an API key or a command line session', async () => {
    const grant = fieldOf(await choose(), 'grant')
    const key = await service.createKey(project, { scopes: ['project:write'] })
    for (const token of [key, owner.token]) {
      const reply = await fetch(`${service.url}/v1/projects/${project.publicId}/connection`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: host.repositoryUrl, credential: 'github-app', grant }),
      })
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({ param: 'credential' })
    }
    expect(await stored()).toBeUndefined()
  })

  test('a grant is rejected if the repository was removed from the installation or GitHub is down', async () => {
    const page = await choose()
    host.state.installed = false
    await expectRefused(await connect(page), 409)
    host.state.installed = true
    host.plan({ status: 503, when: ({ path }) => path.endsWith('/installation') })
    await expectRefused(await connect(page), 502)
    expect((await connect(page)).status).toBe(201)
  })

  test('a grant is rejected for a person who became a viewer', async () => {
    const page = await choose()
    await service.owner.query(`update membership set role = 'viewer' where user_id = $1`, [
      owner.id,
    ])
    await expectRefused(await connect(page), 403)
  })
})
