import { parseArgs } from 'node:util'
import { openDatabase } from '../../platform/database/database.ts'
import { type CommandDeps, type CommandTable, OPTIONS, UsageError } from './arguments.ts'
import { ASSISTANT_COMMANDS } from './assistant-commands.ts'
import { BACKUP_COMMANDS } from './backup-commands.ts'
import { CELL_COMMANDS } from './cell-commands.ts'
import { CONNECTION_COMMANDS } from './connection-commands.ts'
import { CONVERSATION_COMMANDS } from './conversation-commands.ts'
import { GITHUB_APP_COMMANDS } from './github-app-commands.ts'
import { optionsOf } from './help.ts'
import { JOB_COMMANDS } from './job-commands.ts'
import { KEY_COMMANDS } from './key-commands.ts'
import { runMigrate } from './migrate-command.ts'
import { PROJECT_COMMANDS } from './project-commands.ts'
import { SITE_COMMANDS } from './site-commands.ts'
import { USER_COMMANDS } from './user-commands.ts'

const COMMANDS = new Map(
  Object.entries<CommandTable[string]>({
    ...USER_COMMANDS,
    ...PROJECT_COMMANDS,
    ...CONNECTION_COMMANDS,
    ...CELL_COMMANDS,
    ...SITE_COMMANDS,
    ...BACKUP_COMMANDS,
    ...JOB_COMMANDS,
    ...GITHUB_APP_COMMANDS,
    ...KEY_COMMANDS,
    ...ASSISTANT_COMMANDS,
    ...CONVERSATION_COMMANDS,
  }),
)

/** Commands that also work before the tables exist. */
const MIGRATE: readonly string[] = ['migrate', 'migrate status']

export const COMMAND_NAMES: readonly string[] = [
  'setup',
  ...MIGRATE,
  'doctor',
  'support-bundle',
  'demo',
  ...COMMANDS.keys(),
]

/** Runs an operator's command. Throws UsageError for an invalid one. */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<void> {
  const { values: options, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: OPTIONS,
  })
  const [noun = '', verb, ...rest] = positionals
  const isOneWord = verb === undefined || COMMANDS.has(noun)
  const name = isOneWord ? noun : `${noun} ${verb}`
  const words = isOneWord ? positionals.slice(1) : rest
  const command = COMMANDS.get(name)
  const isMigrate = MIGRATE.includes(name)
  const known = command || isMigrate ? optionsOf(name) : []
  const misplaced = Object.keys(options).find((option) => !known.includes(option))
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} is not an option of ${name}.`)
  if (isMigrate)
    return runMigrate(deps, { status: verb === 'status', dryRun: options['dry-run'] === true })
  if (command === undefined) throw new UsageError(`Unknown command "${name}".`)
  const database = openDatabase({ url: deps.settings.ownerUrl, connections: 2 })
  try {
    for await (const line of command({ ...deps, database, words, options })) deps.print(line)
  } finally {
    await database.end()
  }
}
