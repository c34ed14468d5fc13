import { parseArgs } from 'node:util'
import { SCOPES, type Scope } from '../api-keys/caller.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { createKeyStore } from '../api-keys/store.ts'
import { parseInstant } from '../conversations/instant.ts'
import { type Database, migrate, openDatabase } from '../database/database.ts'
import type { Settings } from '../env.ts'
import { createProjectStore } from '../projects/store.ts'
import { required, UsageError } from './arguments.ts'

export const HELP = `octavo-service: hosts documentation sites and keeps what their readers asked

Usage
  octavo-service --role api|worker|host|all     serve (only api has work today)
  octavo-service migrate                        bring the database up to date
  octavo-service project create <name>          make a project; its id is the last line
  octavo-service key create <projectId> [--scope analytics:read]… [--expires 2027-01-31] [--from 10.0.0.0/8]… [--name text]
                                                make an admin key; it is shown once, on the last line
  octavo-service key list <projectId>
  octavo-service key revoke <projectId> <keyId>

Environment
  DATABASE_URL                 PostgreSQL 15 or newer
  OCTAVO_KEY_PEPPER            secret that keys are hashed with, at least 32 characters
  HOST, PORT                   where to listen (127.0.0.1, 8080)
  OCTAVO_REQUESTS_PER_HOUR     requests of one project (3600)
  OCTAVO_DATABASE_CONNECTIONS  (10)
`

export type CommandDeps = {
  readonly settings: Settings
  readonly print: (line: string) => void
  readonly now: () => number
}

/** Runs an operator's command. Throws UsageError for what was not understood. */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scope: { type: 'string', multiple: true },
      from: { type: 'string', multiple: true },
      expires: { type: 'string' },
      name: { type: 'string' },
    },
  })
  const [noun, verb, ...rest] = positionals
  const command = [noun, verb].filter(Boolean).join(' ')
  if (command === 'migrate') {
    const ran = await migrate(deps.settings.databaseUrl)
    deps.print(ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.join(', ')}.`)
    return
  }
  const database = openDatabase({ url: deps.settings.databaseUrl, connections: 2, role: 'owner' })
  try {
    if (command === 'project create')
      await createProject(database, required(rest.join(' '), 'The name of the project'), deps)
    else if (command === 'key create')
      await createKey(database, required(rest[0], 'The project id'), values, deps)
    else if (command === 'key list')
      await listKeys(database, required(rest[0], 'The project id'), deps)
    else if (command === 'key revoke') await revokeKey(database, rest, deps)
    else throw new UsageError(`There is no command "${command}".`)
  } finally {
    await database.end()
  }
}

async function createProject(database: Database, name: string, deps: CommandDeps): Promise<void> {
  const project = await createProjectStore(database).insert(name)
  deps.print(`Made the project "${project.name}". Its id:`)
  deps.print(project.public_id)
}

type KeyOptions = {
  readonly scope?: string[] | undefined
  readonly from?: string[] | undefined
  readonly expires?: string | undefined
  readonly name?: string | undefined
}

async function createKey(
  database: Database,
  publicId: string,
  options: KeyOptions,
  deps: CommandDeps,
): Promise<void> {
  const project = await findProject(database, publicId)
  const { token } = await createApiKey(
    { keys: createKeyStore(database), pepper: deps.settings.pepper },
    {
      projectId: project.id,
      name: options.name ?? '',
      scopes: (options.scope ?? ['analytics:read']).map(parseScope),
      allowedFrom: options.from ?? null,
      expiresAt: parseExpiry(options.expires, deps.now()),
    },
  )
  deps.print('This key is shown once. Keep it on servers, never in a browser:')
  deps.print(token)
}

function parseScope(text: string): Scope {
  const scope = SCOPES.find((known) => known === text)
  if (scope !== undefined) return scope
  throw new UsageError(`There is no scope "${text}". Known: ${SCOPES.join(', ')}.`)
}

function parseExpiry(text: string | undefined, nowMs: number): Date | null {
  if (text === undefined) return null
  const ms = parseInstant(text)
  if (ms === undefined) throw new UsageError('--expires is a day such as 2027-01-31.')
  if (ms <= nowMs) throw new UsageError('--expires is in the past.')
  return new Date(ms)
}

async function listKeys(database: Database, publicId: string, deps: CommandDeps): Promise<void> {
  const project = await findProject(database, publicId)
  const keys = await createKeyStore(database).list(project.id)
  if (keys.length === 0) deps.print('This project has no keys.')
  for (const key of keys) {
    const state =
      key.revoked_at !== null
        ? 'revoked'
        : isExpired(key.expires_at, deps.now())
          ? 'expired'
          : 'valid'
    const used =
      key.last_used_at === null
        ? 'never used'
        : `last used ${key.last_used_at.toISOString().slice(0, 16)}`
    deps.print(
      `${key.id}  …${key.last_four}  ${state}  ${key.scopes.join(' ')}  ${used}  ${key.name}`.trimEnd(),
    )
  }
}

function isExpired(expiresAt: Date | null, nowMs: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= nowMs
}

async function revokeKey(
  database: Database,
  rest: readonly string[],
  deps: CommandDeps,
): Promise<void> {
  const project = await findProject(database, required(rest[0], 'The project id'))
  const keyId = required(rest[1], 'The id of the key')
  const keys = createKeyStore(database)
  const known = /^\d{1,18}$/.test(keyId) && (await keys.revoke(project.id, keyId))
  if (!known) throw new UsageError(`This project has no key ${keyId}. \`key list\` shows them.`)
  await keys.audit(project.id, 'key.revoke', { keyId })
  deps.print(`Revoked key ${keyId}. It stops working within a second.`)
}

async function findProject(database: Database, publicId: string) {
  const project = await createProjectStore(database).find(publicId)
  if (project === undefined) throw new UsageError(`There is no project ${publicId}.`)
  return project
}
