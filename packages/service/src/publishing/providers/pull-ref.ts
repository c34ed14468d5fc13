import type { ProviderKind } from '@octavo/contract'

/** What Git fetches to get the commits of a pull request, also from a fork. */
export function pullRef(provider: ProviderKind, pullRequest: number): string {
  return provider === 'gitlab'
    ? `refs/merge-requests/${pullRequest}/head`
    : `refs/pull/${pullRequest}/head`
}
