/**
 * Determines how processes that handle untrusted files are isolated on this machine. Kernels and
 * containers differ in what they allow, so the isolation is detected by a trial run.
 */
import { execFile } from 'node:child_process'
import { bubblewrapArgs } from './bubblewrap-args.ts'

export type Isolation =
  | {
      /** Separate namespaces for files, processes, network and users. */
      readonly kind: 'bubblewrap'
      readonly description: string
      readonly userNamespace: readonly string[]
    }
  | {
      /** Processes have only time and memory limits. `description` says why there is no sandbox. */
      readonly kind: 'plain'
      readonly description: string
    }

const PROBE_MS_MAX = 10_000

/**
 * Options for user namespaces, the stricter one first. The second one also works on systems without
 * user namespaces, because the rest of the isolation is still useful.
 */
const USER_NAMESPACES: readonly (readonly string[])[] = [
  ['--unshare-user', '--disable-userns'],
  ['--unshare-user-try'],
]

export const PLAIN_ISOLATION: Isolation = {
  kind: 'plain',
  description: 'plain processes with limits',
}

export async function detectIsolation(): Promise<Isolation> {
  let reason = ''
  for (const userNamespace of USER_NAMESPACES) {
    const failure = await tryBubblewrap(userNamespace)
    if (failure === undefined)
      return { kind: 'bubblewrap', description: 'bubblewrap', userNamespace }
    reason ||= failure
  }
  return { kind: 'plain', description: `${PLAIN_ISOLATION.description} (${reason})` }
}

/** Runs bubblewrap with the same options as for real programs; returns the reason if that fails. */
function tryBubblewrap(userNamespace: readonly string[]): Promise<string | undefined> {
  const args = bubblewrapArgs({ userNamespace, readable: [], writable: [], folder: '/' })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  execFile(
    'bwrap',
    [...args, '/bin/sh', '-c', 'cat /proc/self/status >/dev/null'],
    { timeout: PROBE_MS_MAX, env: { PATH: SYSTEM_PATH } },
    (error, _, stderr) => {
      if (error === null) return resolve(undefined)
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      resolve(isMissing ? 'bubblewrap is not installed' : firstLine(stderr))
    },
  )
  return promise
}

/** The fixed search path for programs, independent of the operator's shell settings. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim().slice(0, 200) || 'bubblewrap does not work here'
}
