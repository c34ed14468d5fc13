/**
 * `setup`: writes the service's settings and secrets, prepares its database, and prints how to
 * start it. Existing settings are kept, so the command can be repeated after a mistake.
 */
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createSetupLink } from '../../../people/sign-in/setup-link.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { readSettings, type Settings } from '../../settings/env.ts'
import { UsageError } from '../arguments.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { runMigrate } from '../migrate-command.ts'
import { createPrompter, type Question, type Terminal, useFallback } from './ask.ts'
import { choose, chooseSettings } from './choose-settings.ts'
import { databaseOf, ensureDatabase, findLocalServer, hasRole, roleOf } from './create-database.ts'
import { findDatabaseProblem } from './find-database-problem.ts'
import { printEnvironment } from './print-environment.ts'
import { printNextSteps, printSqlToRun } from './print-next-steps.ts'
import { newPassword, newSecrets, serviceUrlFor } from './secrets.ts'
import { addToFile, readSettingsFile, type Values } from './settings-file.ts'

export type SetupDeps = Terminal & {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
  readonly now: () => number
  /** Folders that may contain a PostgreSQL socket. */
  readonly socketFolders?: readonly string[]
}

const OPTIONS = {
  url: { type: 'string' },
  'sites-domain': { type: 'string' },
  database: { type: 'string' },
  blobs: { type: 'string' },
  settings: { type: 'string' },
  yes: { type: 'boolean' },
  'print-env': { type: 'boolean' },
} as const
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

type Place = { readonly file: string; readonly ownerFile: string }
type Answer = (question: Question) => Promise<string>

const SOCKET_FOLDERS = ['/var/run/postgresql', '/tmp']
const OWNER_ROLE = 'octavo_owner'
const DATABASE = 'octavo'

/** Runs the setup and returns the exit code. */
export async function runSetup(args: readonly string[], deps: SetupDeps): Promise<number> {
  const { values: options } = parseArgs({ args: [...args], options: OPTIONS })
  if (options['print-env'] === true) {
    if (options.settings !== undefined)
      throw new UsageError('--print-env writes to standard output, so --settings has no effect.')
    deps.print(printEnvironment(options).join('\n'))
    return 0
  }
  const asker = options.yes === true ? undefined : createPrompter(deps)
  const answer: Answer = asker?.ask ?? (async (question) => useFallback(question))
  try {
    return await setUp(options, answer, deps)
  } finally {
    asker?.close()
  }
}

async function setUp(options: Options, answer: Answer, deps: SetupDeps): Promise<number> {
  const { print } = deps
  if (options.yes !== true)
    print('Settings of octavo-service. Press Enter to use the value in brackets.')
  const file = resolve(options.settings ?? (await answer(fileQuestion())))
  const place = { file, ownerFile: join(dirname(file), 'owner.env') }
  const known = readSettingsFile(file)
  const chosen = await chooseSettings({
    ...deps,
    options,
    known,
    file,
    answer,
    blobsFallback: file.startsWith('/etc/')
      ? '/var/lib/octavo/blobs'
      : join(dirname(file), 'blobs'),
  })
  const ownerUrl = await chooseDatabase({ options, answer, place, known }, deps)
  const outcome = await ensureDatabase(ownerUrl)
  if (outcome.kind === 'refused') {
    writeFiles(place, { ...chosen, ...newSecrets() }, ownerUrl, print)
    for (const line of printSqlToRun(outcome, place.file)) print(line)
    return 1
  }
  if (outcome.kind === 'created') print(`Created the database "${databaseOf(ownerUrl)}".`)
  const databaseUrl = known.DATABASE_URL ?? (await newServiceUrl(ownerUrl, place))
  const direct = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl }
  const secrets = known.DATABASE_URL === undefined ? direct : {}
  writeFiles(place, { ...secrets, ...chosen, ...newSecrets() }, ownerUrl, print)
  return prepare(place, deps)
}

const fileQuestion = (): Question => ({
  text: 'File for the settings and secrets',
  option: 'settings',
  fallback: process.getuid?.() === 0 ? '/etc/octavo/octavo.env' : resolve('octavo.env'),
  findProblem: () => undefined,
})

type DatabaseChoice = {
  readonly options: Options
  readonly answer: Answer
  readonly place: Place
  readonly known: Values
}

/** Returns the database URL of the tables' owner. */
async function chooseDatabase(
  { options, answer, place, known }: DatabaseChoice,
  { socketFolders = SOCKET_FOLDERS }: SetupDeps,
): Promise<string> {
  const inFile = known.DATABASE_OWNER_URL
  const file = inFile === undefined ? place.ownerFile : place.file
  const set = inFile === undefined ? readSettingsFile(place.ownerFile) : known
  const isOpen = options.database === undefined && set.DATABASE_OWNER_URL === undefined
  const local = isOpen ? await findLocalServer(userInfo().username, socketFolders) : undefined
  const suggestion = local ?? `postgres://${OWNER_ROLE}:${newPassword()}@127.0.0.1:5432`
  const fallback = Object.assign(new URL(suggestion), { pathname: `/${DATABASE}` }).href
  const url = await choose({ options, known: set, file, answer }, 'DATABASE_OWNER_URL', {
    text: 'PostgreSQL, with a role that owns the database or can create it',
    option: 'database',
    // Setup changes the database, so a person has to name it or confirm its name.
    fallback: options.yes === true ? undefined : fallback,
    fallbackText:
      local === undefined ? `${OWNER_ROLE} on this machine, with a new password` : fallback,
    findProblem: findDatabaseProblem,
  })
  // `%27` is equivalent in a URL, and a value in the file cannot contain a single quote.
  return url.replaceAll("'", '%27')
}

/**
 * Returns the URL for a new service role. An existing role belongs to another installation, and its
 * password must not be changed.
 */
async function newServiceUrl(ownerUrl: string, { file }: Place): Promise<string> {
  const url = serviceUrlFor(ownerUrl)
  const role = roleOf(url)
  if (await hasRole(ownerUrl, role))
    throw new Error(
      `The role "${role}" already exists, and ${file} does not contain its password. Add DATABASE_URL with this role to the file, or use a database with another name. Nothing was written.`,
    )
  return url
}

function writeFiles(
  { file, ownerFile }: Place,
  values: Values,
  ownerUrl: string,
  print: (line: string) => void,
): void {
  const say = (name: string, added: readonly string[]) =>
    print(
      added.length === 0
        ? `${name} already has all settings.`
        : `Added to ${name}: ${added.join(', ')}.`,
    )
  say(
    file,
    addToFile(file, values, 'Settings of octavo-service. Keep a copy separate from the backups.'),
  )
  if (readSettingsFile(file).DATABASE_OWNER_URL !== undefined) return
  say(
    ownerFile,
    addToFile(
      ownerFile,
      { DATABASE_OWNER_URL: ownerUrl },
      'For migrations and commands. A running service does not need it.',
    ),
  )
}

/** Migrates, runs all checks, and prints the next steps. */
async function prepare(place: Place, deps: SetupDeps): Promise<number> {
  const { print, now } = deps
  const environment = { ...readSettingsFile(place.ownerFile), ...readSettingsFile(place.file) }
  const read = readSettings(environment)
  if (read.kind === 'wrong') throw new UsageError(`${place.file}: ${read.reasons.join(' ')}`)
  const { settings } = read
  await runMigrate({ settings, print, now }, { status: false, dryRun: false })
  const code = await runDoctor([], { read, environment, print, now })
  if (code !== 0) {
    print('Fix the failed checks, then run the same command again. Completed steps are kept.')
    return code
  }
  for (const line of printNextSteps(place, await makeLink(settings))) print(line)
  return 0
}

async function makeLink({ databaseUrl, pepper, url }: Settings): Promise<string | undefined> {
  if (url === undefined) return undefined
  const database = openDatabase({ url: databaseUrl, connections: 1 })
  try {
    return await createSetupLink(database, { pepper, url })
  } finally {
    await database.end()
  }
}
