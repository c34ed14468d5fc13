import type { CommitStatus } from '../../projects/notifications/print-status.ts'
/** The API of a Git host. One client for GitHub, GitLab and Gitea; none for plain Git. */

export type PullRequest = {
  readonly number: number
  readonly url: string
  readonly headCommit: string
  /** The source branch, in its own repository. */
  readonly headBranch: string
  readonly baseBranch: string
  readonly isFork: boolean
}

export type ProviderFailure = {
  readonly kind: 'failed'
  readonly message: string
  /** Seconds to wait before a retry; undefined if a retry has no use. */
  readonly retryAfterSeconds: number | undefined
}

export type CommentInput = {
  readonly pullRequest: number
  readonly commentId: string | undefined
  /** Part of the text. Finds a comment of ours whose id was lost. */
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
  /** Creates the comment or edits the existing one; returns its id. */
  readonly comment: (
    comment: CommentInput,
    signal: AbortSignal,
  ) => Promise<{ readonly kind: 'comment'; readonly id: string } | ProviderFailure>
}
