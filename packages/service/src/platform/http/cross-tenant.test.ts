/**
 * Tests that no API route allows access to another project's data. New routes are included
 * automatically.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hasScope, KEY_SCOPES, type Scope } from '@octavo/contract'
import { printDelta } from '@octavo/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem, readResponse } from '../../../testing/expect-problem.ts'
import { fillAssistant } from '../../../testing/fill-assistant.ts'
import type { RawResponse } from '../../../testing/send-raw.ts'
import { fillAccess } from '../../../testing/tenant-access.ts'
import { fillDomains } from '../../../testing/tenant-domains.ts'
import { fillEvents } from '../../../testing/tenant-events.ts'
import { connectionOf, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { clientOf, digest, framesOf, siteOf } from '../../../testing/test-deployment.ts'
import { PEPPER, startTestService, type TestProject } from '../../../testing/test-service.ts'
import { GapStore } from '../../answers/gaps/store.ts'
import { createApiKey } from '../../projects/api-keys/create-api-key.ts'
import { BuildStore } from '../../publishing/builds/store.ts'
import { insertConnection } from '../../publishing/connections/store.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { ProofStore } from '../../publishing/deployments/proof-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { openFolderStore } from '../blobs/folder-store.ts'
import type { Route } from './route.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
const service = await startTestService({
  blobStore: await openFolderStore(folder),
  secretKeys: SECRET_KEYS,
})
const { routes } = service.service
const NAMES = ['apple', 'birch', 'cedar'] as const
type Name = (typeof NAMES)[number]

type Tenant = TestProject & {
  readonly name: Name
  readonly ids: readonly string[]
  readonly deployment: string
  readonly preview: string
  /** The deployment that the preview serves. */
  readonly previewed: string
  readonly build: string
  readonly gap: string
  readonly change: string
  readonly key: string
  readonly feedback: string
}
const tenants = new Map<Name, Tenant>()

/** A string in each project's data that no other project may see. */
const secret = (name: Name) => `secret-of-${name}`

beforeAll(async () => {
  for (const name of NAMES) {
    const project = await service.createProject(KEY_SCOPES)
    const ids: string[] = []
    for (const number of [1, 2]) {
      ids.push(await service.publish(project, turn(name, number)))
    }
    await service
      .conversationsOf(project)
      .importBatch([{ ...turn(name, 3), atMs: Date.UTC(2024, 0, 1) }])
    await service.conversationsOf(project).accept({ query: secret(name) })
    const deployment = await createDeployment(project, name)
    const previewed = await createPreview(project, name)
    const preview = secret(name)
    const build = await createEndedBuild(project, name)
    const bound = service.service.database.forProject(project.tenant)
    const { gap, change } = await fillAssistant(bound, secret(name))
    await connect(project, name)
    await fillDomains(service.owner, bound, secret(name))
    await fillAccess(service.owner, bound, secret(name))
    const feedback = await fillEvents(service.owner, bound, secret(name))
    const key = await createOtherKey(project, name)
    tenants.set(name, {
      ...project,
      name,
      ids,
      deployment,
      preview,
      previewed,
      build,
      gap,
      change,
      key,
      feedback,
    })
  }
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const connect = ({ tenant: bound }: TestProject, name: Name) =>
  service.service.database.forProject(bound).transaction((query) =>
    insertConnection(query, {
      ...connectionOf(`hook-of-the-connection-of-${name}`),
      url: `https://git.example.com/${secret(name)}`,
    }),
  )

/** Creates an additional key, so that requests can read and change a key that they do not use. */
async function createOtherKey(project: TestProject, name: Name): Promise<string> {
  const database = service.owner.forProject(project.tenant)
  const { id } = await createApiKey(
    { database, pepper: PEPPER },
    { kind: 'admin', name: secret(name), scopes: [], allowedFrom: null, expiresAt: null },
  )
  return id
}

function turn(name: Name, number: number) {
  const text = secret(name)
  return {
    questionId: `${text}-${number}`,
    query: text,
    response: text,
    threadId: text,
    pageUrl: text,
    sources: [{ title: text, url: text }],
    resolutionStatus: 'answered' as const,
  }
}

function tenant(name: Name): Tenant {
  const found = tenants.get(name)
  if (found === undefined) throw new Error(`no project ${name}`)
  return found
}

const UNKNOWN = { projectId: 'prj_0000000000000000', conversationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }

function scopeOf({ caller }: Route): Scope {
  if ('scope' in caller) return caller.scope
  throw new Error(`say here how a caller of the kind "${caller.kind}" is tried`)
}

/**
 * Returns the id of the given kind in a project. A route with a new kind of id needs a line here.
 */
function idOf(kind: string, owner: Tenant | undefined): string {
  if (kind === 'projectId') return owner?.publicId ?? UNKNOWN.projectId
  if (kind === 'conversationId') return owner?.ids[0] ?? UNKNOWN.conversationId
  if (kind === 'deploymentId' || kind === 'statusId')
    return owner?.deployment ?? UNKNOWN.conversationId
  if (kind === 'buildId') return owner?.build ?? UNKNOWN.conversationId
  if (kind === 'keyId') return owner?.key ?? '1'
  if (kind === 'gapId') return owner?.gap ?? UNKNOWN.conversationId
  if (kind === 'changeId') return owner?.change ?? UNKNOWN.conversationId
  if (kind === 'feedbackId') return owner?.feedback ?? UNKNOWN.conversationId
  if (kind === 'readerTokenId') return `rtk_${'0'.repeat(11)}${owner?.name ?? 'other'}`
  if (kind === 'domainName') return `${owner?.preview ?? 'unknown'}.example.com`
  if (kind === 'previewName') return owner?.preview ?? 'unknown'
  // Blobs are named by their content, so the digest is the same in all projects.
  if (kind === 'sha256') return digest(BYTES)
  throw new Error(`a route has the id "${kind}"; say here what it is in each project`)
}

const BYTES = 'bytes'
const SITE = siteOf({ 'index.html': 'Welcome' })

function streamOf({ path }: Route) {
  const added = Buffer.from(BYTES)
  if (path.endsWith('/blobs')) return new Uint8Array(framesOf([[digest(BYTES), added]]))
  if (path.endsWith('/delta'))
    return new Uint8Array(gzipSync(printDelta([{ start: 0, copied: 0, added }])))
  return BYTES
}

/** Creates a deployment and uploads all its files. */
async function createDeployment(project: TestProject, name: Name): Promise<string> {
  const client = clientOf(service.url, project)
  const { body } = await client.create(SITE, { branch: secret(name), message: secret(name) })
  await client.upload(body.id, SITE)
  const gaps = new GapStore(service.service.database.forProject(project.tenant))
  const answers = { questions: 1, lostCount: 1, lost: [secret(name)], gained: 0, changed: 0 }
  const likelyIds = [secret(name)]
  await gaps.saveForecast(body.id, { openCount: 1, likelyIds, lostIds: [], answers })
  const proof = { ranAt: new Date(), octavo: secret(name), runtimes: [secret(name)] }
  const counts = { passed: 1, failed: 0, notRun: 0, pages: new Map([[secret(name), {}]]) }
  const proofs = new ProofStore(service.service.database.forProject(project.tenant))
  await proofs.save(body.id, { ...proof, ...counts }, 20)
  return body.id
}

function createBuild(project: TestProject, name: Name): Promise<string> {
  return service.service.acceptBuild(project.tenant, {
    target: 'production',
    ref: secret(name),
    commit: 'a'.repeat(40),
    pullRequest: undefined,
    isFork: false,
    trigger: 'api',
  })
}

/** Creates a canceled build, because retrying an open build would return the same build. */
async function createEndedBuild(project: TestProject, name: Name): Promise<string> {
  const bound = service.service.database.forProject(project.tenant)
  const build = await createBuild(project, name)
  await new BuildStore(bound, async () => {}).cancel(bound.query, build, secret(name))
  return build
}

async function createPreview(project: TestProject, name: Name): Promise<string> {
  const bound = service.service.database.forProject(project.tenant)
  const deployments = new DeploymentStore(bound)
  const { id } = await deployments.insert({
    root: Buffer.alloc(32),
    target: 'preview',
    isDraft: false,
    branch: secret(name),
    message: null,
    commit: null,
    by: 'test',
    idempotencyKey: null,
  })
  await deployments.end(id, 'ready')
  await new PreviewStore(bound).publish(id, secret(name))
  return id
}

const NEUTRAL = { questionId: 'neutral', query: 'Why?', response: 'So.', sources: [] }

const NO_SAMPLES = { runtimes: [], samples: [] }

/**
 * Returns a valid body for the route, so that only the tenant can be the reason for a rejection.
 */
function bodyOf({ method, path }: Route, things: Tenant | undefined): object {
  if (path.endsWith('/:feedbackId')) return { status: 'resolved' }
  if (path.startsWith('/v1/analytics'))
    return {
      conversations: [{ ...turn('apple', 9), ...NEUTRAL, threadId: 'thread', pageUrl: '/' }],
    }
  if (path.endsWith('/assistant')) return { mask: true }
  if (path.endsWith('/assistant/test')) return { question: 'Why?' }
  if (path.endsWith('/connection'))
    return method === 'PUT' ? { previews: false } : { url: 'https://git.example.com/o/n' }
  if (path.endsWith('/deployments')) return { root: SITE.root }
  if (path.endsWith('/publish')) return { expectedLive: null }
  if (path.includes('/project/preview/')) return { branch: 'main' }
  if (path.endsWith('/approve')) return { deployment: things?.previewed ?? 'unknown' }
  if (path.endsWith('/:gapId')) return { action: 'dismiss' }
  // Uses the second conversation, because another route deletes the first.
  if (path.endsWith('/gaps')) return { conversation: things?.ids[1] ?? UNKNOWN.conversationId }
  if (path.endsWith('/gaps/changes'))
    return { action: 'dismiss', ids: [things?.gap ?? UNKNOWN.conversationId] }
  if (path.endsWith('/shown-answers'))
    return { questions: [{ question: 'Why?', pages: [], passages: [] }] }
  if (path.endsWith('/keys')) return { name: 'test', scopes: ['keys:write'], expiresAt: null }
  if (path.endsWith('/rotate')) return { overlapHours: 0 }
  if (path.endsWith('/webhook')) return { url: 'https://hooks.example.com/x' }
  if (path.endsWith('/notifications')) return { addresses: ['docs@example.com'] }
  if (path.endsWith('/access')) return { previews: 'members' }
  if (path.endsWith('/access/tokens')) return { name: 'test' }
  if (path.endsWith('/domains')) return { name: 'new.example.com' }
  if (path.endsWith('/domains/:domainName')) return { redirects: false }
  if (path.endsWith('/settings')) return { retentionDays: 800 }
  if (path.endsWith('/lock')) return { reason: 'test' }
  if (path.endsWith('/proof'))
    return { format: 'octavo-proof/1', octavo: '0', date: '2026-01-01T00:00:00Z', ...NO_SAMPLES }
  throw new Error(`say here what the body of ${path} is`)
}

type Target = { readonly project: Tenant | undefined; readonly things: Tenant | undefined }

function pathOf(route: Route, { project, things }: Target): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, kind: string) =>
    idOf(kind, kind === 'projectId' ? project : things),
  )
  return 'path' in route.query.shape ? `${path}?path=index.html` : path
}

type RequestOptions = { readonly token: string | undefined; readonly accept?: string }

async function send(route: Route, target: Target, options: RequestOptions): Promise<RawResponse> {
  const { token, accept = route.formats[0] ?? '*/*' } = options
  const isJson = route.body !== undefined
  const body = isJson
    ? JSON.stringify(bodyOf(route, target.things))
    : route.stream && streamOf(route)
  const response = await fetch(service.url + pathOf(route, target), {
    method: route.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      accept,
    },
    ...(body === undefined ? {} : { body }),
  })
  return readResponse(response)
}

/** Returns the response without the parts that differ between requests. */
function lasting({ status, headers, body }: RawResponse): object {
  const rest = Object.fromEntries(headers)
  // `ratelimit` contains the remaining number of requests, which decreases with every request.
  const changing = ['date', 'x-request-id', 'ratelimit']
  return {
    status,
    headers: Object.entries(rest).filter(([name]) => !changing.includes(name)),
    body: { ...JSON.parse(body), requestId: '' },
  }
}

function expectNoDataOf(reply: RawResponse, owner: Tenant): void {
  const all = JSON.stringify([...reply.headers]) + reply.body
  for (const text of [
    secret(owner.name),
    owner.publicId,
    owner.token,
    owner.gap,
    owner.key,
    ...owner.ids,
  ]) {
    expect(all).not.toContain(text)
  }
}

const everything = async () => [
  await service.owner.query(
    'select project_id, id, query, response, page_url from conversation order by project_id, id',
    [],
  ),
  await service.owner.query('select * from deployment order by project_id, id', []),
  await service.owner.query('select * from publication order by project_id', []),
  await service.owner.query('select * from gap order by project_id, id', []),
  await service.owner.query('select * from preview order by project_id, name', []),
  await service.owner.query('select * from project_blob order by project_id, sha256', []),
  await service.owner.query('select * from project order by id', []),
  await service.owner.query('select * from connection order by project_id', []),
  await service.owner.query('select * from domain_claim order by project_id, name', []),
  await service.owner.query('select * from assistant order by project_id', []),
  await service.owner.query('select * from site_access order by project_id', []),
  await service.owner.query('select * from reader_session order by project_id, token_hash', []),
  await service.owner.query(
    'select project_id, id, expires_at, revoked_at, replaces from api_key where name like $1 order by project_id, id',
    ['secret-of-%'],
  ),
]

/**
 * Returns whether a route accepts API keys. Routes for people are tested in
 * `people/members/authorization.test.ts`.
 */
const takesKey = ({ caller }: Route) => caller.kind === 'adminKey' || caller.kind === 'deployToken'
const named = routes
  .filter(takesKey)
  .map((route): [string, Route] => [`${route.method} ${route.path}`, route])
const pairs = NAMES.flatMap((own) =>
  NAMES.filter((other) => other !== own).map((other): [Name, Name] => [own, other]),
)

/**
 * Routes without a project in the path. Ids are looked up only in the project of the credential.
 */
const WITHOUT_PROJECT = [
  '/v1/project/update-status/:statusId',
  '/v1/hooks/github-app',
  '/v1/hooks/:hookId',
  '/v1/device',
  '/v1/device/token',
  '/v1/oidc/exchange',
]
/**
 * Routes that need no API key. They are tested in `hooks.test.ts`, `app-hook.test.ts`,
 * `device-pages.test.ts` and `oidc.test.ts`.
 */
const WITHOUT_KEY = [
  '/v1/hooks/github-app',
  '/v1/hooks/:hookId',
  '/v1/device',
  '/v1/device/token',
  '/v1/oidc/exchange',
]
const namesProject = ({ path }: Route) => /\/:projectId(?:\/|$)/.test(path)
const isOfPeople = ({ caller }: Route) => caller.kind === 'person' || caller.kind === 'organization'
/**
 * Returns whether the route fails in this test, because no project has a source to build, a site to
 * ask, a search index, or a repository that can be read.
 */
const isRefused = (route: Route) =>
  readsRepository(route) ||
  /^\/v1\/project\/(?:update|preview)\//.test(route.path) ||
  (route.method === 'POST' &&
    /\/(?:assistant\/test|connection|shown-answers|undo)$/.test(route.path))
const readsRepository = ({ method, path }: Route) =>
  method === 'POST' && /\/(?:builds|connection\/check)$/.test(path)

test('every route is bound to a project, an organization or a person, or is a known exception', () => {
  expect(routes.length).toBeGreaterThanOrEqual(3)
  const others = routes.filter((route) => !namesProject(route) && !isOfPeople(route))
  expect(others.map(({ path }) => path)).toEqual(WITHOUT_PROJECT)
  const open = routes.filter(({ caller }) => !('scope' in caller) && caller.kind !== 'person')
  expect(open.map(({ path }) => path)).toEqual(WITHOUT_KEY)
})

describe.each(named)('%s', (_, route) => {
  const hasThings = /:(?!projectId\b|sha256\b)\w+/.test(route.path)
  const pairsOfThings = hasThings ? pairs : []
  const pairsOfProjects = namesProject(route) ? pairs : []

  test.each(pairsOfProjects)(
    'the key of the project %s cannot access the project %s',
    async (ownName, otherName) => {
      const [own, other] = [tenant(ownName), tenant(otherName)]
      const before = await everything()
      for (const accept of route.formats) {
        for (const things of [own, other, undefined]) {
          const options = { token: own.token, accept }
          const foreign = await send(route, { project: other, things }, options)
          const unknown = await send(route, { project: undefined, things }, options)
          expectProblem(foreign, 404)
          expectNoDataOf(foreign, other)
          expect(lasting(foreign)).toEqual(lasting(unknown))
        }
      }
      expect(await everything()).toEqual(before)
    },
  )

  test.each(pairsOfThings)(
    'requests in the project %s do not find ids of the project %s',
    async (ownName, otherName) => {
      const [own, other] = [tenant(ownName), tenant(otherName)]
      const before = await everything()
      const foreign = await send(route, { project: own, things: other }, { token: own.token })
      const unknown = await send(route, { project: own, things: undefined }, { token: own.token })
      expectProblem(foreign, 404)
      expectNoDataOf(foreign, other)
      expect(lasting(foreign)).toEqual(lasting(unknown))
      expect(await everything()).toEqual(before)
    },
  )

  test('requests without a key get the same response for existing and unknown projects', async () => {
    const replies = [tenant('apple'), tenant('birch'), undefined].map((project) =>
      send(route, { project, things: project }, { token: undefined }),
    )
    const [first, ...others] = await Promise.all(replies)
    expectProblem(first, 401)
    for (const other of others) expect(lasting(other)).toEqual(first && lasting(first))
  })

  // Excludes scopes that include the required one.
  const others = KEY_SCOPES.filter((scope) => !hasScope([scope], scopeOf(route)))
  test.each(others)('a key with only the scope %s is forbidden', async (scope) => {
    await expectForbidden([scope])
  })

  test('a key with every scope except the required one is forbidden', async () => {
    await expectForbidden(others)
  })

  test('a deploy token works only on routes that accept deploy tokens, and never in other projects', async () => {
    const own = tenant('apple')
    const token = await service.createKey(own, { kind: 'deploy', scopes: KEY_SCOPES })
    if (route.caller.kind !== 'deployToken')
      expectProblem(await send(route, { project: own, things: own }, { token }), 403)
    const other = tenant('birch')
    expectProblem(await send(route, { project: other, things: other }, { token }), 404)
  })

  async function expectForbidden(scopes: readonly Scope[]): Promise<void> {
    const own = tenant('apple')
    const token = await service.createKey(own, { scopes })
    const before = await everything()
    const reply = await send(route, { project: own, things: own }, { token })
    expectProblem(reply, 403)
    expectNoDataOf(reply, own)
    expect(await everything()).toEqual(before)
    // With a key that lacks the scope, the response does not reveal whether another project exists.
    const other = tenant('birch')
    const foreign = await send(route, { project: other, things: other }, { token })
    if (namesProject(route)) expectProblem(foreign, 404)
    else expect(lasting(foreign)).toEqual(lasting(reply))
  }

  test('a key with only the required scope gets only its own data', async () => {
    const name = 'cedar'
    let own = tenant(name)
    const token = await service.createKey(own, { scopes: [scopeOf(route)] })
    if (route.path.includes(':deploymentId'))
      own = { ...own, deployment: await createDeployment(own, name) }
    if (route.path.endsWith('/builds/:buildId/cancel'))
      own = { ...own, build: await createBuild(own, name) }
    if (route.path.endsWith('/builds/:buildId/retry'))
      own = { ...own, build: await createEndedBuild(own, name) }
    if (/\/(?:publish|diff|specifications|api-changes)$/.test(route.path))
      await clientOf(service.url, own).call('POST', `/deployments/${own.deployment}/finish`)
    // Removes the connection, because no worker is running that could read the repository.
    if (readsRepository(route))
      await service.owner.query('delete from connection where project_id = $1', [own.id])
    for (const accept of route.formats) {
      const reply = await send(route, { project: own, things: own }, { token, accept })
      expect(isRefused(route) ? [404, 409] : [200, 201, 202, 204]).toContain(reply.status)
      for (const other of NAMES.filter((one) => one !== name)) {
        expectNoDataOf(reply, tenant(other))
      }
    }
    if (readsRepository(route)) await connect(own, name)
  })
})

describe('row-level security in the database', () => {
  const TABLES = ['conversation', 'question', 'conversation_sequence', 'backfill']

  test('a statement that is not bound to a project sees no rows', async () => {
    const { database } = service.service
    for (const table of TABLES) expect(await database.query(`select * from ${table}`)).toEqual([])
  })

  test.each(NAMES)(
    'a transaction that is bound to the project %s sees only its rows',
    async (name) => {
      const own = tenant(name)
      const union = TABLES.map((table) => `select '${table}' as name, project_id from ${table}`)
      const seen = await service.service.database
        .forProject(own.tenant)
        .query<{ project_id: string }>(union.join(' union '))
      expect(seen).toHaveLength(TABLES.length)
      for (const row of seen) expect(row.project_id).toBe(own.id)
    },
  )
})
