/** Finds commits and releases of this repository. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

export function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, {
    cwd: ROOT,
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/**
 * Returns the commit of a revision. Throws an error with advice if a shallow clone does not have
 * it.
 */
export function findCommit(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).toString().trim()
  } catch {
    throw new Error(
      `The commit ${revision} is not in this clone. If the clone is shallow, run \`git fetch --unshallow\`.`,
    )
  }
}

/** Returns the tag of the newest release; undefined before the first one. */
export function findLastRelease(): string | undefined {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').toString().trim()
  return tags.split('\n').find((tag) => tag !== '')
}
