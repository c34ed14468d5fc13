/**
 * Finds files by name in the newest commit of a branch, without fetching file contents or history.
 */
import { basename } from 'node:path'
import { type CloneTask, fetchTip, prepareClone, readRun } from './cached-clone.ts'
import { explainLimit, gitFailure } from './explain-failure.ts'
import type { FindOptions, FoundFiles, GitFailure } from './git.ts'
import { hasGitSucceeded, runGitProcess } from './run-git-process.ts'
import { ENTRY_BYTES_MAX } from './select-files.ts'

const PATHS_MAX = 100
/**
 * The maximum number of entries to read. A few small trees that contain each other can expand to
 * billions.
 */
const ENTRIES_MAX = 1_000_000

export async function findFiles(
  task: CloneTask,
  { ref, commit, names }: Omit<FindOptions, 'remote'>,
): Promise<FoundFiles | GitFailure> {
  await prepareClone(task.repository, { commit, isBlobless: task.isBlobless })
  const tip = await fetchTip(task, ref)
  if (typeof tip !== 'string') return tip
  const paths: string[] = []
  let entryCount = 0
  let rest: Buffer = Buffer.alloc(0)
  const run = readRun(task, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tip])
  const end = await runGitProcess(run, (bytes) => {
    const text = Buffer.concat([rest, bytes])
    const last = text.lastIndexOf(0)
    for (const path of text.toString('utf8', 0, Math.max(0, last)).split('\0')) {
      entryCount += 1
      if (names.includes(basename(path))) paths.push(path)
    }
    rest = text.subarray(last + 1).subarray(0, ENTRY_BYTES_MAX)
    return paths.length < PATHS_MAX && entryCount < ENTRIES_MAX
  })
  if (hasGitSucceeded(end)) return { kind: 'files', paths: paths.slice(0, PATHS_MAX) }
  return explainLimit(end) ?? gitFailure('other', 'The files could not be listed.', false)
}
