/** What the service asks of Git. Every outcome that a repository can cause is a value. */

export type GitCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly username: string; readonly token: string }
  | { readonly kind: 'ssh-key'; readonly privateKey: string }

export type GitRemote = {
  /** `https://…`, `http://…`, `ssh://…` or `git@host:path`; without credentials. */
  readonly url: string
  readonly credential: GitCredential
  /** Under which the key of an ssh host is remembered when branches are listed: as in `CheckoutWish`. */
  readonly cacheKey?: string
}

/** Why Git could not do it. `message` is for the owner, without secrets; `isFinal` says that another try is of no use. */
export type GitFailure = {
  readonly kind: 'failed'
  readonly code:
    | 'refused' // the address, by our rules
    | 'unreachable'
    | 'credentials'
    | 'not-found' // no such repository, or nothing that these credentials may see
    | 'empty'
    | 'no-such-ref'
    | 'no-such-folder'
    | 'too-large'
    | 'too-many-files'
    | 'timeout'
    | 'other'
  readonly message: string
  readonly isFinal: boolean
}

export type GitRefs = {
  readonly kind: 'refs'
  /** The name of the default branch, where the server tells it. */
  readonly defaultBranch: string | undefined
  /** Branch name → commit. */
  readonly branches: ReadonlyMap<string, string>
}

export type Checkout = {
  readonly kind: 'checkout'
  readonly commit: string
  readonly message: string
  readonly author: string
  /** Files of the documentation folder that were written, relative to it. */
  readonly fileCount: number
  /** What was left out and why, for the log of the build: symbolic links, submodules, LFS pointers, case twins, … */
  readonly notes: readonly string[]
  /** When each file last changed, as `octavo build` in a clone finds it: path in the documentation folder → ISO 8601. */
  readonly changedAt: ReadonlyMap<string, string>
}

export type CheckoutWish = {
  readonly remote: GitRemote
  /** Names the cached bare clone; an id of ours, never a text of a tenant. */
  readonly cacheKey: string
  /** Such as `refs/heads/main` or `refs/pull/7/head`. */
  readonly ref: string
  readonly commit: string
  /** The documentation folder in the repository; empty for its root. */
  readonly folder: string
  /** Where its files are written. It must not exist. */
  readonly into: string
}

export type Git = {
  readonly listRefs: (remote: GitRemote, signal: AbortSignal) => Promise<GitRefs | GitFailure>
  readonly checkout: (wish: CheckoutWish, signal: AbortSignal) => Promise<Checkout | GitFailure>
  /** Paths from the root of the repository that differ between two commits of the cached clone; nothing if one is not there. */
  readonly changedPaths: (
    cacheKey: string,
    from: string,
    to: string,
  ) => Promise<readonly string[] | undefined>
  readonly removeCache: (cacheKey: string) => Promise<void>
  /** How child processes are kept apart on this machine, for the log: such as `bubblewrap` or `plain processes`. */
  readonly isolation: string
}
