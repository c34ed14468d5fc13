/** A real service on a real database of its own, for one test file. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { inject } from 'vitest'
import type { Scope } from '../api-keys/caller.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { createKeyStore } from '../api-keys/store.ts'
import { createConversationStore } from '../conversations/store.ts'
import { type Database, openDatabase } from '../database/database.ts'
import type { Settings } from '../env.ts'
import { createProjectStore } from '../projects/store.ts'
import { createService, type Service } from '../service.ts'

const TEMPLATE = 'octavo_test_template'
export const PEPPER = 'a pepper for tests, 32 characters or more'

export type TestProject = { readonly id: string; readonly publicId: string; readonly token: string }

export type TestService = {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  readonly service: Service
  /** Works as the owner of the tables. */
  readonly owner: Database
  readonly conversations: ReturnType<typeof createConversationStore>
  readonly log: string[]
  readonly createProject: (scopes?: readonly Scope[]) => Promise<TestProject>
  readonly createKey: (projectId: string, wish?: Partial<NewApiKey>) => Promise<string>
  /** A request with the key of a project, to a path below it (default: the export). */
  readonly get: (
    project: TestProject,
    search?: string,
    headers?: Record<string, string>,
  ) => Promise<Response>
  readonly stop: () => Promise<void>
}

type NewApiKey = {
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date | null
  readonly allowedFrom: readonly string[] | null
}

let count = 0

/** Clones the template, starts the service on a free port. Pass `now` to hold the clock. */
export async function startTestService(
  options: Partial<Settings> & { now?: () => number } = {},
): Promise<TestService> {
  count += 1
  const name = `octavo_test_${process.pid}_${count}_${Math.trunc(performance.timeOrigin + performance.now())}`
  const admin = new URL(inject('databaseUrl'))
  await run(admin.href, `create database ${name} template ${TEMPLATE}`)
  const databaseUrl = new URL(admin.href)
  databaseUrl.pathname = `/${name}`
  const log: string[] = []
  const { now = Date.now, ...overrides } = options
  const settings: Settings = {
    databaseUrl: databaseUrl.href,
    pepper: PEPPER,
    host: '127.0.0.1',
    port: 0,
    requestsPerHour: 1_000_000,
    databaseConnections: 8,
    ...overrides,
  }
  const service = createService({ settings, writeLog: (line) => log.push(line), now })
  service.server.listen(0, '127.0.0.1')
  await once(service.server, 'listening')
  const { port } = service.server.address() as AddressInfo
  const owner = openDatabase({ url: databaseUrl.href, connections: 4, role: 'owner' })
  const keys = createKeyStore(owner)

  async function createKey(projectId: string, wish: Partial<NewApiKey> = {}): Promise<string> {
    const made = await createApiKey(
      { keys, pepper: PEPPER },
      {
        projectId,
        name: 'test',
        scopes: ['analytics:read', 'analytics:write'],
        allowedFrom: null,
        expiresAt: null,
        ...wish,
      },
    )
    return made.token
  }

  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    databaseUrl: databaseUrl.href,
    service,
    owner,
    log,
    createKey,
    conversations: createConversationStore(service.database),
    createProject: async (scopes) => {
      const project = await createProjectStore(owner).insert('Test')
      const token = await createKey(project.id, scopes === undefined ? {} : { scopes })
      return { id: project.id, publicId: project.public_id, token }
    },
    get: (project, search = '', headers = {}) =>
      fetch(`${url}/v1/analytics/${project.publicId}/assistant${search}`, {
        headers: { authorization: `Bearer ${project.token}`, ...headers },
      }),
    stop: async () => {
      service.server.closeAllConnections()
      await service.stop()
      await owner.end()
      await run(admin.href, `drop database if exists ${name} with (force)`)
    },
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
