/**
 * Runs the `git` program in a sandbox with network access only to one server. Each cache key has
 * its own clone.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { detectIsolation, type Isolation } from '../sandbox/isolation.ts'
import { readChangedPaths } from './changed-paths.ts'
import { checkOutFolder } from './check-out-folder.ts'
import { gitFailure } from './explain-failure.ts'
import { findFiles } from './find-files.ts'
import type {
  Checkout,
  CheckoutOptions,
  FindOptions,
  FoundFiles,
  Git,
  GitFailure,
  GitRefs,
  GitRemote,
} from './git.ts'
import { type GitAddress, parseGitAddress } from './git-address.ts'
import { GIT_LIMITS, type GitLimits } from './git-limits.ts'
import { type GitSession, openGitSession, removeStaleSessions } from './git-session.ts'
import { listRemoteRefs } from './list-remote-refs.ts'
import { createLocks } from './named-lock.ts'
import { isObjectId, isRefName } from './ref-names.ts'

export type GitOptions = {
  /** The folder for cached clones. No other process may write to it. */
  readonly folder: string
  /** Hosts, written as in a URL, that Git may reach on a private network and at any port. */
  readonly allowPrivateHosts: readonly string[]
  readonly limits?: Partial<GitLimits>
  /** How Git processes are isolated; detected automatically by default. */
  readonly isolation?: Isolation
}

export async function openGit(options: GitOptions): Promise<Git> {
  const isolation = options.isolation ?? (await detectIsolation())
  const limits = { ...GIT_LIMITS, ...options.limits }
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  await removeStaleSessions()
  for (const name of await readdir(options.folder))
    if (name.startsWith(FIND_START)) await rm(join(options.folder, name), { recursive: true })
  return new SandboxedGit({ ...options, isolation, limits })
}

type OpenedOptions = GitOptions & { readonly isolation: Isolation; readonly limits: GitLimits }

type Opened = { readonly session: GitSession; readonly address: GitAddress }

class SandboxedGit implements Git {
  readonly #options: OpenedOptions
  readonly #locked = createLocks()

  constructor(options: OpenedOptions) {
    this.#options = options
  }

  get isolation(): string {
    return this.#options.isolation.description
  }

  async listRefs(remote: GitRemote, signal: AbortSignal): Promise<GitRefs | GitFailure> {
    const { isolation, limits } = this.#options
    const { credential } = remote
    return this.#inSession({ remote, bytesMax: LIST_BYTES_MAX }, (opened) =>
      listRemoteRefs({ ...opened, isolation, limits, credential, signal }),
    )
  }

  async findFiles(
    { remote, ...options }: FindOptions,
    signal: AbortSignal,
  ): Promise<FoundFiles | GitFailure> {
    const { isolation, limits, folder } = this.#options
    if (!isObjectId(options.commit) || !isRefName(options.ref))
      return gitFailure('no-such-ref', 'The name of the branch is not valid.')
    const temporary = await mkdtemp(join(folder, FIND_START))
    const { credential } = remote
    const repository = join(temporary, REPOSITORY)
    try {
      return await this.#inSession({ remote, bytesMax: limits.cloneBytesMax }, (opened) =>
        findFiles(
          { ...opened, isolation, limits, repository, credential, isBlobless: true, signal },
          options,
        ),
      )
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
  }

  checkout(input: CheckoutOptions, signal: AbortSignal): Promise<Checkout | GitFailure> {
    return this.#locked(input.cacheKey, () => this.#checkOut(input, signal))
  }

  changedPaths(cacheKey: string, from: string, to: string) {
    const { isolation, limits } = this.#options
    return this.#locked(cacheKey, () => {
      const repository = this.#repository(cacheKey)
      return readChangedPaths({ isolation, limits, repository }, { from, to })
    })
  }

  removeCache(cacheKey: string): Promise<void> {
    return this.#locked(cacheKey, () =>
      rm(this.#cacheFolder(cacheKey), { recursive: true, force: true }),
    )
  }

  async #checkOut(input: CheckoutOptions, signal: AbortSignal): Promise<Checkout | GitFailure> {
    const problem = checkCheckoutOptions(input)
    if (problem !== undefined) return problem
    const repository = this.#repository(input.cacheKey)
    const startOver = async () => {
      await rm(repository, { recursive: true, force: true })
      await rm(input.into, { recursive: true, force: true })
    }
    // An existing folder may belong to something else, and a failed checkout deletes its folder.
    if (existsSync(input.into)) throw new Error('The folder for a checkout must not exist yet.')
    let result: Attempt | undefined
    try {
      result = await this.#tryCheckout(input, signal, true)
      if (isCacheAtFault(result)) {
        await startOver()
        result = await this.#tryCheckout(input, signal, true)
      }
      if (result.outcome.kind === 'failed' && result.isContentMissing) {
        // Clones everything, because this server supports filters but does not serve the omitted
        // contents later.
        await startOver()
        result = await this.#tryCheckout(input, signal, false)
      }
      const { outcome } = result
      // A damaged clone was already replaced, so the commit really does not exist.
      const isGone = outcome.kind === 'failed' && outcome.code === 'no-such-ref'
      return isGone ? { ...outcome, isFinal: true } : outcome
    } finally {
      if (result?.outcome.kind !== 'checkout')
        await rm(input.into, { recursive: true, force: true })
      const isTooLarge = result?.outcome.kind === 'failed' && result.outcome.code === 'too-large'
      if (isTooLarge) await rm(repository, { recursive: true, force: true })
    }
  }

  /** Tries the checkout once, with the existing clone if there is one. */
  async #tryCheckout(
    input: CheckoutOptions,
    signal: AbortSignal,
    isBlobless: boolean,
  ): Promise<Attempt> {
    const { isolation, limits } = this.#options
    const { remote, cacheKey } = input
    const { credential } = remote
    const repository = this.#repository(cacheKey)
    const attempt = await this.#inSession(
      { remote: { ...remote, cacheKey }, bytesMax: limits.cloneBytesMax },
      (opened) =>
        checkOutFolder(
          { ...opened, isolation, limits, repository, credential, isBlobless, signal },
          input,
        ),
    )
    return 'kind' in attempt ? { outcome: attempt } : attempt
  }

  /**
   * Opens a session with the remote, does the work and closes the session. Returns a failure if the
   * address is rejected.
   */
  async #inSession<Result>(
    { remote, bytesMax }: { readonly remote: GitRemote; readonly bytesMax: number },
    work: (opened: Opened) => Promise<Result>,
  ): Promise<Result | GitFailure> {
    const { allowPrivateHosts } = this.#options
    const address = parseGitAddress(remote, allowPrivateHosts)
    if (address.kind === 'failed') return address
    const session = await openGitSession({
      address,
      credential: remote.credential,
      allowPrivateHosts,
      bytesMax,
      knownHosts: await this.#knownHosts(remote),
    })
    try {
      return await work({ session, address })
    } finally {
      await session.close()
    }
  }

  async #knownHosts({ cacheKey }: GitRemote): Promise<string | undefined> {
    if (cacheKey === undefined) return undefined
    await mkdir(this.#cacheFolder(cacheKey), { recursive: true, mode: 0o700 })
    return join(this.#cacheFolder(cacheKey), 'known_hosts')
  }

  #repository(cacheKey: string): string {
    return join(this.#cacheFolder(cacheKey), REPOSITORY)
  }

  #cacheFolder(key: string): string {
    if (!/^[\w-]{1,100}$/.test(key)) throw new Error('A cache key must be an internal id.')
    return join(this.#options.folder, key)
  }
}

const REPOSITORY = 'repository.git'
/**
 * The name prefix of folders with temporary clones. Folders that remain after a crash are deleted
 * at startup.
 */
const FIND_START = 'find-'
const LIST_BYTES_MAX = 32 * 1024 ** 2

/**
 * Returns whether to delete the old clone and clone again, because it may be damaged or have grown
 * with obsolete commits.
 */
function isCacheAtFault({ outcome, wasCached }: Attempt): boolean {
  if (outcome.kind !== 'failed' || wasCached !== true) return false
  const isUnclear = outcome.code === 'no-such-ref' && !outcome.isFinal
  return outcome.code === 'other' || outcome.code === 'too-large' || isUnclear
}

type Attempt = {
  readonly outcome: Checkout | GitFailure
  readonly wasCached?: boolean
  readonly isContentMissing?: boolean
}

function checkCheckoutOptions({ ref, commit, folder }: CheckoutOptions): GitFailure | undefined {
  if (!isObjectId(commit)) {
    return gitFailure('no-such-ref', 'The commit must be a full Git object id.')
  }
  if (!isRefName(ref)) return gitFailure('no-such-ref', 'The name of the branch is not valid.')
  const isInside =
    folder === '' || folder.split('/').every((name) => !['', '.', '..'].includes(name))
  if (isInside && !folder.includes('\0')) return undefined
  return gitFailure('no-such-folder', `"${folder}" is not a folder of the repository.`)
}
