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
