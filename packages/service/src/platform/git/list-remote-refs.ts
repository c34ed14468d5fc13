/** Lists the branches and the default branch of a repository without cloning it. */

import { explainFailure, gitFailure } from './explain-failure.ts'
import type { GitCredential, GitFailure, GitRefs } from './git.ts'
import type { GitAddress } from './git-address.ts'
import type { GitSession } from './git-session.ts'
import { isObjectId, isRefName } from './ref-names.ts'
import { type GitRun, hasGitSucceeded, runGitProcess } from './run-git-process.ts'

type ListTask = Pick<GitRun, 'isolation' | 'limits' | 'signal'> & {
  readonly session: GitSession
  readonly address: GitAddress
  readonly credential: GitCredential
}

const HEADS = 'refs/heads/'
const LENGTH_MAX = 32 * 1024 ** 2

export async function listRemoteRefs(task: ListTask): Promise<GitRefs | GitFailure> {
  const { isolation, limits, signal, session, address, credential } = task
  const pieces: Buffer[] = []
  let length = 0
  const end = await runGitProcess(
    {
      isolation,
      limits,
      signal,
      session,
      args: ['ls-remote', '--quiet', '--symref', '--', address.url, 'HEAD', `${HEADS}*`],
      seconds: limits.listSecondsMax,
    },
    (bytes) => {
      pieces.push(bytes)
      length += bytes.length
      return length <= LENGTH_MAX
    },
  )
  if (!hasGitSucceeded(end)) {
    return explainFailure({ end, proxyFailure: session.proxyFailure(), address, credential })
  }
  if (length > LENGTH_MAX) return gitFailure('too-large', 'The branch names are too long in total.')
  return parseRefs(Buffer.concat(pieces).toString(), limits.branchesMax)
}

function parseRefs(text: string, branchesMax: number): GitRefs | GitFailure {
  let defaultBranch: string | undefined
  const branches = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [left = '', name = ''] = line.split('\t')
    if (name === 'HEAD' && left.startsWith(`ref: ${HEADS}`)) {
      defaultBranch = left.slice(`ref: ${HEADS}`.length)
    } else if (name.startsWith(HEADS) && isRefName(name) && isObjectId(left)) {
      branches.set(name.slice(HEADS.length), left)
    }
  }
  if (branches.size === 0) {
    return gitFailure('empty', 'The repository has no branches yet. Push a commit to it.')
  }
  if (branches.size > branchesMax) {
    return gitFailure('too-large', `The repository has more than ${branchesMax} branches.`)
  }
  return { kind: 'refs', defaultBranch, branches }
}
