/**
 * Defines the Git operations of the service. A failure that a repository can cause is returned, not
 * thrown.
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
   * The cache key, as in `CheckoutOptions`. With it, the ssh host key is remembered even when only
   * branches are listed.
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
    | 'refused' // our rules do not allow the connection
    | 'unreachable'
    | 'credentials'
    | 'not-found' // the repository does not exist, or the credentials have no access
    | 'empty'
    | 'no-such-ref'
    | 'no-such-folder'
    | 'too-large'
    | 'too-many-files'
    | 'timeout'
    | 'other'
  readonly message: string
  /**
   * The most informative line of Git's error output, without secrets; undefined if `message` quotes
   * it.
   */
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
   * Notes for the build log, such as which symbolic links, submodules or paths that differ only in
   * case were skipped, and which files are LFS pointers.
   */
  readonly notes: readonly string[]
  /**
   * The time of each file's last change, as `octavo build` would find it in a clone: path in the
   * documentation folder → ISO 8601.
   */
  readonly changedAt: ReadonlyMap<string, string>
}

export type CheckoutOptions = {
  readonly remote: GitRemote
  /** Identifies the cached bare clone. It is always an internal id, never text from a tenant. */
  readonly cacheKey: string
  /** The ref that contains the commit, such as `refs/heads/main` or `refs/pull/7/head`. */
  readonly ref: string
  readonly commit: string
  /** The documentation folder in the repository; empty for the root. */
  readonly folder: string
  /** The folder that the files are written to. It must not exist yet. */
  readonly into: string
}

export type FindOptions = {
  readonly remote: GitRemote
  /** The ref to search, such as `refs/heads/main`. */
  readonly ref: string
  /** The newest commit of the ref, as `listRefs` returned it. */
  readonly commit: string
  /** The file names to find, without folders. */
  readonly names: readonly string[]
}

/**
 * The paths relative to the repository root, in the order of Git's tree. If there are many, only
 * the first ones are returned.
 */
export type FoundFiles = { readonly kind: 'files'; readonly paths: readonly string[] }

export type Git = {
  readonly listRefs: (remote: GitRemote, signal: AbortSignal) => Promise<GitRefs | GitFailure>
  /** Finds files by name in the newest commit of a branch, without keeping a clone. */
  readonly findFiles: (
    options: FindOptions,
    signal: AbortSignal,
  ) => Promise<FoundFiles | GitFailure>
  readonly checkout: (input: CheckoutOptions, signal: AbortSignal) => Promise<Checkout | GitFailure>
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
   * Describes for the log how child processes are isolated on this machine, such as `bubblewrap`.
   */
  readonly isolation: string
}
