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

export type CommandOptions = {
  readonly scope?: string[]
  readonly from?: string[]
  readonly expires?: string
  readonly name?: string
  readonly output?: string
  readonly organization?: string
  readonly project?: string
  readonly json?: boolean
  readonly kind?: string
  readonly overlap?: string
  readonly retention?: string
  readonly 'playground-proxy'?: string
  readonly webhook?: string
  readonly 'webhook-format'?: string
  readonly trust?: string[]
  readonly state?: string
  readonly role?: string
  readonly reason?: string
  readonly yes?: string
  readonly storage?: string
  readonly 'dry-run'?: boolean
  readonly quick?: boolean
  readonly partial?: boolean
  readonly 'without-keys'?: boolean
  readonly blobs?: boolean
  readonly untrusted?: boolean
  readonly owner?: string
  readonly url?: string
  readonly provider?: string
  readonly branch?: string
  readonly folder?: string
  readonly 'token-file'?: string
  readonly 'ssh-key'?: boolean
  readonly installation?: string
  readonly 'github-app'?: boolean
  readonly refresh?: string
  readonly 'no-previews'?: boolean
  readonly 'no-forks'?: boolean
  readonly model?: string
  readonly 'embedding-model'?: string
  readonly format?: string
  readonly 'key-file'?: string
  readonly 'context-tokens'?: string
  readonly tools?: string
  readonly mask?: string
  readonly proof?: string
  readonly 'tokens-per-day'?: string
  readonly 'tokens-per-month'?: string
}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`Missing ${what}.`)
  return value
}

/** The project that the first word names, and the database bound to it. */
export async function findProject({
  database,
  words,
}: CommandInput): Promise<ProjectRow & { readonly database: ProjectDatabase }> {
  const publicId = required(words[0], 'project id')
  const project = await new ProjectStore(database).find(publicId)
  if (project === undefined) throw new UsageError(`Project ${publicId} does not exist.`)
  if (project.deleted_at !== null)
    throw new UsageError(
      `Project ${project.public_id} was deleted. \`octavo-service project restore ${project.public_id}\` undoes it within 7 days.`,
    )
  return { ...project, database: database.forProject(tenantOf(project)) }
}
