/**
 * Manages a bare clone with the history and all trees, but with the file contents only of the
 * folders and commits that were built. The clone is a cache: if anything is wrong with it, it is
 * deleted and cloned again.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { explainFailure, explainLimit, gitFailure } from './explain-failure.ts'
import type { GitCredential, GitFailure } from './git.ts'
import type { GitAddress } from './git-address.ts'
import type { GitSession } from './git-session.ts'
import {
  type GitEnd,
  type GitRun,
  hasGitSucceeded,
  readGitText,
  runGitProcess,
} from './run-git-process.ts'

export type CloneTask = Pick<GitRun, 'isolation' | 'limits' | 'signal'> & {
  readonly repository: string
  readonly session: GitSession
  readonly address: GitAddress
  readonly credential: GitCredential
  /**
   * True if the first fetch omits file contents, which a second one fetches. Some servers do not
   * support this.
   */
  readonly isBlobless: boolean
}

/**
 * The maximum number of pack files in a clone. Each build adds one or two, and many packs make
 * every lookup slow.
 */
const PACKS_MAX = 40
/** The name of the remote in the clone's configuration; its URL is never written there. */
const SERVER = 'origin'

/**
 * Creates or updates the clone's configuration and cleans up after an interrupted run. Returns
 * whether the clone existed.
 */
export async function prepareClone(
  repository: string,
  { commit, isBlobless }: { readonly commit: string; readonly isBlobless: boolean },
): Promise<boolean> {
  const exists = (await stat(repository).catch(() => undefined)) !== undefined
  if (exists) {
    const left = await readdir(repository, { recursive: true })
    const stale = left.filter((path) => /\.lock$|(?:^|\/)tmp_[^/]+$/.test(path))
    await Promise.all(stale.map((path) => rm(join(repository, path), { force: true })))
  }
  await mkdir(join(repository, 'objects', 'pack'), { recursive: true })
  await mkdir(join(repository, 'refs'), { recursive: true })
  await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/none\n')
  const isSha256 = commit.length === 64
  await writeFile(
    join(repository, 'config'),
    [
      '[core]\n\trepositoryformatversion = 1\n\tbare = true',
      isSha256 ? '[extensions]\n\tobjectFormat = sha256' : '',
      isBlobless ? `[remote "${SERVER}"]\n\tpromisor = true\n\tpartialclonefilter = blob:none` : '',
      '',
    ].join('\n'),
  )
  return exists
}

/** Fetches the history of a ref and checks that it contains the commit. */
export async function fetchCommit(
  task: CloneTask,
  { ref, commit }: { readonly ref: string; readonly commit: string },
): Promise<GitFailure | undefined> {
  const local = `refs/octavo/${createHash('sha256').update(ref).digest('hex').slice(0, 40)}`
  const filter = task.isBlobless ? ['--filter=blob:none'] : []
  const end = await runGitProcess(
    fetchRun(task, [...filter, SERVER, `+${ref}:${local}`]),
    () => true,
  )
  if (!hasGitSucceeded(end)) return explain(task, end)
  const ancestor = await runGitProcess(
    readRun(task, ['merge-base', '--is-ancestor', commit, local]),
    () => true,
  )
  if (hasGitSucceeded(ancestor)) return undefined
  const limit = explainLimit(ancestor)
  if (limit !== undefined) return limit
  const missing = gitFailure(
    'no-such-ref',
    `Commit ${commit.slice(0, 7)} is no longer part of ${ref}. It was probably replaced by a force push.`,
  )
  // With an exit code other than 1, it is unclear whether the commit does not exist or the clone is
  // damaged.
  return ancestor.code === 1 ? missing : { ...missing, isFinal: false }
}

/** Fetches only the newest commit of a ref. Returns the name of the local ref that points to it. */
export async function fetchTip(task: CloneTask, ref: string): Promise<string | GitFailure> {
  const local = 'refs/octavo/tip'
  const filter = task.isBlobless ? ['--filter=blob:none'] : []
  const end = await runGitProcess(
    fetchRun(task, [...filter, '--depth=1', SERVER, `+${ref}:${local}`]),
    () => true,
  )
  return hasGitSucceeded(end) ? local : explain(task, end)
}

/** Fetches the missing file contents of a tree, all at once. */
export async function fetchContents(
  task: CloneTask,
  tree: string,
): Promise<GitFailure | undefined> {
  const list = ['rev-list', '--objects', '--no-object-names', '--missing=print', tree]
  const lengthMax = task.limits.filesMax * 3 * 70
  const text = await readGitText(readRun(task, list), lengthMax)
  if (text === undefined) return gitFailure('other', 'The cached clone is damaged.', false)
  const missing = text.split('\n').filter((line) => line.startsWith('?'))
  if (missing.length === 0) return undefined
  const run = fetchRun(task, ['--filter=blob:none', '--stdin', SERVER])
  const end = await runGitProcess(
    { ...run, input: `${missing.map((line) => line.slice(1)).join('\n')}\n` },
    () => true,
  )
  return hasGitSucceeded(end) ? undefined : explain(task, end)
}

/** Combines the pack files if there are too many. It is harmless if this fails. */
export async function repackClone(task: CloneTask): Promise<void> {
  const files = await readdir(join(task.repository, 'objects', 'pack'))
  if (files.filter((name) => name.endsWith('.pack')).length <= PACKS_MAX) return
  const args = ['repack', '-a', '-d', '-k', '-q', '--window=0']
  await runGitProcess({ ...readRun(task, args), canWrite: true }, () => true)
}

/** Returns a command that reads the clone without network access. */
export function readRun(task: CloneTask, args: readonly string[]): GitRun {
  const { isolation, limits, repository, signal } = task
  return { isolation, limits, repository, signal, args, seconds: limits.readSecondsMax }
}

function fetchRun(task: CloneTask, args: readonly string[]): GitRun {
  const { limits, session, address } = task
  return {
    ...readRun(task, [
      '-c',
      `remote.${SERVER}.url=${address.url}`,
      '-c',
      // A fetch by object id does not need to negotiate which commits the clone already has.
      `fetch.negotiationAlgorithm=${args.includes('--stdin') ? 'noop' : 'default'}`,
      'fetch',
      '--quiet',
      '--force',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--no-recurse-submodules',
      '--refmap=',
      ...args,
    ]),
    session,
    seconds: limits.fetchSecondsMax,
  }
}

function explain({ session, address, credential }: CloneTask, end: GitEnd): GitFailure {
  return explainFailure({ end, proxyFailure: session.proxyFailure(), address, credential })
}
