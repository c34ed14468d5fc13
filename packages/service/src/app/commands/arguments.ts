import { readFile } from 'node:fs/promises'
import type { parseArgs } from 'node:util'
import type { Database, ProjectDatabase } from '../../platform/database/database.ts'
import type { Git } from '../../platform/git/git.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import type { Settings } from '../settings/env.ts'

/** Thrown for an invalid command; printed without a stack trace. */
export class UsageError extends Error {}

/** The environment that a command runs in. */
export type CommandDeps = {
  readonly settings: Settings
  readonly print: (line: string) => void
  readonly now: () => number
  /** Reads all of standard input, for secrets that must not be arguments. */
  readonly readInput?: (() => Promise<string>) | undefined
  /** Lists the refs of repositories, for commands that need it. */
  readonly git?: Pick<Git, 'listRefs'> | undefined
}

/** The input of a command that uses the database: the words after its name, and its options. */
export type CommandInput = CommandDeps & {
  readonly database: Database
  readonly words: readonly string[]
  readonly options: CommandOptions
}

/** The input of a command for one project, which its first word names. */
export type ProjectInput = CommandInput & { readonly project: CommandProject }

export type Lines = AsyncGenerator<string, void>

/** Yields the lines to print. */
type Command = (input: CommandInput) => Lines

/** Commands by the words that invoke them. */
export type CommandTable = Readonly<Record<string, Command>>

export type CommandProject = ProjectRow & {
  readonly database: ProjectDatabase
  /** The project's id and slug, for messages. */
  readonly called: string
}

export const ofProject = (run: (input: ProjectInput) => Lines): Command =>
  async function* (input) {
    yield* run({ ...input, project: await findProject(input) })
  }

const TEXT = { type: 'string' } as const
const LIST = { type: 'string', multiple: true } as const
const SWITCH = { type: 'boolean' } as const

/** The options of all commands. The help says which options each command has. */
export const OPTIONS = {
  blobs: SWITCH,
  branch: TEXT,
  'context-tokens': TEXT,
  'dry-run': SWITCH,
  'embedding-model': TEXT,
  expires: TEXT,
  folder: TEXT,
  format: TEXT,
  from: LIST,
  'github-app': SWITCH,
  installation: TEXT,
  json: SWITCH,
  'key-file': TEXT,
  kind: TEXT,
  mask: TEXT,
  model: TEXT,
  name: TEXT,
  'no-forks': SWITCH,
  'no-previews': SWITCH,
  organization: TEXT,
  output: { type: 'string', short: 'o' },
  overlap: TEXT,
  owner: TEXT,
  partial: SWITCH,
  'playground-proxy': TEXT,
  project: TEXT,
  proof: TEXT,
  provider: TEXT,
  quick: SWITCH,
  reason: TEXT,
  refresh: TEXT,
  retention: TEXT,
  role: TEXT,
  scope: LIST,
  'ssh-key': SWITCH,
  state: TEXT,
  storage: TEXT,
  'token-file': TEXT,
  'tokens-per-day': TEXT,
  'tokens-per-month': TEXT,
  tools: TEXT,
  trust: LIST,
  untrusted: SWITCH,
  url: TEXT,
  webhook: TEXT,
  'webhook-format': TEXT,
  'without-keys': SWITCH,
  yes: TEXT,
} as const

export type CommandOptions = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`Missing ${what}.`)
  return value
}

/** Returns the word if it is one of the allowed ones; otherwise throws a usage error. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
  complaint: string,
): Word {
  const word = words.find((known) => known === text)
  if (word === undefined) throw new UsageError(complaint)
  return word
}

/** Returns the number if it is in the range; otherwise throws a usage error. */
export function numberIn(
  { min, max }: { readonly min: number; readonly max: number },
  text: string,
  complaint: string,
): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(complaint)
}

export function readSwitch(
  options: CommandOptions,
  name: 'mask' | 'playground-proxy' | 'proof' | 'tools',
): boolean | undefined {
  const word = options[name]
  if (word === undefined) return undefined
  return oneOf(['on', 'off'], word, `Invalid --${name}: expected on or off.`) === 'on'
}

const SECRET_LENGTH_MAX = 4_000

/**
 * Reads a secret from a file or standard input, never from an argument, since arguments are visible
 * in the process list and in the shell history.
 */
export async function readSecretFile(
  file: string,
  readInput: CommandDeps['readInput'],
): Promise<{ readonly isRead: boolean; readonly secret: string | undefined }> {
  const text = await (file === '-' ? readInput?.() : readFile(file, 'utf8').catch(() => undefined))
  const secret = text?.trim() ?? ''
  const isRight = /^[\x21-\x7e]+$/.test(secret) && secret.length <= SECRET_LENGTH_MAX
  return { isRead: text !== undefined, secret: isRight ? secret : undefined }
}

/** Throws if project secrets cannot be stored because OCTAVO_SECRET_KEYS is not set. */
export function needSecretKeys({ settings }: CommandInput, what: string): void {
  if (settings.secretKeys.length === 0)
    throw new UsageError(
      `OCTAVO_SECRET_KEYS is not set, so ${what} cannot be stored. Generate its value with: echo "1:$(openssl rand -base64 32)"`,
    )
}

/** Returns the project that the first word names, even if it was deleted. */
export async function findAnyProject({ database, words }: CommandInput): Promise<CommandProject> {
  const name = required(words[0], 'project id')
  const row = await new ProjectStore(database).find(name)
  if (row === undefined) throw new UsageError(`Project ${name} does not exist.`)
  const called = `${row.public_id} (${row.slug})`
  return { ...row, database: database.forProject(tenantOf(row)), called }
}

/** Returns the project that the first word names. */
export async function findProject(input: CommandInput): Promise<CommandProject> {
  const project = await findAnyProject(input)
  if (project.deleted_at !== null)
    throw new UsageError(
      `Project ${project.public_id} was deleted. \`octavo-service project restore ${project.public_id}\` restores it within 7 days of the deletion.`,
    )
  return project
}
