/** One Git process in a sandbox: its output as a stream or a text, and how it ended. */
import { dirname } from 'node:path'
import type { Isolation } from '../sandbox/isolation.ts'
import { type SandboxEnd, startInSandbox } from '../sandbox/start-in-sandbox.ts'
import { folderBytes } from './folder-bytes.ts'
import type { GitLimits } from './git-limits.ts'
import type { GitSession } from './git-session.ts'
import { GIT_ENVIRONMENT, gitArgs } from './git-settings.ts'

export type GitRun = {
  readonly isolation: Isolation
  readonly limits: GitLimits
  readonly args: readonly string[]
  /** The bare clone; nothing for a command that needs none. */
  readonly repository?: string
  /** A way to the server; without it there is no network, and the clone is read-only. */
  readonly session?: GitSession
  readonly canWrite?: boolean
  readonly seconds: number
  readonly input?: string
  readonly signal: AbortSignal
}

export type GitEnd = Omit<SandboxEnd, 'killedFor'> & {
  readonly killedFor: SandboxEnd['killedFor'] | 'disk'
  /** The end of what it complained about. */
  readonly stderr: string
}

/** Takes bytes until it has enough of them: then it gives false. */
export type TakeBytes = (bytes: Buffer) => boolean | undefined

const STDERR_LENGTH_MAX = 16_384
const WATCH_MS = 500
const MEGABYTE = 1024 ** 2

/** Aborts with the signal's reason. Every other end is a value. */
export async function runGitProcess(run: GitRun, take: TakeBytes): Promise<GitEnd> {
  const { isolation, limits, repository, session, signal } = run
  signal.throwIfAborted()
  const canWrite = run.canWrite ?? session !== undefined
  const repositoryFolder = repository === undefined ? [] : [repository]
  const repositoryArgs = repository === undefined ? [] : [`--git-dir=${repository}`]
  const started = startInSandbox({
    isolation,
    command: 'git',
    args: gitArgs([...repositoryArgs, ...run.args], session?.settings),
    readable: [...(canWrite ? [] : repositoryFolder), ...(session?.readable ?? [])],
    writable: [...(canWrite ? repositoryFolder : []), ...(session?.writable ?? [])],
    folder: repository ?? '/',
    environment: { ...GIT_ENVIRONMENT, ...session?.environment },
    network: session === undefined ? 'none' : { proxySocket: session.proxySocket },
    limits: {
      memoryMb: limits.memoryMb,
      seconds: run.seconds,
      fileMb: Math.ceil(limits.cloneBytesMax / MEGABYTE),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  })
  const { child, kill, ended } = started
  let isTooLarge = false
  let isLooking = false
  const watch = setInterval(async () => {
    if (repository === undefined || !canWrite || isLooking) return
    isLooking = true
    isTooLarge ||= (await folderBytes(dirname(repository))) > limits.cloneBytesMax
    isLooking = false
    if (isTooLarge) kill()
  }, WATCH_MS)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_LENGTH_MAX)
  })
  // A program that ends early does not read its input; how it ended says why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(run.input)
  let isRead = false
  try {
    for await (const bytes of child.stdout ?? []) if (take(bytes) === false) break
    isRead = child.stdout?.readableEnded ?? true
  } finally {
    if (!isRead) kill()
    await ended
    clearInterval(watch)
  }
  const end = await ended
  signal.throwIfAborted()
  return { ...end, stderr, killedFor: isTooLarge ? 'disk' : end.killedFor }
}

/** Whether it did its work, also where we had read enough. */
export function isGitDone({ code, killedFor }: GitEnd): boolean {
  return (code === 0 && killedFor === undefined) || killedFor === 'caller'
}

/** What Git prints, as a text; nothing where it failed or printed too much. */
export async function readGitText(run: GitRun, lengthMax = 100_000): Promise<string | undefined> {
  const { end, text } = await collect(run, lengthMax)
  return end.code === 0 ? text : undefined
}

/** About so many bytes of what Git prints, and maybe not all of it; nothing where it failed. */
export async function readGitStart(run: GitRun, lengthMax: number): Promise<string | undefined> {
  const { end, text } = await collect(run, lengthMax)
  return isGitDone(end) ? text : undefined
}

async function collect(run: GitRun, lengthMax: number) {
  const pieces: Buffer[] = []
  let length = 0
  const end = await runGitProcess(run, (bytes) => {
    pieces.push(bytes)
    length += bytes.length
    return length <= lengthMax
  })
  return { end, text: Buffer.concat(pieces).toString() }
}
