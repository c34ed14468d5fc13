/**
 * The Git operations of the service. Every outcome that a repository can cause is a return value.
 */

export type GitCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly username: string; readonly token: string }
  | { readonly kind: 'ssh-key'; readonly privateKey: string }

export type GitRemote = {
  /** `https://…`, `http://…`, `ssh://…` or `git@host:path`, without credentials. */
  readonly url: string
  readonly credential: GitCredential
  /**
   * The key under which the ssh host key is remembered when branches are listed, as in
   * `CheckoutOptions`.
   */
  readonly cacheKey?: string
}

/**
 * Explains why Git failed. `message` is for the owner and contains no secrets; `isFinal` means that
 * a retry is pointless.
 */
export type GitFailure = {
  readonly kind: 'failed'
  readonly code:
    | 'refused' // the address violates our rules
    | 'unreachable'
    | 'credentials'
    | 'not-found' // no such repository, or the credentials have no access to it
    | 'empty'
    | 'no-such-ref'
    | 'no-such-folder'
    | 'too-large'
    | 'too-many-files'
    | 'timeout'
    | 'other'
  readonly message: string
  /** What Git or the server said, one line without secrets, if the message does not quote it. */
  readonly said?: string
  readonly isFinal: boolean
}

export type GitRefs = {
  readonly kind: 'refs'
  /** The name of the default branch, if the server reports it. */
  readonly defaultBranch: string | undefined
  /** Branch name → commit. */
  readonly branches: ReadonlyMap<string, string>
}

export type Checkout = {
  readonly kind: 'checkout'
  readonly commit: string
  readonly message: string
  readonly author: string
  /** The number of files written from the documentation folder. */
  readonly fileCount: number
  /**
   * Skipped entries and the reasons, for the build log: symbolic links, submodules, LFS pointers,
   * paths that differ only in case, …
   */
  readonly notes: readonly string[]
  /**
   * The time each file last changed, as `octavo build` finds it in a clone: path in the
   * documentation folder → ISO 8601.
   */
  readonly changedAt: ReadonlyMap<string, string>
}

export type CheckoutOptions = {
  readonly remote: GitRemote
  /** Identifies the cached bare clone; always one of our ids, never a tenant's text. */
  readonly cacheKey: string
  /** For example `refs/heads/main` or `refs/pull/7/head`. */
  readonly ref: string
  readonly commit: string
  /** The documentation folder in the repository; empty for the root. */
  readonly folder: string
  /** The folder that the files are written to. It must not exist yet. */
  readonly into: string
}

export type FindOptions = {
  readonly remote: GitRemote
  /** For example `refs/heads/main`. */
  readonly ref: string
  /** Its newest commit, as `listRefs` returned it. */
  readonly commit: string
  /** Names of files, without folders. */
  readonly names: readonly string[]
}

/** Paths from the root of the repository, in the order of Git; the first ones if there are many. */
export type FoundFiles = { readonly kind: 'files'; readonly paths: readonly string[] }

export type Git = {
  readonly listRefs: (remote: GitRemote, signal: AbortSignal) => Promise<GitRefs | GitFailure>
  /** Finds files by name at the end of a branch. Keeps no clone. */
  readonly findFiles: (
    options: FindOptions,
    signal: AbortSignal,
  ) => Promise<FoundFiles | GitFailure>
  readonly checkout: (wish: CheckoutOptions, signal: AbortSignal) => Promise<Checkout | GitFailure>
  /**
   * Returns the paths, relative to the repository root, that differ between two commits of the
   * cached clone; undefined if either is missing.
   */
  readonly changedPaths: (
    cacheKey: string,
    from: string,
    to: string,
  ) => Promise<readonly string[] | undefined>
  readonly removeCache: (cacheKey: string) => Promise<void>
  /**
   * How child processes are isolated on this machine, for the log, such as `bubblewrap` or `plain
   * processes`.
   */
  readonly isolation: string
}
