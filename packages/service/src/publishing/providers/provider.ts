import type { CommitStatus } from '../../projects/notifications/print-status.ts'
/** What a Git host is told and asked. One client for GitHub, GitLab, Gitea; none for plain Git. */

export type PullRequest = {
  readonly number: number
  readonly url: string
  readonly headCommit: string
  /** The branch it comes from, in the repository it comes from. */
  readonly headBranch: string
  readonly baseBranch: string
  readonly isFork: boolean
}

export type ProviderFailure = {
  readonly kind: 'failed'
  readonly message: string
  /** Seconds to wait before another try; nothing when none is of use. */
  readonly retryAfterSeconds: number | undefined
}

export type CommentInput = {
  readonly pullRequest: number
  readonly commentId: string | undefined
  /** Stands in the text. Finds a comment of ours whose id was lost. */
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
  /** Creates the comment or edits the one that is there; gives its id. */
  readonly comment: (
    comment: CommentInput,
    signal: AbortSignal,
  ) => Promise<{ readonly kind: 'comment'; readonly id: string } | ProviderFailure>
}
