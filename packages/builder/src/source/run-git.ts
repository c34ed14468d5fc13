import { spawnSync } from 'node:child_process'

/** A long history of a large repository takes some seconds. */
const TIME_MS_MAX = 60_000
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024

/** Settings of a repository can name programs to run; none of these may. */
const INERT = ['log.showSignature=false', 'core.fsmonitor=false', 'protocol.allow=never']

/** What Git says about a folder; nothing where there is no Git, no repository, or no answer in time. */
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
