/** Renders every screen from responses that the contract has validated. */
import { ConnectionReply, CreatedConnection, ROLE_SCOPES, ROLES } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { ALL_SCREENS } from '../testing/all-screens.ts'
import { createDashboard, visitScreen } from '../testing/create-dashboard.ts'
import {
  type ApiOptions,
  FORM_TOKEN,
  problemToResponse,
  recordApi,
  visitOf,
} from '../testing/recorded-api.ts'
import { ORGANIZATION_ID, PROJECT_ID, ULIDS } from '../testing/sample-facts.ts'
import { sampleReplies } from '../testing/sample-replies.ts'
import {
  sampleConnection,
  sampleGitHubChoice,
  sampleRefusedConnection,
} from '../testing/sample-site.ts'
import { PAGE_HEADERS } from './parts/document.ts'
import { SECTION_GROUPS } from './parts/sections.ts'

const HOSTILE = '"><img src=x onerror=canary()><script>canary()</script>&lt;\'`'
const PROJECT = `/projects/${PROJECT_ID}`
const dashboard = createDashboard()

const open = (path: string, options?: ApiOptions) => visitScreen(path, undefined, options)

const screens = Object.entries(ALL_SCREENS)

describe('every screen', () => {
  test.each(screens)(
    'the screen %s has a title, a main heading and equivalent commands',
    async (_, path) => {
      const { status, text, headers } = await open(path)
      expect(status).toBe(200)
      expect(text).toMatch(/<title>[^<]+ · Octavo<\/title>/)
      expect(text.match(/<h1>/g)).toHaveLength(1)
      expect(text).toMatch(/API and CLI<code>(?:[A-Z]+ \/v1\/|octavo|npx)/)
      for (const [name, value] of Object.entries(PAGE_HEADERS))
        expect(headers.get(name)).toBe(value)
    },
  )

  test.each(screens)(
    'the screen %s has no inline script, style or event handler',
    async (_, path) => {
      const { text } = await open(path)
      expect(text).not.toMatch(/<script(?![^>]* src=)/)
      expect(text).not.toMatch(/<style|<[^>]+ (?:style|on\w+)=/)
    },
  )

  test.each(screens)('the screen %s has the form token in every POST form', async (_, path) => {
    const { text } = await open(path)
    const forms = text.match(/<form method="post"[^>]*>.*?<\/form>/gs) ?? []
    expect(forms.length).toBeGreaterThan(0)
    for (const form of forms)
      expect(form).toContain(`<input type="hidden" name="token" value="${FORM_TOKEN}">`)
  })

  test.each(screens)(
    'the screen %s escapes untrusted text and only links to http and https',
    async (_, path) => {
      const { status, text } = await open(path, { hostile: HOSTILE })
      expect(status).toBe(200)
      expect(text).toContain('&lt;img src=x onerror=canary()&gt;')
      expect(text).not.toContain('<img')
      expect(text).not.toContain('<script>')
      expect(
        linksOf(text).filter((href) => !/^(?:https?:\/\/|\/(?!\/)|#|data:image\/svg)/.test(href)),
      ).toEqual([])
    },
  )

  test.each(screens)('the screen %s uses the chosen light or dark theme', async (_, path) => {
    const { api } = recordApi()
    const reply = await dashboard.handle(visitOf(api, path, { cookie: 'a=b; octavo-theme=dark' }))
    expect(await reply.text()).toContain('<html lang="en" data-theme="dark">')
  })

  test.each(
    screens.filter(([name]) => !/-(?:role|remove|rotate|revoke|approve|delete)$/.test(name)),
  )('the screen %s opens for an empty project', async (_, path) => {
    const { status } = await open(path, { isEmpty: true })
    expect(status).toBe(200)
  })
})

const linksOf = (text: string) =>
  [...text.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, href = '']) => href)

describe('the side navigation', () => {
  test.each(ROLES)(
    'the navigation for the role %s shows only the sections that this role may read',
    async (role) => {
      const { text } = await open(`${PROJECT}/deployments`, { role })
      const nav = /<nav class="side".*?<\/nav>/s.exec(text)?.[0] ?? ''
      const side = nav.replaceAll(/<span class="count">.*?<\/span><\/span>/g, '')
      for (const { sections } of SECTION_GROUPS)
        for (const { label, scope } of sections)
          expect(new RegExp(`${label}\\s*</a>`).test(side), label).toBe(
            ROLE_SCOPES[role].includes(scope),
          )
    },
  )

  test('an analyst sees no buttons for actions that would be rejected', async () => {
    const { text } = await open(`${PROJECT}/deployments`, { role: 'analyst' })
    expect(text).not.toContain('Lock publishing')
    expect(text).not.toContain('Publish…')
  })
})

describe('equivalent commands of a screen', () => {
  test.each(['/', '/account', `${PROJECT}/members`, `${PROJECT}/members/usr_3/remove`])(
    'the screen %s does not suggest an API key for calls that only people may make',
    async (path) => {
      const { text } = await open(path)
      expect(text).toContain('Bearer $OCTAVO_SESSION')
      expect(text).not.toContain('$OCTAVO_API_KEY')
    },
  )
})

describe('errors from the API', () => {
  test.each([
    [401, 'You are not signed in'],
    [403, 'Your role does not allow this'],
    [404, 'Page not found'],
    [503, 'The service could not process the request'],
  ])('an API response with status %i is shown as an error page', async (status, title) => {
    const replies = {
      [`GET /v1${PROJECT}/keys`]: () => problemToResponse(status, { detail: HOSTILE }),
    }
    const page = await open(`${PROJECT}/keys`, { replies })
    expect(page.status).toBe(status)
    expect(page.text).toContain(`<h1>${title}</h1>`)
    expect(page.text).not.toContain('<img')
  })

  test('a project in which the person has no role is not found', async () => {
    expect((await open('/projects/prj_aaaaaaaaaaaaaaaa')).status).toBe(404)
  })

  test('an unknown path shows an error page', async () => {
    expect((await open('/nowhere')).text).toContain('This page does not exist')
  })

  test('the text of an error response that is not a problem document is not shown', async () => {
    const replies = { [`GET /v1${PROJECT}/keys`]: () => new Response('<b>oops', { status: 500 }) }
    const { status, text } = await open(`${PROJECT}/keys`, { replies })
    expect(status).toBe(500)
    expect(text).not.toContain('oops')
  })
})

describe('API key screens', () => {
  const form = {
    name: 'Monthly report',
    kind: 'admin',
    days: '90',
    scopes: ['analytics:read', 'gaps:read'],
    allowedFrom: '10.4.0.0/16, 203.0.113.7',
    idempotency: 'once',
  }

  test('a created key is shown once, with a command that is ready to copy (requirement A3)', async () => {
    const { status, text, changes } = await visitScreen(`${PROJECT}/keys`, form)
    expect(changes).toMatchObject([
      {
        method: 'POST',
        path: `/v1${PROJECT}/keys`,
        idempotencyKey: 'once',
        body: {
          name: 'Monthly report',
          kind: 'admin',
          scopes: ['analytics:read', 'gaps:read'],
          expiresAt: '2027-02-13T14:20:00.000Z',
          allowedFrom: ['10.4.0.0/16', '203.0.113.7/32'],
        },
      },
    ])
    expect(status).toBe(200)
    expect(text).toContain('It is shown only once.')
    expect(text).toContain(
      'export</span> OCTAVO_API_KEY=octavo_adm_7RkQm2vXcT9LwZ4bN8dHsY1fJpA6eGuK0iqxYz',
    )
  })

  test('a deploy token gets only deploy scopes, whichever boxes are checked', async () => {
    const { changes } = await visitScreen(`${PROJECT}/keys`, { ...form, kind: 'deploy' })
    expect(changes).toMatchObject([
      { body: { kind: 'deploy', scopes: ['deploy:read', 'deploy:write'] } },
    ])
  })

  test('an error about a field of a key is shown next to it, and the field keeps its value', async () => {
    const replies = {
      [`POST /v1${PROJECT}/keys`]: () =>
        problemToResponse(400, { param: 'allowedFrom.0', detail: 'Expected a network.' }),
    }
    const { status, text } = await visitScreen(`${PROJECT}/keys`, form, { replies })
    expect(status).toBe(400)
    expect(text).toMatch(/value="10\.4\.0\.0\/16, 203\.0\.113\.7"[^>]*aria-invalid="true"/)
    expect(text).toContain('Expected a network.')
    expect(text).toMatch(/name="name" type="text" value="Monthly report"/)
    expect(text).not.toContain('Nothing was changed.')
  })

  test('an error that is not about a field of a key is shown above the form', async () => {
    const replies = {
      [`POST /v1${PROJECT}/keys`]: () => problemToResponse(409, { detail: 'Too many keys.' }),
    }
    const { text } = await visitScreen(`${PROJECT}/keys`, form, { replies })
    expect(text).toContain('Nothing was changed.')
    expect(text).toContain('Too many keys.')
  })

  test("rotating and revoking send the key's id", async () => {
    const rotated = await visitScreen(`${PROJECT}/keys/key_1/rotate`, { overlapHours: '24' })
    expect(rotated.changes).toMatchObject([
      { path: `/v1${PROJECT}/keys/key_1/rotate`, body: { overlapHours: 24 } },
    ])
    const revoked = await visitScreen(`${PROJECT}/keys/key_1/revoke`, {})
    expect(revoked.changes).toMatchObject([{ method: 'DELETE', path: `/v1${PROJECT}/keys/key_1` }])
    expect(revoked).toMatchObject({ status: 303, location: `${PROJECT}/keys` })
  })

  test('a person who may not read conversations cannot grant that scope to a key', async () => {
    const { text } = await open(`${PROJECT}/keys`, { role: 'viewer' })
    expect(text).not.toContain('value="analytics:read"')
    expect(text).toContain('value="deploy:read"')
  })
})

describe('forms', () => {
  test.each([
    [
      '/',
      { name: 'Handbook', slug: '' },
      'POST',
      `/v1/organizations/${ORGANIZATION_ID}/projects`,
      { name: 'Handbook' },
    ],
    [
      `${PROJECT}/deployments/${ULIDS.ready}/publish`,
      { expectedLive: ULIDS.live },
      'POST',
      `/v1${PROJECT}/deployments/${ULIDS.ready}/publish`,
      { expectedLive: ULIDS.live },
    ],
    [
      `${PROJECT}/deployments/${ULIDS.ready}/publish`,
      { expectedLive: '' },
      'POST',
      `/v1${PROJECT}/deployments/${ULIDS.ready}/publish`,
      { expectedLive: null },
    ],
    [`${PROJECT}/lock`, { reason: 'Release' }, 'POST', `/v1${PROJECT}/lock`, { reason: 'Release' }],
    [`${PROJECT}/unlock`, {}, 'POST', `/v1${PROJECT}/unlock`, undefined],
    [
      `${PROJECT}/builds/${ULIDS.build}/cancel`,
      {},
      'POST',
      `/v1${PROJECT}/builds/${ULIDS.build}/cancel`,
      undefined,
    ],
    [
      `${PROJECT}/builds/${ULIDS.failed}/retry`,
      {},
      'POST',
      `/v1${PROJECT}/builds/${ULIDS.failed}/retry`,
      undefined,
    ],
    [`${PROJECT}/previews/a-b/delete`, {}, 'DELETE', `/v1${PROJECT}/previews/a-b`, undefined],
    [
      `${PROJECT}/previews/a-b/approve`,
      { deployment: ULIDS.ready },
      'POST',
      `/v1${PROJECT}/previews/a-b/approve`,
      { deployment: ULIDS.ready },
    ],
    [
      `${PROJECT}/conversations/${ULIDS.conversation}/delete`,
      {},
      'DELETE',
      `/v1/analytics/${PROJECT_ID}/assistant/${ULIDS.conversation}`,
      undefined,
    ],
    [
      `${PROJECT}/conversations/${ULIDS.conversation}/gap`,
      { page: '/cactus' },
      'POST',
      `/v1${PROJECT}/gaps`,
      { conversation: ULIDS.conversation, page: '/cactus' },
    ],
    [
      `${PROJECT}/gaps/changes`,
      { gap: ['a', 'b'], do: 'dismiss', page: '/x' },
      'POST',
      `/v1${PROJECT}/gaps/changes`,
      { action: 'dismiss', ids: ['a', 'b'] },
    ],
    [
      `${PROJECT}/gaps/changes/${ULIDS.gap}/undo`,
      {},
      'POST',
      `/v1${PROJECT}/gaps/changes/${ULIDS.gap}/undo`,
      undefined,
    ],
    [
      `${PROJECT}/members/usr_3/remove`,
      {},
      'DELETE',
      `/v1/projects/${PROJECT_ID}/members/usr_3`,
      undefined,
    ],
    [
      `${PROJECT}/invitations/inv_1/remove`,
      {},
      'DELETE',
      `/v1/projects/${PROJECT_ID}/invitations/inv_1`,
      undefined,
    ],
    [
      `${PROJECT}/settings`,
      { part: 'general', name: 'Docs', slug: 'docs' },
      'PUT',
      `/v1${PROJECT}/settings`,
      { name: 'Docs', slug: 'docs' },
    ],
    ['/account/sessions/ses_2/revoke', {}, 'DELETE', '/v1/me/sessions/ses_2', undefined],
  ])('POST %s with %j calls %s %s and redirects', async (path, form, method, api, body) => {
    const { status, location, changes } = await visitScreen(path, form as Record<string, string>)
    expect(changes.map((call) => [call.method, call.path, call.body])).toEqual([
      [method, api, body],
    ])
    expect(status).toBe(303)
    expect(location).toMatch(/^\//)
  })

  test.each(screens)(
    'the rejected forms of the screen %s are shown again with the reason',
    async (_, path) => {
      const { text } = await open(path)
      const main = /<main.*<\/main>/s.exec(text)?.[0] ?? ''
      const actions = [...main.matchAll(/<form method="post" action="([^"]+)"/g)].map(
        ([, to = '']) => to,
      )
      // The service handles these two forms itself.
      const own = ['/account/passkeys', '/account/recovery-codes']
      for (const action of new Set(actions).difference(new Set(own))) {
        const { api } = recordApi()
        const refusing: typeof api = async (method, at, options) =>
          method === 'GET'
            ? api(method, at, options)
            : problemToResponse(409, { detail: `Not now: ${HOSTILE}` })
        const reply = await dashboard.handle(
          visitOf(refusing, action, { form: { project: 'editor' } }),
        )
        const page = await reply.text()
        if (reply.status === 303) continue
        expect(page, action).toContain('Not now: &quot;&gt;&lt;img')
        expect(page, action).not.toContain('<img')
      }
    },
  )

  test('changing two roles of a member makes two calls, and unchanged roles are not sent', async () => {
    const form = { organization: 'none', project: 'analyst' }
    const { changes, location } = await visitScreen(`${PROJECT}/members/usr_3/role`, form)
    expect(changes.map(({ body }) => body)).toEqual([
      { role: null },
      { role: 'analyst', project: PROJECT_ID },
    ])
    expect(location).toBe(`${PROJECT}/members`)
    const same = { organization: 'viewer', project: 'editor' }
    expect((await visitScreen(`${PROJECT}/members/usr_3/role`, same)).changes).toEqual([])
  })

  test('the link of a new invitation is shown once', async () => {
    const form = { email: 'sofia@greenhouse.example', role: 'editor', for: 'project' }
    const { text, changes } = await visitScreen(`${PROJECT}/members`, form)
    expect(changes[0]?.body).toEqual({ email: form.email, role: 'editor', project: PROJECT_ID })
    expect(text).toContain('/invitations/inv_7RkQm2vXcT9LwZ4bN8dHsY1f')
  })

  test('the link of an invitation that was sent by e-mail is not shown', async () => {
    const { url: _, ...mailed } = sampleReplies({
      role: 'owner',
      hostile: '',
      isEmpty: false,
    }).createdInvitation
    const form = { email: mailed.email, role: 'editor', for: 'project' }
    const post = `POST /v1/projects/${PROJECT_ID}/invitations`
    const { text } = await visitScreen(`${PROJECT}/members`, form, {
      replies: { [post]: () => Response.json(mailed) },
    })
    expect(text).toContain(`We sent the invitation to ${mailed.email}.`)
    expect(text).not.toContain('id="invitation"')
  })

  test('a test question shows the answer with its sources', async () => {
    const { text } = await visitScreen(`${PROJECT}/assistant/test`, {
      question: 'How do I calibrate?',
    })
    expect(text).toContain('Hold it in fresh air')
    expect(text).toContain('<strong>two minutes</strong>')
    expect(text).toContain('href="https://docs.greenhouse.example/guides/calibrate"')
    expect(text).toContain('Test questions are not counted or stored.')
  })
})

describe('conversation screens', () => {
  const filter = 'text=a+%26+b&resolutionStatus=unanswered&feedback=none'

  test('conversations are filtered and paged by the API', async () => {
    const { api, calls } = recordApi()
    const reply = await dashboard.handle(
      visitOf(api, `${PROJECT}/conversations?${filter}&cursor=c1&x=1`),
    )
    expect(calls.map(({ path }) => path)).toContain(
      `/v1${PROJECT}/conversations?text=a+%26+b&resolutionStatus=unanswered&feedback=none&cursor=c1`,
    )
    const text = await reply.text()
    expect(text).toContain(
      `conversations.csv?text=a+%26+b&amp;resolutionStatus=unanswered&amp;feedback=none"`,
    )
    expect(text).toContain('cursor=older')
  })

  test.each(['ndjson', 'csv'])('filtered conversations are exported as %s', async (format) => {
    const body = format === 'csv' ? 'id\n1\n' : '{"id":"1"}\n'
    const path = `/v1${PROJECT}/conversations`
    const { api, calls } = recordApi({ replies: { [`GET ${path}`]: () => new Response(body) } })
    const reply = await dashboard.handle(
      visitOf(api, `${PROJECT}/conversations.${format}?${filter}`),
    )
    expect(await reply.text()).toBe(body)
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="conversations-2026-11-15.${format}"`,
    )
    expect(calls.at(-1)).toMatchObject({
      path: `${path}?${filter}`,
      accept: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
    })
  })

  test('a rejected filter of conversations is shown with an error and stays in the form', async () => {
    const replies = {
      [`GET /v1${PROJECT}/conversations`]: () => problemToResponse(400, { detail: 'Not a date.' }),
    }
    const { status, text } = await open(`${PROJECT}/conversations?dateFrom=2026-99-99`, { replies })
    expect(status).toBe(200)
    expect(text).toContain('Not a date.')
    expect(text).toContain('value="2026-99-99"')
  })
})

describe('audit screens', () => {
  const filter = 'q=a+%26+b&actor=key&action=key.&from=2026-01-31&to=2026-02-28'
  const logs = [PROJECT, `/organizations/${ORGANIZATION_ID}`]
  const formats = [
    { format: 'ndjson', accept: 'application/x-ndjson' },
    { format: 'csv', accept: 'text/csv' },
  ]
  const downloads = logs.flatMap((log) => formats.map((one) => ({ log, ...one })))

  test.each(downloads)('$log/audit links to its entries as $format', async ({ log, format }) => {
    const { text } = await open(`${log}/audit?${filter}&cursor=c1`)
    expect(text).toContain(
      `<a href="${log}/audit.${format}?${filter.replaceAll('&', '&amp;')}" download>`,
    )
  })

  test.each(downloads)('$log/audit.$format downloads the filtered log', async (download) => {
    const { log, format, accept } = download
    const path = `/v1${log}/audit`
    const { api, calls } = recordApi({ replies: { [`GET ${path}`]: () => new Response('rows') } })
    const reply = await dashboard.handle(visitOf(api, `${log}/audit.${format}?${filter}&cursor=c1`))
    expect(await reply.text()).toBe('rows')
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="audit-2026-11-15.${format}"`,
    )
    expect(calls.at(-1)).toMatchObject({ path: `${path}?${filter}`, accept })
  })

  test('a download of the audit log that the API rejects shows an error page', async () => {
    const refuse = () => problemToResponse(403, { detail: 'Your role may not read it.' })
    const { status, text, headers } = await open(`${PROJECT}/audit.csv`, {
      replies: { [`GET /v1${PROJECT}/audit`]: refuse },
    })
    expect(status).toBe(403)
    expect(headers.get('content-disposition')).toBeNull()
    expect(text).toContain('<h1>')
  })
})

describe('build screens', () => {
  test('a build screen streams the log', async () => {
    const { api, calls } = recordApi()
    const reply = await dashboard.handle(
      visitOf(api, `${PROJECT}/builds/${ULIDS.build}/log?after=3`),
    )
    expect(await reply.text()).toContain('"line":4')
    expect(calls.at(-1)?.path).toBe(`/v1${PROJECT}/builds/${ULIDS.build}/log?after=3`)
  })

  test('a build screen prints diagnostics like `octavo check`', async () => {
    const { text } = await open(`${PROJECT}/builds/${ULIDS.failed}`)
    const report = /<pre class="report"[^>]*>(.*?)<\/pre>/s.exec(text)?.[1] ?? ''
    expect(report.replaceAll(/<[^>]+>/g, '')).toBe(
      [
        'error  guides/start.mdx:12:4  link/broken',
        '  The page `/guides/prices` does not exist.',
        '  Hint: Create it, or link to another page.',
        '',
        'warning  docs.json:88:23  redirect/chain',
        '  This redirect leads to another one: /start → /guides/join → /network/joining.',
        '  docs.json:91:7  The next redirect.',
        '  Hint: Point it at &quot;/network/joining&quot; directly.',
        '',
        'warning  guides/calibrate.mdx:42:27  link/anchor',
        '  The page `/network/joining` has no part `#two-point`.',
        '  Hint: Did you mean `#two-point-calibration`?',
        '',
        'note  content/alt-text: 1, the first at network/gateways.mdx:17:1',
        '',
        '✗ 1 error, 2 warnings, 1 note.',
      ].join('\n'),
    )
  })
})

describe('Git connection screens', () => {
  const path = `/v1${PROJECT}/connection`

  test('a project without a connection shows a form, below the GitHub App if the service has one', async () => {
    const { text } = await open(`${PROJECT}/connection`, { isEmpty: true })
    expect(text).toContain('<h2 id="new">Connect a repository</h2>')
    expect(text).not.toContain('Connect with GitHub')
    const { api } = recordApi({ isEmpty: true })
    const withApp = createDashboard({ connectsGitHub: true })
    const reply = await withApp.handle(visitOf(api, `${PROJECT}/connection`))
    const page = await reply.text()
    expect(page).toContain(`href="/connect/github/${PROJECT_ID}">Connect with GitHub</a>`)
    expect(page.indexOf('From GitHub')).toBeLessThan(page.indexOf('Connect a repository</h2>'))
  })

  test('connecting a repository sends the chosen values and shows the secrets once, with copy buttons', async () => {
    const url = 'git@github.com:greenhouse/sensor-docs.git'
    const form = { url, credential: 'ssh-key', gitToken: 'filled in', folder: 'docs', forks: 'on' }
    const { status, text, changes } = await visitScreen(`${PROJECT}/connection`, form)
    expect(changes).toMatchObject([
      {
        method: 'POST',
        path,
        body: { url, credential: 'ssh-key', folder: 'docs', previews: false, forks: true },
      },
    ])
    expect(changes[0]?.body).toMatchObject({ token: undefined, branch: undefined })
    expect(status).toBe(201)
    for (const id of ['webhook-url', 'webhook-secret', 'deploy-key']) {
      expect(text).toContain(`<input id="${id}" value="`)
      expect(text).toContain(`hidden data-copy="${id}"`)
    }
    expect(text).toContain('shown only once')
    expect(text).toContain('Settings → Webhooks')
  })

  test('an error about the Git token is shown next to its field, and the typed token is not sent back', async () => {
    const replies = {
      [`POST ${path}`]: () => problemToResponse(400, { param: 'token', detail: 'No.' }),
    }
    const form = { url: 'https://git.example/o/n', credential: 'token', gitToken: 'canary-token' }
    const { status, text } = await visitScreen(`${PROJECT}/connection`, form, {
      replies,
      isEmpty: true,
    })
    expect(status).toBe(400)
    expect(text).toContain('id="field-gitToken-error"')
    expect(text).toContain('value="https://git.example/o/n"')
    expect(text).not.toContain('canary-token')
  })

  test('changing a connection omits an empty token and redirects to its page', async () => {
    const url = 'https://git.example/o/moved.git'
    const form = { url, branch: '', folder: 'docs', previews: 'on', gitToken: '' }
    const { location, changes } = await visitScreen(`${PROJECT}/connection/change`, form)
    expect(location).toBe(`${PROJECT}/connection?saved`)
    expect(changes).toMatchObject([
      {
        method: 'PUT',
        path,
        body: { url, branch: null, folder: 'docs', previews: true, forks: false },
      },
    ])
  })

  test('a saved Git token is shown as a state, and can be replaced or removed', async () => {
    const { text } = await visitScreen(`${PROJECT}/connection`)
    expect(text).toMatch(/<details class="saved">\s*<summary>\s*<span>Saved, not shown<\/span>/)
    const form = { url: 'https://git.example/o/n', gitToken: '', removeToken: 'on' }
    const removed = await visitScreen(`${PROJECT}/connection/change`, form)
    expect(removed.changes).toMatchObject([{ method: 'PUT', path, body: { token: null } }])
    const replaced = await visitScreen(`${PROJECT}/connection/change`, { ...form, gitToken: 'new' })
    expect(replaced.changes).toMatchObject([{ method: 'PUT', path, body: { token: 'new' } }])
    const refusal = {
      [`PUT ${path}`]: () => problemToResponse(422, { param: 'token', detail: 'Git refused.' }),
    }
    const refused = await visitScreen(`${PROJECT}/connection/change`, form, { replies: refusal })
    expect(refused.text).toMatch(/<details class="saved" open>[\s\S]*Git refused\./)
    expect(refused.text).toMatch(/name="removeToken" value="on" checked/)
  })

  test('a rejected change of the connection stays in the form, with the reason', async () => {
    const detail = 'There is no repository at https://git.example/gone.git.'
    const replies = { [`PUT ${path}`]: () => problemToResponse(422, { param: 'url', detail }) }
    const form = { url: 'https://git.example/gone.git', branch: 'next' }
    const { status, text } = await visitScreen(`${PROJECT}/connection/change`, form, { replies })
    expect(status).toBe(422)
    expect(text).toContain('value="https://git.example/gone.git"')
    expect(text).toContain('id="field-url-error"')
    expect(text).toContain(detail)
  })

  test('the page to disconnect a repository says what stops and what is kept', async () => {
    const { text } = await open(`${PROJECT}/connection/remove`)
    expect(text).toContain('Builds of pushes, and previews')
    expect(text).toContain('The live site, all deployments and builds')
    const { location, changes } = await visitScreen(`${PROJECT}/connection/remove`, {})
    expect([location, changes]).toMatchObject([
      `${PROJECT}/connection`,
      [{ method: 'DELETE', path }],
    ])
  })

  test('the connection screen shows five checks and the available actions', async () => {
    const { text } = await open(`${PROJECT}/connection`)
    for (const label of ['Reachable', 'Access', 'Branch main', 'docs.json', 'Webhook'])
      expect(text).toContain(`<span>${label}</span>`)
    expect(text).toContain('Connected')
    expect(text).toContain(`action="${PROJECT}/connection/check"`)
    expect(text).toContain(`action="${PROJECT}/connection/build"`)
    expect(text.match(/5 minutes/g)).toHaveLength(1)
  })

  test('if a repository refuses access, the screen names the key to add and says why builds wait', async () => {
    const replies = {
      [`GET ${path}`]: () => Response.json(ConnectionReply.parse(sampleRefusedConnection(''))),
    }
    const { text } = await open(`${PROJECT}/connection`, { replies })
    expect(text).toContain('Cannot read the repository')
    expect(text).not.toContain('Connected</span>')
    expect(text).toContain('Permission denied (publickey)')
    expect(text).toContain('<b>Add this key again</b>')
    expect(text).toMatch(/disabled aria-describedby="no-build"/)
    expect(text).toContain('Builds wait until the repository can be read.')
    expect(text).not.toContain(`action="${PROJECT}/connection/build"`)
  })

  test('a repository that was never read is not shown as connected', async () => {
    const reply = { ...sampleConnection(''), checkedAt: null }
    const replies = { [`GET ${path}`]: () => Response.json(ConnectionReply.parse(reply)) }
    const { text } = await open(`${PROJECT}/connection`, { replies })
    expect(text).toContain('Not checked yet')
    expect(text).not.toMatch(/>\s*Connected\s*</)
    const created = { ...reply, credential: 'ssh-key', deployKey: 'ssh-ed25519 AAAA octavo' }
    const made = await visitScreen(
      `${PROJECT}/connection`,
      { url: 'x' },
      { replies: { [`POST ${path}`]: () => Response.json(CreatedConnection.parse(created)) } },
    )
    expect(made.text).toContain('<h1>Add the deploy key</h1>')
    expect(made.text).not.toContain('connected')
  })

  test('"Check" returns to the connection screen, and "Build now" opens the build', async () => {
    const checked = await visitScreen(`${PROJECT}/connection/check`, {})
    expect([checked.location, checked.changes]).toMatchObject([
      `${PROJECT}/connection?checked`,
      [{ method: 'POST', path: `${path}/check` }],
    ])
    const built = await visitScreen(`${PROJECT}/connection/build`, {})
    expect(built.location).toContain(`${PROJECT}/builds/`)
    expect(built.changes).toMatchObject([{ method: 'POST', path: `/v1${PROJECT}/builds` }])
    const replies = {
      [`POST /v1${PROJECT}/builds`]: () => problemToResponse(502, { detail: 'Refused.' }),
    }
    const refused = await visitScreen(`${PROJECT}/connection/build`, {}, { replies })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Refused.')])
  })

  test('builds on the connection screen show their trigger in words and no ids', async () => {
    const { text } = await open(`${PROJECT}/connection`)
    expect(text).toContain('Scheduled check')
    expect(text).toContain('>Push<')
    // Ids may only be in links.
    expect(text.replaceAll(/(?:href|action)="[^"]*"/g, '')).not.toMatch(/01[0-9A-HJKMNP-TV-Z]{24}/)
  })

  test('the GitHub page lists the repositories, and redirects if no repository is available', async () => {
    const { api } = recordApi()
    const visit = visitOf(api, `${PROJECT}/connection/github`)
    const reply = await dashboard.handle({ ...visit, gitHub: sampleGitHubChoice(HOSTILE) })
    const text = await reply.text()
    expect(text).toContain('name="grant" value="sealed.grant"')
    expect(text).toContain('more repositories than can be listed')
    expect(text).not.toContain('<img')
    expect((await dashboard.handle(visit)).headers.get('location')).toBe(`${PROJECT}/connection`)
  })
})
