import { parseArgs } from 'node:util'
import { migrate, openDatabase } from '../database/database.ts'
import {
  type CommandDeps,
  type CommandInput,
  type CommandOptions,
  UsageError,
} from './arguments.ts'
import { exportConversations, importConversations } from './conversation-commands.ts'
import { createKey, listKeys, revokeKey } from './key-commands.ts'
import { createProject } from './project-commands.ts'

export const HELP = `octavo-service: hosts documentation sites and keeps what their readers asked

Usage
  octavo-service --role api|worker|host|all     api answers requests, worker does the upkeep, all does both;
                                                host comes later
  octavo-service migrate                        bring the database up to date
  octavo-service project create <name>          make a project; its id is the last line
  octavo-service key create <projectId> [--scope analytics:read]… [--expires 2027-01-31] [--from 10.0.0.0/8]… [--name text]
                                                make an admin key; it is shown once, on the last line
  octavo-service key list <projectId>
  octavo-service key revoke <projectId> <keyId>
  octavo-service conversations import <projectId> <file.ndjson>
                                                add history in the format of the export; can be repeated
  octavo-service conversations export <projectId> -o <file.ndjson>

Environment
  DATABASE_URL                 PostgreSQL 15 or newer
  OCTAVO_KEY_PEPPER            secret that keys are hashed with, at least 32 characters
  HOST, PORT                   where to listen (127.0.0.1, 8080)
  OCTAVO_REQUESTS_PER_HOUR     requests of one project (3600)
  OCTAVO_DATABASE_CONNECTIONS  (10)
`

type Command = {
  readonly options: readonly (keyof CommandOptions)[]
  readonly run: (input: CommandInput) => Promise<void>
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['project create', { options: [], run: createProject }],
  ['key create', { options: ['scope', 'expires', 'from', 'name'], run: createKey }],
  ['key list', { options: [], run: listKeys }],
  ['key revoke', { options: [], run: revokeKey }],
  ['conversations import', { options: [], run: importConversations }],
  ['conversations export', { options: ['output'], run: exportConversations }],
])

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
      output: { type: 'string', short: 'o' },
    },
  })
  const options: CommandOptions = values
  const [noun = '', verb, ...words] = positionals
  const name = verb === undefined ? noun : `${noun} ${verb}`
  const known: readonly string[] = COMMANDS.get(name)?.options ?? []
  const misplaced = Object.keys(options).find((option) => !known.includes(option))
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} is not an option of ${name}.`)
  if (name === 'migrate') {
    const ran = await migrate(deps.settings.databaseUrl)
    deps.print(ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.join(', ')}.`)
    return
  }
  const command = COMMANDS.get(name)
  if (command === undefined) throw new UsageError(`There is no command "${name}".`)
  const database = openDatabase({ url: deps.settings.databaseUrl, connections: 2, role: 'owner' })
  try {
    await command.run({ ...deps, database, words, options })
  } finally {
    await database.end()
  }
}
