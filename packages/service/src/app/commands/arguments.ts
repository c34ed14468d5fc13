import { readFile } from 'node:fs/promises'
import type { parseArgs } from 'node:util'
import type { Database, ProjectDatabase } from '../../platform/database/database.ts'
import type { Git } from '../../platform/git/git.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import type { Settings } from '../settings/env.ts'

/** A command that was not understood; printed without a stack. */
export class UsageError extends Error {}

/** What a command needs from the world. */
export type CommandDeps = {
  readonly settings: Settings
  readonly print: (line: string) => void
  readonly now: () => number
  /** All of standard input, for secrets that must not be arguments. */
  readonly readInput?: (() => Promise<string>) | undefined
  /** For commands that read a repository. */
  readonly git?: Pick<Git, 'listRefs'> | undefined
}

/** What a command that works on the database gets: the words after its name, and its options. */
export type CommandInput = CommandDeps & {
  readonly database: Database
  readonly words: readonly string[]
  readonly options: CommandOptions
}

/** What a command that works on a project gets: the first word names it. */
export type ProjectInput = CommandInput & { readonly project: CommandProject }

export type Lines = AsyncGenerator<string, void>

/** Gives the lines that it prints. */
type Command = (input: CommandInput) => Lines

/** By the words that a command is called by. */
export type CommandTable = Readonly<Record<string, Command>>

export type CommandProject = ProjectRow & {
  /** Bound to the project. */
  readonly database: ProjectDatabase
  /** For messages: its id and its slug. */
  readonly called: string
}

export const ofProject = (run: (input: ProjectInput) => Lines): Command =>
  async function* (input) {
    yield* run({ ...input, project: await findProject(input) })
  }

const TEXT = { type: 'string' } as const
const LIST = { type: 'string', multiple: true } as const
const SWITCH = { type: 'boolean' } as const

/** The options of all commands. The help says which command takes which. */
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

/** Throws the complaint for a word that is not one of those. */
export function oneOf<Word extends string>(
  words: readonly Word[],
  text: string | undefined,
  complaint: string,
): Word {
  const word = words.find((known) => known === text)
  if (word === undefined) throw new UsageError(complaint)
  return word
}

/** Throws the complaint for a text that is not a number in the range. */
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

/** Never an argument: those are in the process list and in the history of the shell. */
export async function readSecretFile(
  file: string,
  readInput: CommandDeps['readInput'],
): Promise<{ readonly isRead: boolean; readonly secret: string | undefined }> {
  const text = await (file === '-' ? readInput?.() : readFile(file, 'utf8').catch(() => undefined))
  const secret = text?.trim() ?? ''
  const isRight = /^[\x21-\x7e]+$/.test(secret) && secret.length <= SECRET_LENGTH_MAX
  return { isRead: text !== undefined, secret: isRight ? secret : undefined }
}

/** For commands that store a secret of a project. */
export function needSecretKeys({ settings }: CommandInput, what: string): void {
  if (settings.secretKeys.length === 0)
    throw new UsageError(
      `OCTAVO_SECRET_KEYS is not set, so ${what} cannot be stored. Generate its value with: echo "1:$(openssl rand -base64 32)"`,
    )
}

/** The project that the first word names, which may have been deleted. */
export async function findAnyProject({ database, words }: CommandInput): Promise<CommandProject> {
  const name = required(words[0], 'project id')
  const row = await new ProjectStore(database).find(name)
  if (row === undefined) throw new UsageError(`Project ${name} does not exist.`)
  const called = `${row.public_id} (${row.slug})`
  return { ...row, database: database.forProject(tenantOf(row)), called }
}

/** The project that the first word names. */
export async function findProject(input: CommandInput): Promise<CommandProject> {
  const project = await findAnyProject(input)
  if (project.deleted_at !== null)
    throw new UsageError(
      `Project ${project.public_id} was deleted. \`octavo-service project restore ${project.public_id}\` undoes it within 7 days.`,
    )
  return project
}
