/** Git for the service: the `git` program in a sandbox, with one way out and one cached clone per key. */
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { detectIsolation, type Isolation } from '../sandbox/isolation.ts'
import { readChangedPaths } from './changed-paths.ts'
import { checkOutFolder } from './check-out-folder.ts'
import { gitFailure } from './explain-failure.ts'
import type { Checkout, CheckoutWish, Git, GitFailure, GitRemote } from './git.ts'
import { parseGitAddress } from './git-address.ts'
import { GIT_LIMITS, type GitLimits } from './git-limits.ts'
import { openGitSession, removeLeftSessions } from './git-session.ts'
import { listRemoteRefs } from './list-remote-refs.ts'
import { createLocks } from './named-lock.ts'
import { isObjectId, isRefName } from './ref-names.ts'

export type GitOptions = {
  /** Where cached clones are kept. Nothing else may write there. */
  readonly folder: string
  /** Hosts that may be on a private network, at any port; each as it is written in a URL. */
  readonly allowPrivateHosts: readonly string[]
  readonly limits?: Partial<GitLimits>
  /** Found out by trying without it. */
  readonly isolation?: Isolation
}

export async function openGit(options: GitOptions): Promise<Git> {
  const { folder, allowPrivateHosts } = options
  const isolation = options.isolation ?? (await detectIsolation())
  const limits = { ...GIT_LIMITS, ...options.limits }
  const locked = createLocks()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftSessions()

  const cacheFolder = (key: string) => {
    if (!/^[\w-]{1,100}$/.test(key)) throw new Error('A cache key is an id of ours.')
    return join(folder, key)
  }
  const knownHosts = async ({ cacheKey }: Pick<GitRemote, 'cacheKey'>) => {
    if (cacheKey === undefined) return undefined
    await mkdir(cacheFolder(cacheKey), { recursive: true, mode: 0o700 })
    return join(cacheFolder(cacheKey), 'known_hosts')
  }

  const listRefs: Git['listRefs'] = async (remote, signal) => {
    const address = parseGitAddress(remote, allowPrivateHosts)
    if (address.kind === 'failed') return address
    const session = await openGitSession({
      address,
      credential: remote.credential,
      allowPrivateHosts,
      bytesMax: LIST_BYTES_MAX,
      knownHosts: await knownHosts(remote),
    })
    try {
      const { credential } = remote
      return await listRemoteRefs({ isolation, limits, session, address, credential, signal })
    } finally {
      await session.close()
    }
  }

  /** One try, with the clone that is there or without it. */
  const tryCheckout = async (
    wish: CheckoutWish,
    signal: AbortSignal,
    isBlobless: boolean,
  ): Promise<Attempt> => {
    const { remote, cacheKey } = wish
    const address = parseGitAddress(remote, allowPrivateHosts)
    if (address.kind === 'failed') return { outcome: address }
    const { credential } = remote
    const session = await openGitSession({
      address,
      credential,
      allowPrivateHosts,
      bytesMax: limits.cloneBytesMax,
      knownHosts: await knownHosts({ cacheKey }),
    })
    const repository = join(cacheFolder(cacheKey), REPOSITORY)
    try {
      return await checkOutFolder(
        { isolation, limits, repository, session, address, credential, isBlobless, signal },
        wish,
      )
    } finally {
      await session.close()
    }
  }

  const checkout = async (
    wish: CheckoutWish,
    signal: AbortSignal,
  ): Promise<Checkout | GitFailure> => {
    const problem = checkWish(wish)
    if (problem !== undefined) return problem
    const repository = join(cacheFolder(wish.cacheKey), REPOSITORY)
    const startAnew = async () => {
      await rm(repository, { recursive: true, force: true })
      await rm(wish.into, { recursive: true, force: true })
    }
    // What is there is not ours to delete.
    if (existsSync(wish.into)) throw new Error('The folder of a checkout must not exist.')
    let result: Attempt | undefined
    try {
      result = await tryCheckout(wish, signal, true)
      if (isCacheAtFault(result)) {
        await startAnew()
        result = await tryCheckout(wish, signal, true)
      }
      if (result.outcome.kind === 'failed' && result.isContentMissing) {
        // The server leaves contents out and does not give them later.
        await startAnew()
        result = await tryCheckout(wish, signal, false)
      }
      const { outcome } = result
      // A clone without faults has no such commit.
      const isGone = outcome.kind === 'failed' && outcome.code === 'no-such-ref'
      return isGone ? { ...outcome, isFinal: true } : outcome
    } finally {
      if (result?.outcome.kind !== 'checkout') await rm(wish.into, { recursive: true, force: true })
      // A clone that is too large is not kept.
      const isTooLarge = result?.outcome.kind === 'failed' && result.outcome.code === 'too-large'
      if (isTooLarge) await rm(repository, { recursive: true, force: true })
    }
  }

  return {
    isolation: isolation.description,
    listRefs,
    checkout: (wish, signal) => locked(wish.cacheKey, () => checkout(wish, signal)),
    changedPaths: (cacheKey, from, to) =>
      locked(cacheKey, () => {
        const repository = join(cacheFolder(cacheKey), REPOSITORY)
        return readChangedPaths({ isolation, limits, repository }, { from, to })
      }),
    removeCache: (cacheKey) =>
      locked(cacheKey, () => rm(cacheFolder(cacheKey), { recursive: true, force: true })),
  }
}

const REPOSITORY = 'repository.git'
const LIST_BYTES_MAX = 32 * 1024 ** 2

/** An old clone can be damaged, or have grown with commits that nobody needs any more. */
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

function checkWish({ ref, commit, folder }: CheckoutWish): GitFailure | undefined {
  if (!isObjectId(commit)) {
    return gitFailure('no-such-ref', 'The commit is not a whole Git object id.')
  }
  if (!isRefName(ref)) return gitFailure('no-such-ref', 'The name of the branch is not valid.')
  const isInside =
    folder === '' || folder.split('/').every((name) => !['', '.', '..'].includes(name))
  if (isInside && !folder.includes('\0')) return undefined
  return gitFailure('no-such-folder', `"${folder}" is not a folder of the repository.`)
}
