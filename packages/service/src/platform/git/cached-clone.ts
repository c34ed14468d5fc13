/**
 * A bare clone without the contents of files: history and trees are there, and contents are fetched
 * for the folder and the commit that are built. It is a cache: whatever is wrong with it, it is
 * deleted and cloned anew.
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
  isGitDone,
  readGitText,
  runGitProcess,
} from './run-git-process.ts'

export type CloneTask = Pick<GitRun, 'isolation' | 'limits' | 'signal'> & {
  readonly repository: string
  readonly session: GitSession
  readonly address: GitAddress
  readonly credential: GitCredential
  /** Whether contents are left to a second fetch. Some servers cannot do it. */
  readonly isBlobless: boolean
}

/** Each build adds one or two; many of them make every look-up slow. */
const PACKS_MAX = 40
/** The name of the server in the settings of the clone; its URL is never written there. */
const SERVER = 'origin'

/** Whether there was a clone already. One that was interrupted is cleaned up. */
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

/** Brings the history of a ref, and checks that the commit is part of it. */
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
  if (!isGitDone(end)) return explain(task, end)
  const ancestor = await runGitProcess(
    readRun(task, ['merge-base', '--is-ancestor', commit, local]),
    () => true,
  )
  if (isGitDone(ancestor)) return undefined
  const limit = explainLimit(ancestor)
  if (limit !== undefined) return limit
  const gone = gitFailure(
    'no-such-ref',
    `Commit ${commit.slice(0, 7)} is not part of ${ref} any more. It was probably replaced by a force push.`,
  )
  // Another code than 1 is no answer: the commit is not there, or the clone is damaged.
  return ancestor.code === 1 ? gone : { ...gone, isFinal: false }
}

/** Brings the contents of all files of a tree that are not there, in one fetch. */
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
  return isGitDone(end) ? undefined : explain(task, end)
}

/** Joins packs when there are many. The clone is as good without it. */
export async function tidyClone(task: CloneTask): Promise<void> {
  const files = await readdir(join(task.repository, 'objects', 'pack'))
  if (files.filter((name) => name.endsWith('.pack')).length <= PACKS_MAX) return
  const args = ['repack', '-a', '-d', '-k', '-q', '--window=0']
  await runGitProcess({ ...readRun(task, args), canWrite: true }, () => true)
}

/** A command that reads the clone, without network. */
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
      // The contents that are asked for, and no talk about what is there.
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
