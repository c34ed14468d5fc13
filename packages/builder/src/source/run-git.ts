import { spawnSync } from 'node:child_process'

/**
 * Time limit of a Git command. Reading the long history of a large repository takes several
 * seconds.
 */
const TIME_MS_MAX = 60_000
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024

/** Prevents Git from running other programs, which a repository's configuration can name. */
const INERT = ['log.showSignature=false', 'core.fsmonitor=false', 'protocol.allow=never']
/** Prints paths with letters outside ASCII unchanged. */
const PLAIN = ['core.quotePath=false']

/**
 * Returns Git's output for a folder; undefined if Git or a repository is missing, or after a
 * timeout.
 */
export function runGit(root: string, args: readonly string[]): string | undefined {
  return readGit(root, args)?.toString('utf8')
}

/** Returns the same as `runGit`, for output that is not always text. */
export function readGit(root: string, args: readonly string[]): Buffer | undefined {
  const settings = [...INERT, ...PLAIN].flatMap((setting) => ['-c', setting])
  const { status, stdout } = spawnSync('git', ['--no-pager', ...settings, ...args], {
    cwd: root,
    timeout: TIME_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}
