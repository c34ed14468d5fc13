/**
 * Calls every route that changes something, as an owner, and counts the entries in the audit log. A
 * new route has to be listed here, with a valid request or the reason why it writes no entry.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { DASHBOARD_ORIGIN, openPage, sendForm } from '../../../testing/dashboard-visit.ts'
import { fillAssistant } from '../../../testing/fill-assistant.ts'
import { createSoftwarePasskey } from '../../../testing/software-passkey.ts'
import { fillEvents } from '../../../testing/tenant-events.ts'
import { connectionOf, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { GapStore } from '../../answers/gaps/store.ts'
import { ensureMember } from '../../people/users/operator-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import type { Git } from '../../platform/git/git.ts'
import type { Route } from '../../platform/http/route.ts'
import { BuildStore } from '../../publishing/builds/store.ts'
import { insertConnection } from '../../publishing/connections/store.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { ProofStore } from '../../publishing/deployments/proof-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-audited-'))
const service = await startTestService({
  url: DASHBOARD_ORIGIN,
  blobStore: await openFolderStore(folder),
  secretKeys: SECRET_KEYS,
  builds: {
    git: {
      listRefs: async () => ({
        kind: 'refs',
        defaultBranch: 'main',
        branches: new Map([['main', '1'.repeat(40)]]),
      }),
      findFiles: async () => ({ kind: 'files', paths: ['docs.json'] }),
    } as unknown as Git,
  },
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates a project with an owner, and returns functions that call the API for it. */
async function createOwned() {
  const project = await service.createProject(SCOPES)
  const owner = await createPerson(service, project, 'owner')
  const { tenant } = project
  const database = service.service.database.forProject(tenant)
  const [names] = await service.owner.query<{ slug: string; organization: string; name: string }>(
    `select p.slug, o.public_id as organization, o.name from project p
       join organization o on o.id = p.organization_id where p.id = $1`,
    [project.id],
  )
  if (names === undefined) throw new Error('no project')
  const call = callerOf(service.url, project)
  const post = async (path: string, body: object = {}) => {
    const { status, body: made } = await call<{ id: string }>('POST', path, {
      body,
      token: owner.token,
    })
    expect([200, 201, 202, 204]).toContain(status)
    return made
  }
  return { project, owner, database, call, post, names }
}
type Owned = Awaited<ReturnType<typeof createOwned>>

/** The parameters and body of a request, or a function that sends the request like a browser. */
type Sent =
  | { readonly params?: Readonly<Record<string, string>>; readonly body?: object }
  | (() => Promise<{ readonly status: number }>)
type Prepare = (owned: Owned) => Promise<Sent> | Sent

const SITE = siteOf({ 'index.html': 'Welcome' })
const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
const PROOF = {
  ranAt: new Date(0),
  octavo: '0',
  runtimes: [],
  passed: 0,
  failed: 0,
  notRun: 0,
  pages: new Map(),
}
const KEY = { name: 'Nightly', scopes: ['deploy:read'], expiresAt: null }

const client = ({ project }: Owned) => clientOf(service.url, project)

async function uploaded(owned: Owned): Promise<string> {
  const { body } = await client(owned).create(SITE)
  await client(owned).upload(body.id, SITE)
  return body.id
}

let previews = 0
async function preview({ database }: Owned) {
  previews += 1
  const deployment = `01KG9YS7G0CPZHN1J3EKWG${String(previews).padStart(4, '0')}`
  await database.query(
    `insert into deployment (project_id, id, number, root, target, branch, state, created_by)
     values (current_project(), $1, 1, $2, 'preview', 'topic', 'ready', 'test')`,
    [deployment, Buffer.alloc(32)],
  )
  const previewName = `topic-preview-${previews}`
  await new PreviewStore(database).publish(deployment, previewName)
  return { params: { previewName }, body: { deployment } }
}

let domains = 0
async function addDomains({ post }: Owned) {
  domains += 1
  const domainName = `docs-${domains}.example.com`
  await post('/domains', { name: domainName })
  await post('/domains', { name: `www.${domainName}` })
  return { domainName }
}

async function connected({ database }: Owned): Promise<void> {
  await database.transaction((query) =>
    insertConnection(query, connectionOf(`hook-${database.tenant.projectId}`)),
  )
}

const newBuild = ({ project }: Owned): Promise<string> =>
  service.service.acceptBuild(project.tenant, {
    target: 'production',
    ref: 'main',
    commit: 'a'.repeat(40),
    pullRequest: undefined,
    isFork: false,
    trigger: 'api',
  })

async function endedBuild(owned: Owned): Promise<string> {
  const { database } = owned
  const buildId = await newBuild(owned)
  await new BuildStore(database, async () => {}).cancel(database.query, buildId, 'test')
  return buildId
}

async function gapChange({ database, post }: Owned): Promise<string> {
  const { gap } = await fillAssistant(database)
  return (await post('/gaps/changes', { action: 'dismiss', ids: [gap] })).id
}

async function invited({ post }: Owned) {
  return {
    invitationId: (await post('/invitations', { email: 'a@example.com', role: 'viewer' })).id,
  }
}

const colleague = ({ project }: Owned): Promise<TestPerson> =>
  createPerson(service, project, 'viewer')

const form =
  ({ owner }: Owned, path: string, fields: Readonly<Record<string, string>>) =>
  () =>
    sendForm(service, owner, { path, form: fields })

async function addPasskey({ owner }: Owned) {
  const options = await sendForm(service, owner, { path: '/account/passkeys/options', form: {} })
  const credential = createSoftwarePasskey(DASHBOARD_ORIGIN).register(JSON.parse(options.text))
  const fields = { name: 'Key', credential: JSON.stringify(credential) }
  return () => sendForm(service, owner, { path: '/account/passkeys', form: fields })
}

const CHANGES: Readonly<Record<string, Prepare>> = {
  'POST /v1/projects/:projectId/keys': () => ({ body: KEY }),
  'POST /v1/projects/:projectId/keys/:keyId/rotate': async ({ post }) => ({
    params: { keyId: (await post('/keys', KEY)).id },
    body: { overlapHours: 1 },
  }),
  'DELETE /v1/projects/:projectId/keys/:keyId': async ({ post }) => ({
    params: { keyId: (await post('/keys', KEY)).id },
  }),
  'PUT /v1/projects/:projectId/settings': () => ({ body: { retentionDays: 30 } }),
  'PUT /v1/projects/:projectId/webhook': () => ({ body: { url: 'https://hooks.example.com/x' } }),
  'DELETE /v1/projects/:projectId/webhook': async ({ call, owner }) => {
    const body = { url: 'https://hooks.example.com/x' }
    await call('PUT', '/webhook', { body, token: owner.token })
    return {}
  },
  'PUT /v1/projects/:projectId/notifications': () => ({
    body: { addresses: ['docs@example.com'] },
  }),
  'PUT /v1/projects/:projectId/assistant': () => ({ body: { mask: true } }),
  'DELETE /v1/projects/:projectId/assistant': async ({ database }) => {
    await fillAssistant(database)
    return {}
  },
  'PUT /v1/projects/:projectId/access': () => ({ body: { previews: 'members' } }),
  'POST /v1/projects/:projectId/access/end-sessions': () => ({}),
  'POST /v1/projects/:projectId/access/tokens': () => ({ body: { name: 'Agent' } }),
  'DELETE /v1/projects/:projectId/access/tokens': async ({ post }) => {
    for (const name of ['Agent', 'Nightly']) await post('/access/tokens', { name })
    return {}
  },
  'DELETE /v1/projects/:projectId/access/tokens/:readerTokenId': async ({ post }) => ({
    params: { readerTokenId: (await post('/access/tokens', { name: 'Agent' })).id },
  }),
  'POST /v1/projects/:projectId/connection': () => ({
    body: { url: 'https://github.com/o/n.git' },
  }),
  'PUT /v1/projects/:projectId/connection': async (owned) => {
    await connected(owned)
    return { body: { previews: false } }
  },
  'DELETE /v1/projects/:projectId/connection': async (owned) => {
    await connected(owned)
    return {}
  },
  'POST /v1/projects/:projectId/domains': () => ({ body: { name: 'docs.example.com' } }),
  'PUT /v1/projects/:projectId/domains/:domainName': async (owned) => ({
    params: await addDomains(owned),
    body: { redirects: true },
  }),
  'DELETE /v1/projects/:projectId/domains/:domainName': async (owned) => ({
    params: await addDomains(owned),
  }),
  'PUT /v1/projects/:projectId/members/:userId': async (owned) => ({
    params: { userId: (await colleague(owned)).public_id },
    body: { role: 'editor' },
  }),
  'DELETE /v1/projects/:projectId/members/:userId': async (owned) => {
    const { email, public_id } = await colleague(owned)
    await owned.post('/invitations', { email, role: 'editor' })
    return { params: { userId: public_id } }
  },
  'POST /v1/projects/:projectId/invitations': () => ({
    body: { email: 'a@example.com', role: 'viewer' },
  }),
  'DELETE /v1/projects/:projectId/invitations/:invitationId': async (owned) => ({
    params: await invited(owned),
  }),
  'POST /v1/projects/:projectId/archive': () => ({}),
  'POST /v1/projects/:projectId/restore': async ({ post }) => {
    await post('/archive')
    return {}
  },
  'POST /v1/projects/:projectId/transfer': async (owned) => {
    const other = await createOwned()
    const role = { email: owned.owner.email, name: 'Owner', role: 'owner' } as const
    await ensureMember(service.owner, role, other.project.tenant.organizationId)
    const { slug } = owned.names
    const organization = other.names.organization
    return form(owned, `/projects/${owned.project.publicId}/transfer`, { slug, organization })
  },
  'POST /v1/projects/:projectId/delete': (owned) =>
    form(owned, `/projects/${owned.project.publicId}/delete`, { slug: owned.names.slug }),
  'POST /v1/organizations/:organizationId/projects': () => ({
    body: { name: 'Second', slug: `second-${Date.now()}` },
  }),
  'PUT /v1/organizations/:organizationId': () => ({ body: { name: 'Renamed' } }),
  'POST /v1/organizations/:organizationId/delete': async (owned) => {
    const { names, project } = owned
    await form(owned, `/projects/${project.publicId}/delete`, { slug: names.slug })()
    return form(owned, `/organizations/${names.organization}/delete`, { name: names.name })
  },
  'POST /v1/me/passkeys': addPasskey,
  'DELETE /v1/me/passkeys/:passkeyId': async (owned) => {
    await (await addPasskey(owned))()
    const { text } = await openPage(service, owned.owner, '/account')
    const [, path = ''] = /action="([^"]*\/passkeys\/\d+[^"]*)"/.exec(text) ?? []
    return form(owned, path, {})
  },
  'POST /v1/me/recovery-codes': (owned) => form(owned, '/account/recovery-codes', {}),
  'POST /v1/projects/:projectId/deployments/:deploymentId/finish': async (owned) => ({
    params: { deploymentId: await uploaded(owned) },
  }),
  'POST /v1/projects/:projectId/deployments/:deploymentId/publish': async (owned) => {
    const { id } = await client(owned).deploy(SITE, { draft: true })
    return { params: { deploymentId: id }, body: { expectedLive: null } }
  },
  'POST /v1/projects/:projectId/deployments/:deploymentId/cancel': async (owned) => ({
    params: { deploymentId: await uploaded(owned) },
  }),
  'PUT /v1/projects/:projectId/deployments/:deploymentId/proof': async (owned) => ({
    params: { deploymentId: await uploaded(owned) },
    body: {
      format: 'octavo-proof/1',
      octavo: '0',
      date: '2026-01-01T00:00:00Z',
      runtimes: [],
      samples: [],
    },
  }),
  'POST /v1/projects/:projectId/lock': () => ({ body: { reason: 'test' } }),
  'POST /v1/projects/:projectId/unlock': async ({ post }) => {
    await post('/lock', { reason: 'test' })
    return {}
  },
  'POST /v1/projects/:projectId/previews/:previewName/approve': preview,
  'DELETE /v1/projects/:projectId/previews/:previewName': async (owned) => ({
    params: (await preview(owned)).params,
  }),
  'POST /v1/projects/:projectId/builds/:buildId/cancel': async (owned) => ({
    params: { buildId: await newBuild(owned) },
  }),
  'POST /v1/projects/:projectId/builds/:buildId/retry': async (owned) => ({
    params: { buildId: await endedBuild(owned) },
  }),
  'POST /v1/projects/:projectId/gaps': async ({ database }) => ({
    body: { conversation: (await fillAssistant(database)).unanswered },
  }),
  'POST /v1/projects/:projectId/gaps/changes': async ({ database }) => ({
    body: { action: 'dismiss', ids: [(await fillAssistant(database)).gap] },
  }),
  'POST /v1/projects/:projectId/gaps/changes/:changeId/undo': async (owned) => ({
    params: { changeId: await gapChange(owned) },
  }),
  'POST /v1/projects/:projectId/gaps/:gapId': async ({ database }) => ({
    params: { gapId: (await fillAssistant(database)).gap },
    body: { action: 'dismiss' },
  }),
  'POST /v1/analytics/:projectId/feedback/:feedbackId': async ({ database }) => ({
    params: { feedbackId: await fillEvents(service.owner, database) },
    body: { status: 'resolved' },
  }),
  'DELETE /v1/analytics/:projectId/feedback/:feedbackId': async ({ database }) => ({
    params: { feedbackId: await fillEvents(service.owner, database) },
  }),
  'POST /v1/analytics/:projectId/assistant': () => ({
    body: { conversations: [{ ...TURN, questionId: 'one' }] },
  }),
  'DELETE /v1/analytics/:projectId/assistant/:conversationId': async ({ project }) => ({
    params: { conversationId: await service.publish(project, { ...TURN, questionId: 'one' }) },
  }),
}

/**
 * Routes that write no entry, with the reason: the change is not audited, or the entry comes later.
 */
const NOT_LOGGED: Readonly<Record<string, string>> = {
  'POST /v1/projects/:projectId/deployments': 'Logged when the deployment is finished or canceled.',
  'PUT /v1/projects/:projectId/blobs/:sha256': 'Part of a deployment.',
  'POST /v1/projects/:projectId/blobs': 'Part of a deployment.',
  'PUT /v1/projects/:projectId/blobs/:sha256/delta': 'Part of a deployment.',
  'POST /v1/projects/:projectId/assistant/test': 'Changes nothing.',
  'POST /v1/projects/:projectId/connection/check': 'Changes nothing.',
  'POST /v1/projects/:projectId/builds': 'Waits for a worker: verify-connection.test.ts.',
  'POST /v1/projects/:projectId/webhook/test': 'Changes nothing.',
  'POST /v1/projects/:projectId/deployments/:deploymentId/shown-answers': 'Changes nothing.',
  'POST /v1/projects/:projectId/domains/:domainName/check': 'The result is logged if it changes.',
  'POST /v1/hooks/github-app': 'Stored as a delivery.',
  'POST /v1/hooks/:hookId': 'Stored as a delivery.',
  'DELETE /v1/me/sessions/:sessionId': 'Signing out.',
  'POST /v1/me/passkeys/options': 'Changes nothing.',
  'POST /v1/me/recovery-codes/saved': 'Changes no codes.',
  'POST /v1/project/update/:projectId': 'Waits for a worker: builds/routes.test.ts.',
  'POST /v1/project/preview/:projectId': 'Waits for a worker: builds/routes.test.ts.',
  'POST /v1/device': 'Logged as a sign-in when it is allowed.',
  'POST /v1/device/token': 'Logged as a sign-in when it is allowed: device-pages.test.ts.',
  'POST /v1/oidc/exchange': 'Creates a key, which is logged: oidc.test.ts.',
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const { routes } = service.service
const changing = routes.filter(({ method }) => method !== 'GET')

test('every route other than GET is listed as audited or with the reason why it is not', () => {
  const listed = [...Object.keys(CHANGES), ...Object.keys(NOT_LOGGED)]
  expect(changing.map(nameOf).toSorted()).toEqual(listed.toSorted())
})

async function send(route: Route, owned: Owned, sent: Exclude<Sent, () => unknown>) {
  const { project, owner, names } = owned
  const ids: Readonly<Record<string, string>> = {
    projectId: project.publicId,
    organizationId: names.organization,
    ...sent.params,
  }
  const path = route.path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id] ?? '')
  const body = 'body' in sent ? { body: JSON.stringify(sent.body) } : {}
  return fetch(service.url + path, {
    method: route.method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    ...body,
  })
}

type Entry = { readonly organization: string; readonly action: string; readonly text: string }

/** Returns all entries of all organizations. */
const entries = () =>
  service.owner.query<Entry & { readonly id: string }>(
    `select organization_id::text as organization, id::text, action, e::text as text
       from audit_event e order by at, id`,
  )

async function addedBy(work: () => Promise<{ readonly status: number }>) {
  const before = new Set((await entries()).map(({ id }) => id))
  const { status } = await work()
  const added = (await entries()).filter(({ id }) => !before.has(id))
  return { status, added }
}

test.each(changing.filter((route) => nameOf(route) in CHANGES).map((one) => [nameOf(one), one]))(
  'the route %s writes exactly one audit entry per organization',
  async (name, route) => {
    const owned = await createOwned()
    const sent = (await CHANGES[String(name)]?.(owned)) ?? {}
    const work = async () =>
      typeof sent === 'function' ? sent() : send(route as Route, owned, sent)
    const { status, added } = await addedBy(work)
    expect([200, 201, 202, 204, 303]).toContain(status)
    // A transfer is in the logs of both organizations.
    const organizations = added.map(({ organization }) => organization)
    expect(added.length).toBe(String(name).endsWith('/transfer') ? 2 : 1)
    expect(new Set(organizations).size).toBe(added.length)
    expect(organizations).toContain(owned.project.tenant.organizationId)
  },
)

describe('reads', () => {
  async function createFull() {
    const owned = await createOwned()
    const { project, database, owner, names } = owned
    const { id: statusId } = await client(owned).deploy(SITE)
    const { id: deploymentId } = await client(owned).deploy(siteOf({ 'index.html': 'Again' }))
    await fillEvents(service.owner, database)
    await new ProofStore(database).save(deploymentId, PROOF, 1)
    const forecast = { openCount: 1, likelyIds: [], lostIds: [] }
    await new GapStore(database).saveForecast(deploymentId, forecast)
    await connected(owned)
    const ids: Readonly<Record<string, string>> = {
      projectId: project.publicId,
      organizationId: names.organization,
      deploymentId,
      statusId,
      changeId: await gapChange(owned),
      gapId: (await fillAssistant(database)).gap,
      buildId: await endedBuild(owned),
      ...(await addDomains(owned)),
      userId: owner.public_id,
      conversationId: await service.publish(project, { ...TURN, questionId: 'one' }),
    }
    return { ids, open: await uploaded(owned), token: owner.token, key: project.token }
  }

  const reading = routes.filter(({ method }) => method === 'GET')

  test('a GET request writes an audit entry only if it is a download', async () => {
    const { ids, open, token, key } = await createFull()
    for (const route of reading)
      for (const accept of route.formats) {
        const idOf = (_: string, id: string) =>
          route.path.endsWith('/missing') && id === 'deploymentId' ? open : (ids[id] ?? id)
        const query = 'path' in route.query.shape ? '?path=index.html' : ''
        const path = route.path.replaceAll(/:(\w+)/g, idOf) + query
        const bearer = path.includes('/update-status/') ? key : token
        const { status, added } = await addedBy(async () => {
          const headers = { authorization: `Bearer ${bearer}`, accept }
          const response = await fetch(service.url + path, { headers })
          await response.text()
          return response
        })
        const isDownload = route.exportAction !== undefined && accept !== route.formats[0]
        const actions = added.map(({ action }) => action)
        expect({ path, accept, status, actions }).toEqual({
          path,
          accept,
          status: 200,
          actions: isDownload ? [route.exportAction] : [],
        })
      }
  })

  test('every GET route with several formats has an audit action for downloads', () => {
    const downloads = reading.filter(({ formats }) => formats.length > 1)
    expect(downloads.length).toBeGreaterThanOrEqual(4)
    expect(downloads.filter(({ exportAction }) => exportAction === undefined)).toEqual([])
  })

  test('the audit entry of a download has the dates of the request but not the search text', async () => {
    const { ids, token } = await createFull()
    const search = 'text=ada%40example.com&dateFrom=2026-01-01'
    const { added } = await addedBy(() =>
      fetch(`${service.url}/v1/projects/${ids.projectId}/conversations?${search}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
      }),
    )
    expect(added[0]?.text).toContain('2026-01-01')
    expect(added[0]?.text).toContain('text/csv')
    expect(added[0]?.text).not.toContain('ada')
  })
})
