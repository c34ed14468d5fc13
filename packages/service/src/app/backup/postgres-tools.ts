/** Runs pg_dump and pg_restore, which have to be installed separately. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { environmentWith } from '../settings/env.ts'
import { BackupFailed } from './backup-fault.ts'

type Tool = 'pg_dump' | 'pg_restore'

/** The number of characters to quote from the end of a tool's error output, with the reason. */
const ERROR_OUTPUT_LENGTH_MAX = 1_000

/** Returns the major version of a tool. Throws if it is missing or too old. */
export async function checkTool(
  tool: Tool,
  needed: { readonly major: number; readonly because: string },
): Promise<number> {
  const said = await new Promise<string>((resolve, reject) => {
    const child = spawn(tool, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
    child.once('error', reject)
    text(child.stdout).then(resolve, reject)
  }).catch(() => undefined)
  const major = Number(/\s(\d+)(?:\.|\s|[a-z]|$)/.exec(said ?? '')?.[1])
  const hint = `Install the client programs of PostgreSQL ${needed.major} or newer (Debian: postgresql-client-${needed.major}), and put their folder into PATH.`
  if (!Number.isInteger(major))
    throw new BackupFailed([
      { code: 'postgres-tool-missing', place: tool, reason: 'The program was not found.', hint },
    ])
  if (major < needed.major)
    throw new BackupFailed([
      {
        code: 'postgres-tool-old',
        place: tool,
        reason: `The program has version ${major}, and ${needed.because} ${needed.major}.`,
        hint,
      },
    ])
  return major
}

/**
 * Runs a tool and passes its output to `read`. The password is not in the arguments, which are
 * visible to other users.
 */
export async function runTool(
  tool: Tool,
  options: {
    readonly url: string
    readonly args: readonly string[]
    readonly read?: (output: Readable) => Promise<void>
  },
): Promise<void> {
  const url = new URL(options.url)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const child = spawn(tool, [`--dbname=${url.href}`, '--no-password', ...options.args], {
    stdio: ['ignore', options.read === undefined ? 'ignore' : 'pipe', 'pipe'],
    ...(password !== '' && { env: environmentWith({ PGPASSWORD: password }) }),
  })
  const ended = once(child, 'close') as Promise<[code: number | null]>
  const [said, [code]] = await Promise.all([
    child.stderr === null ? '' : text(child.stderr),
    ended,
    child.stdout === null ? undefined : options.read?.(child.stdout),
  ]).catch((error: unknown) => {
    child.kill()
    throw error
  })
  if (code === 0) return
  throw new BackupFailed([
    {
      code: 'postgres-tool-failed',
      place: tool,
      reason: said.trim().slice(-ERROR_OUTPUT_LENGTH_MAX) || `The program ended with ${code}.`,
      hint: 'Check DATABASE_OWNER_URL, and check that its role owns the tables.',
    },
  ])
}
