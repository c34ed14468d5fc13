/**
 * Reads a repository before its connection is saved, to check that the server responds, the
 * credentials are valid, the branch exists, and its folder contains a docs.json.
 */
import { posix } from 'node:path'
import type { Git, GitFailure, GitRemote } from '../../platform/git/git.ts'
import { Problem } from '../../platform/problem.ts'
import type { Connection } from '../providers/connection.ts'
import { chooseBranch, explainBranch } from './choose-branch.ts'
import { failedCheck } from './explain-failure.ts'
import type { Verified } from './store.ts'

export type Candidate = Pick<Connection, 'url' | 'credential' | 'branch' | 'folder'>

export type VerifyDeps = {
  readonly git: Pick<Git, 'listRefs' | 'findFiles'>
  /** Returns the clone URL and the credentials. */
  readonly remoteOf: (signal: AbortSignal) => Promise<GitRemote | GitFailure>
}

/** Names of configuration files, which show that a folder contains a site. */
const SITE_FILES = ['docs.json', 'mint.json']
const LIST_MS_MAX = 30_000
const FIND_MS_MAX = 25_000
const FOLDERS_SHOWN = 5

/** Verifies a repository. Throws a problem that names the field, what Git said, and what to do. */
export async function verifyRepository(deps: VerifyDeps, candidate: Candidate): Promise<Verified> {
  const { git, remoteOf } = deps
  const signal = AbortSignal.timeout(LIST_MS_MAX)
  const remote = await remoteOf(signal)
  if ('kind' in remote) throw refusedRead(candidate, remote)
  const refs = await untilTimeout(git.listRefs(remote, signal), signal)
  if (refs.kind === 'failed') throw refusedRead(candidate, refs)
  const branch = chooseBranch(refs, candidate)
  const commit = branch === undefined ? undefined : refs.branches.get(branch)
  if (branch === undefined || commit === undefined)
    throw new Problem('unprocessable', explainBranch(refs, branch) ?? '', { param: 'branch' })
  const late = AbortSignal.timeout(FIND_MS_MAX)
  const ref = `refs/heads/${branch}`
  const found = await untilTimeout(
    git.findFiles({ remote, ref, commit, names: SITE_FILES }, late),
    late,
  )
  // The branch could be read, so the repository can be built even if the host cannot list files
  // this way.
  if (found.kind === 'failed') return { hasDocsJson: undefined }
  const problem = explainFolder(candidate.folder, { branch, paths: found.paths })
  if (problem !== undefined) throw new Problem('unprocessable', problem, { param: 'folder' })
  return { hasDocsJson: true }
}

/** Waits for a Git command. If the signal aborts it, returns a timeout as a failure. */
export async function untilTimeout<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | GitFailure> {
  try {
    return await work
  } catch (error) {
    if (!signal.aborted) throw error
    const message = 'The Git server did not respond in time.'
    return { kind: 'failed', code: 'timeout', message, isFinal: false }
  }
}

function refusedRead(candidate: Candidate, failure: GitFailure): Problem {
  const { step, message, said } = failedCheck(candidate, failure)
  const isToken = failure.code === 'credentials' && candidate.credential === 'token'
  const field = isToken ? 'token' : 'url'
  const quoted = said === undefined ? '' : ` Git said: “${said}”`
  return new Problem('unprocessable', `${message}${quoted}`, {
    param: step === 'branch' && failure.code !== 'empty' ? 'branch' : field,
  })
}

type FoundConfigs = { readonly branch: string; readonly paths: readonly string[] }

/** Explains that the folder has no docs.json, and where there is one; undefined if it has one. */
function explainFolder(folder: string, { branch, paths }: FoundConfigs): string | undefined {
  const folders = [...new Set(paths.map((path) => posix.dirname(path).replace(/^\.$/, '')))]
  if (folders.includes(folder)) return undefined
  const missing = `There is no docs.json in ${printFolder(folder)} of the branch "${branch}".`
  if (folders.length === 0) return `${missing} Add one and push it, or correct the folder.`
  const shown = folders.slice(0, FOLDERS_SHOWN).map(printFolder)
  return `${missing} There is one in ${shown.join(', ')}: enter that folder.`
}

const printFolder = (folder: string) =>
  folder === '' ? 'the root of the repository' : `the folder "${folder}"`
