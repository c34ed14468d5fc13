import { stat } from 'node:fs/promises'
import { type GitRun, readGitText } from './run-git-process.ts'

const LENGTH_MAX = 64 * 1024 ** 2

/**
 * Returns the paths that differ between two commits of a clone; undefined if either commit is
 * missing.
 */
export async function readChangedPaths(
  task: Pick<GitRun, 'isolation' | 'limits'> & { readonly repository: string },
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly string[] | undefined> {
  const isCommit = [from, to].every((commit) => /^[\da-f]{40,64}$/.test(commit))
  const stats = await stat(task.repository).catch(() => undefined)
  if (!isCommit || stats === undefined) return undefined
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', from, to]
  const text = await readGitText(
    {
      ...task,
      args,
      seconds: task.limits.readSecondsMax,
      signal: new AbortController().signal,
    },
    LENGTH_MAX,
  )
  return text?.split('\0').filter(Boolean)
}
