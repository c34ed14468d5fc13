/** A build in one line, for the list of checks of a commit. */
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
  /** Names the status among those of a commit, such as `octavo/my-docs`. A second one with the same name replaces it. */
  readonly name: string
  /** pending while it is queued or running; `skipped` is shown as success (neutral where there is such a thing). */
  readonly state: 'pending' | 'success' | 'failure' | 'skipped' | 'error'
  /** One line. */
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
  /** Its deployment is what readers get. */
  readonly isLive: boolean
  /** Publishing is locked by the owner. */
  readonly lockReason: string | null
  /** Of the site or the preview; nothing where none are served. */
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
      return { state: 'error', description: sentence('Cancelled', reason), url: undefined }
  }
}

/** `2 errors, 1 warning`; empty without any. */
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

/** Room for the counts is left where a host takes 140 characters. */
const ERROR_LENGTH_MAX = 100

function printFailure({ firstError, reason }: StatusFacts): string {
  if (firstError === undefined) return sentence('Failed', oneLine(reason ?? ''))
  const { file, line } = firstError.place
  return cut(`${file}:${line} ${oneLine(firstError.message)}`)
}

/** A reason may begin with the word itself. */
function sentence(word: string, reason: string): string {
  if (reason === '') return word
  return cut(reason.startsWith(word) ? reason : `${word}: ${reason}`)
}
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const cut = (text: string) =>
  (text.length > ERROR_LENGTH_MAX ? `${text.slice(0, ERROR_LENGTH_MAX - 1)}…` : text).toWellFormed()
