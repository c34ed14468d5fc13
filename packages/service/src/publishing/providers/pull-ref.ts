import type { ProviderKind } from '@octavo/contract'

/**
 * Returns the ref with which Git can fetch the commits of a pull request, including one from a
 * fork.
 */
export function pullRef(provider: ProviderKind, pullRequest: number): string {
  return provider === 'gitlab'
    ? `refs/merge-requests/${pullRequest}/head`
    : `refs/pull/${pullRequest}/head`
}
