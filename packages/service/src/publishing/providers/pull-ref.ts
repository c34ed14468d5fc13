import type { ProviderKind } from '@octavo/contract'

/** Returns the ref that Git fetches for a pull request's commits, even from a fork. */
export function pullRef(provider: ProviderKind, pullRequest: number): string {
  return provider === 'gitlab'
    ? `refs/merge-requests/${pullRequest}/head`
    : `refs/pull/${pullRequest}/head`
}
