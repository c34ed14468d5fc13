/** Shows a connection in the form of the API, with the results of its last check. */
import type { ConnectionReply } from '@octavo/contract'
import type { ConnectionState } from './store.ts'

export type ConnectionFacts = {
  /** The branch that was published at the last check. */
  readonly publishedBranch: string | undefined
  /** True if the newest webhook was accepted; undefined if there was none. */
  readonly isHookAccepted: boolean | undefined
  readonly deployKey: string | undefined
}

export function showConnection(state: ConnectionState, facts: ConnectionFacts): ConnectionReply {
  const { publishedBranch, isHookAccepted, deployKey } = facts
  return {
    url: state.url,
    provider: state.provider,
    credential: state.credential,
    branch: state.branch,
    publishedBranch: publishedBranch ?? state.branch,
    folder: state.folder,
    previews: state.previews,
    forks: state.forks,
    refreshMinutes: state.refreshMinutes,
    checkedAt: state.attemptedAt?.toISOString() ?? null,
    nextCheckAt: state.nextCheckAt.toISOString(),
    checks: checksOf(state, isHookAccepted),
    problem: state.checkError ?? explainDocsJson(state),
    said: state.gitSaid,
    failedSince: state.failedSince?.toISOString() ?? null,
    ...(deployKey !== undefined && { deployKey }),
  }
}

/** Returns the state of each step. Steps after a failed one are unknown. */
function checksOf(
  { attemptedAt, failedStep, hasDocsJson }: ConnectionState,
  isHookAccepted: boolean | undefined,
): ConnectionReply['checks'] {
  const webhook = stateOf(isHookAccepted)
  const unknown = {
    reachable: 'unknown',
    access: 'unknown',
    branch: 'unknown',
    docsJson: 'unknown',
  } as const
  if (attemptedAt === null) return { ...unknown, webhook }
  const read = { ...unknown, reachable: 'good', webhook } as const
  switch (failedStep) {
    case 'reachable':
      return { ...read, reachable: 'bad' }
    case 'access':
      return { ...read, access: 'bad' }
    case 'branch':
      return { ...read, access: 'good', branch: 'bad' }
    case null:
      return {
        ...read,
        access: 'good',
        branch: 'good',
        docsJson: stateOf(hasDocsJson ?? undefined),
      }
  }
}

function stateOf(isGood: boolean | undefined): 'good' | 'bad' | 'unknown' {
  if (isGood === undefined) return 'unknown'
  return isGood ? 'good' : 'bad'
}

function explainDocsJson({ attemptedAt, failedStep, hasDocsJson, folder }: ConnectionState) {
  if (attemptedAt === null || failedStep !== null || hasDocsJson !== false) return null
  const place = folder === '' ? 'the root of the repository' : `the folder "${folder}"`
  return `The last build found no docs.json in ${place}. Add one and push it, or change the folder.`
}
