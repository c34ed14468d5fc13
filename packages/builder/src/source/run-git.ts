import { spawnSync } from 'node:child_process'

/** Reading a long history of a large repository takes some seconds. */
const TIME_MS_MAX = 60_000
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024

/** A repository's configuration can name programs to run; these settings prevent that. */
const INERT = ['log.showSignature=false', 'core.fsmonitor=false', 'protocol.allow=never']

/** Returns Git's output for a folder; undefined without Git or a repository, or after a timeout. */
export function runGit(root: string, args: readonly string[]): string | undefined {
  const settings = INERT.flatMap((setting) => ['-c', setting])
  const { status, stdout } = spawnSync('git', ['--no-pager', ...settings, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: TIME_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}
