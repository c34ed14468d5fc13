import type { CommitStatus } from '../../projects/notifications/print-status.ts'
/**
 * Types for the API of a Git host. One client implements them for GitHub, GitLab and Gitea. Plain
 * Git has no API.
 */

export type PullRequest = {
  readonly number: number
  readonly url: string
  readonly headCommit: string
  /** The name of the source branch, which is in the fork if there is one. */
  readonly headBranch: string
  readonly baseBranch: string
  readonly isFork: boolean
}

export type ProviderFailure = {
  readonly kind: 'failed'
  readonly message: string
  /** The number of seconds to wait before a retry; undefined if a retry cannot succeed. */
  readonly retryAfterSeconds: number | undefined
}

export type CommentInput = {
  readonly pullRequest: number
  readonly commentId: string | undefined
  /** Text in the comment by which it can be found if its id was lost. */
  readonly marker: string
  readonly markdown: string
}

export type Provider = {
  readonly openPullRequests: (
    signal: AbortSignal,
  ) => Promise<readonly PullRequest[] | ProviderFailure>
  readonly setStatus: (
    status: CommitStatus,
    signal: AbortSignal,
  ) => Promise<'done' | ProviderFailure>
  /** Creates the comment or edits the existing one. Returns its id. */
  readonly comment: (
    comment: CommentInput,
    signal: AbortSignal,
  ) => Promise<{ readonly kind: 'comment'; readonly id: string } | ProviderFailure>
}
