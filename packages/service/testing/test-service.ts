/** Starts a real service with a database of its own, for one test file. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportedConversation, KeyKind, Scope } from '@octavo/contract'
import pg from 'pg'
import { inject } from 'vitest'
import { ConversationStore } from '../src/answers/conversations/store.ts'
import { createService, type Service, type ServiceDeps } from '../src/app/roles/service.ts'
import type { Settings } from '../src/app/settings/env.ts'
import { insertOrganization } from '../src/people/organizations/store.ts'
import { NO_SIGN_IN } from '../src/people/sign-in-settings.ts'
import type { BlobStore } from '../src/platform/blobs/blob-store.ts'
import { type Database, openDatabase, type Tenant } from '../src/platform/database/database.ts'
import { createPepperRing } from '../src/platform/secrets/pepper-ring.ts'
import { createApiKey } from '../src/projects/api-keys/create-api-key.ts'
import { ProjectStore, tenantOf } from '../src/projects/projects/store.ts'
import { serviceUrlOf } from './test-database.ts'

const TEMPLATE = 'octavo_test_template'
export const PEPPER_TEXT = 'a pepper for tests, 32 characters or more'
export const PEPPER = createPepperRing({ current: PEPPER_TEXT })

export type TestProject = {
  readonly id: string
  readonly tenant: Tenant
  readonly publicId: string
  readonly token: string
}

export type TestService = {
  readonly url: string
  readonly adminUrl: string
  readonly port: number
  /** The database URL with which the owner of its tables connects. */
  readonly databaseUrl: string
  readonly settings: Settings
  readonly service: Service
  /** A database connection as the owner of the tables. */
  readonly owner: Database
  readonly conversationsOf: (project: TestProject) => ConversationStore
  /** Publishes a turn, optionally for a certain reader. Returns the id of the conversation. */
  readonly publish: (
    project: TestProject,
    turn: ImportedConversation,
    reader?: string,
  ) => Promise<string>
  readonly log: string[]
  readonly createProject: (scopes?: readonly Scope[]) => Promise<TestProject>
  readonly createKey: (
    project: Pick<TestProject, 'tenant'>,
    input?: Partial<NewApiKey>,
  ) => Promise<string>
  /** Requests the project's export with the project's key. `search` is appended to the URL. */
  readonly get: (
    project: Pick<TestProject, 'publicId' | 'token'>,
    search?: string,
    headers?: Record<string, string>,
  ) => Promise<Response>
  readonly stop: () => Promise<void>
}

type NewApiKey = {
  readonly kind: KeyKind
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  readonly allowedFrom: readonly string[] | null
}

let count = 0
let projectCount = 0

/** Clones the template database and starts the service on a free port. `now` replaces the clock. */
export async function startTestService(
  options: Partial<Settings> & {
    now?: () => number
    blobStore?: BlobStore
    builds?: ServiceDeps['builds']
    /**
     * The URL of a server with the template database. By default, it is the server of the whole
     * run.
     */
    serverUrl?: string
  } = {},
): Promise<TestService> {
  count += 1
  const name = `octavo_test_${process.pid}_${count}_${Math.trunc(performance.timeOrigin + performance.now())}`
  const admin = new URL(options.serverUrl ?? inject('databaseUrl'))
  await run(admin.href, `create database ${name} template ${TEMPLATE}`)
  // A clone does not inherit privileges: `migrate` revoked this one only in the template.
  await run(admin.href, `revoke temporary on database ${name} from public`)
  const databaseUrl = new URL(admin.href)
  databaseUrl.pathname = `/${name}`
  const log: string[] = []
  const { now = Date.now, blobStore, builds, serverUrl: _, ...overrides } = options
  const settings: Settings = {
    ...testSettings(serviceUrlOf(databaseUrl.href)),
    ownerUrl: databaseUrl.href,
    workFolder: join(tmpdir(), name),
    ...overrides,
  }
  const writeLog = (line: string) => log.push(line)
  const service = createService({ settings, blobs: blobStore, builds, writeLog, now })
  service.server.listen(0, '127.0.0.1')
  await once(service.server, 'listening')
  service.adminServer.listen(0, '127.0.0.1')
  await once(service.adminServer, 'listening')
  const { port } = service.server.address() as AddressInfo
  const { port: adminPort } = service.adminServer.address() as AddressInfo
  const owner = openDatabase({ url: databaseUrl.href, connections: 4 })

  async function createKey(
    { tenant }: Pick<TestProject, 'tenant'>,
    input: Partial<NewApiKey> = {},
  ): Promise<string> {
    const made = await createApiKey(
      { database: owner.forProject(tenant), pepper: settings.pepper },
      {
        kind: 'admin',
        name: 'test',
        scopes: ['analytics:read', 'analytics:write'],
        allowedFrom: null,
        expiresAt: null,
        ...input,
      },
    )
    return made.token
  }

  const conversationsOf = ({ tenant }: TestProject) =>
    new ConversationStore(service.database.forProject(tenant))

  async function publish(
    project: TestProject,
    turn: ImportedConversation,
    reader?: string,
  ): Promise<string> {
    const conversations = conversationsOf(project)
    if (reader === undefined) {
      const { ids } = await conversations.importBatch([{ ...turn, atMs: null }])
      return ids[0] ?? ''
    }
    const { query, threadId, pageUrl } = turn
    const question = { query, ...(threadId && { threadId }), ...(pageUrl && { pageUrl }), reader }
    return (await conversations.publish(await conversations.accept(question), turn)) ?? ''
  }

  const url = `http://127.0.0.1:${port}`
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    port,
    databaseUrl: databaseUrl.href,
    settings,
    service,
    owner,
    log,
    createKey,
    conversationsOf,
    publish,
    createProject: async (scopes) => {
      projectCount += 1
      const slug = `test-${projectCount}`
      const { id: organizationId } = await insertOrganization(owner, 'Test')
      const project = await new ProjectStore(owner).insert({ organizationId, name: 'Test', slug })
      const tenant = tenantOf(project)
      const token = await createKey({ tenant }, scopes === undefined ? {} : { scopes })
      return { id: project.id, tenant, publicId: project.public_id, token }
    },
    get: (project, search = '', headers = {}) =>
      fetch(`${url}/v1/analytics/${project.publicId}/assistant${search}`, {
        headers: { authorization: `Bearer ${project.token}`, ...headers },
      }),
    stop: async () => {
      service.server.closeAllConnections()
      await service.stop()
      await owner.end()
      rmSync(settings.workFolder, { recursive: true, force: true })
      await run(admin.href, `drop database if exists ${name} with (force)`)
    },
  }
}

/** Returns the settings of a test service that has no public URL. */
export function testSettings(url: string): Settings {
  return {
    databaseUrl: url,
    ownerUrl: url,
    directUrl: undefined,
    replicaUrl: undefined,
    adminHost: '127.0.0.1',
    adminPort: 0,
    trustedProxies: [],
    pepper: PEPPER,
    secretKeys: [],
    blobs: undefined,
    url: undefined,
    sitesDomain: undefined,
    previewsDomain: undefined,
    workFolder: join(tmpdir(), 'octavo-test-work'),
    hostCacheBytes: 64 * 1024 * 1024,
    host: '127.0.0.1',
    port: 0,
    isReadOnly: false,
    allowPrivateHosts: [],
    // No DNS server listens on this port, so tests cannot query the internet.
    dnsServers: ['127.0.0.1:9'],
    oidcIssuers: [],
    gitHubUrl: 'https://github.com',
    gitHubApp: undefined,
    assistant: { model: undefined, tokensPerDay: undefined, tokensPerMonth: undefined },
    vectors: { mode: 'off' },
    signIn: NO_SIGN_IN,
    requestsPerHour: 1_000_000,
    databaseConnections: 8,
    traces: undefined,
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
