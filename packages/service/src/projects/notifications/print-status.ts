/** Describes a build in one line, for the list of checks of a commit. */
import type { BuildDiagnostic } from './build-diagnostic.ts'

export type BuildState =
  | 'queued'
  | 'fetching'
  | 'building'
  | 'uploading'
  | 'finished'
  | 'failed'
  | 'skipped'
  | 'superseded'
  | 'cancelled'

export type CommitStatus = {
  readonly commit: string
  /**
   * The status's name on the commit, such as `octavo/my-docs`. A new status with the same name
   * replaces it.
   */
  readonly name: string
  /**
   * `pending` while queued or running; `skipped` is shown as success (or neutral, if the host
   * supports it).
   */
  readonly state: 'pending' | 'success' | 'failure' | 'skipped' | 'error'
  readonly description: string
  readonly url: string | undefined
}

export type StatusFacts = {
  readonly state: BuildState
  readonly target: 'production' | 'preview'
  readonly reason: string | null
  readonly errorCount: number
  readonly warningCount: number
  readonly firstError: BuildDiagnostic | undefined
  /** True if the deployment of the build is live. */
  readonly isLive: boolean
  /** The reason why the owner locked publishing; null if it is not locked. */
  readonly lockReason: string | null
  /** The URL of the site or preview; undefined if sites are not served. */
  readonly url: string | undefined
}

export function printStatus(
  build: StatusFacts,
): Pick<CommitStatus, 'state' | 'description' | 'url'> {
  const counts = printCounts(build)
  const behind = counts === '' ? '' : ` (${counts})`
  const reason = oneLine(build.reason ?? '')
  switch (build.state) {
    case 'queued':
      return { state: 'pending', description: 'Queued', url: undefined }
    case 'fetching':
    case 'building':
    case 'uploading':
      return { state: 'pending', description: 'Building', url: undefined }
    case 'finished':
      return {
        state: 'success',
        description: `${printSuccess(build)}${behind}`,
        url: build.url,
      }
    case 'failed':
      return { state: 'failure', description: `${printFailure(build)}${behind}`, url: undefined }
    case 'skipped':
      return { state: 'skipped', description: sentence('Skipped', reason), url: undefined }
    case 'superseded':
      return {
        state: 'skipped',
        description: sentence('Superseded', reason === '' ? 'a newer commit is built' : reason),
        url: undefined,
      }
    case 'cancelled':
      return { state: 'error', description: sentence('Canceled', reason), url: undefined }
  }
}

/** Returns text like `2 errors, 1 warning`; empty if there are no errors or warnings. */
export function printCounts({
  errorCount,
  warningCount,
}: Pick<StatusFacts, 'errorCount' | 'warningCount'>): string {
  const parts = [
    ...(errorCount > 0 ? [plural(errorCount, 'error')] : []),
    ...(warningCount > 0 ? [plural(warningCount, 'warning')] : []),
  ]
  return parts.join(', ')
}

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function printSuccess({ target, isLive, lockReason }: StatusFacts): string {
  if (target === 'preview') return 'Preview is ready'
  if (isLive) return 'Live'
  return lockReason === null ? 'Built' : 'Built, but not published: publishing is locked'
}

/** Leaves room for the counts within the 140 characters that a Git host allows. */
const ERROR_LENGTH_MAX = 100

function printFailure({ firstError, reason }: StatusFacts): string {
  if (firstError === undefined) return sentence('Failed', oneLine(reason ?? ''))
  const { file, line } = firstError.place
  return cut(`${file}:${line} ${oneLine(firstError.message)}`)
}

/** Prefixes the reason with the word, unless it starts with that word. */
function sentence(word: string, reason: string): string {
  if (reason === '') return word
  return cut(reason.startsWith(word) ? reason : `${word}: ${reason}`)
}
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const cut = (text: string) =>
  (text.length > ERROR_LENGTH_MAX ? `${text.slice(0, ERROR_LENGTH_MAX - 1)}…` : text).toWellFormed()
