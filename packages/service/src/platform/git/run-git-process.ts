/** Runs a Git process in a sandbox. Its output is available as a stream or as text. */
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
  /** The bare clone; undefined for commands that need no clone. */
  readonly repository?: string
  /**
   * The connection to the server. Without it, the process has no network access, and the clone is
   * read-only unless `canWrite` is set.
   */
  readonly session?: GitSession
  readonly canWrite?: boolean
  readonly seconds: number
  readonly input?: string
  readonly signal: AbortSignal
}

export type GitEnd = Omit<SandboxEnd, 'killedFor'> & {
  readonly killedFor: SandboxEnd['killedFor'] | 'disk'
  /** The last part of the error output. */
  readonly stderr: string
}

/** Receives a chunk of output. Returns false when it needs no more output. */
export type ByteConsumer = (bytes: Buffer) => boolean | undefined

const STDERR_LENGTH_MAX = 16_384
const WATCH_MS = 500
const MEGABYTE = 1024 ** 2

/**
 * Throws the signal's reason if the signal is aborted. Otherwise, returns how the process ended.
 */
export async function runGitProcess(run: GitRun, take: ByteConsumer): Promise<GitEnd> {
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
  let isPolling = false
  const watch = setInterval(async () => {
    if (repository === undefined || !canWrite || isPolling) return
    isPolling = true
    isTooLarge ||= (await folderBytes(dirname(repository))) > limits.cloneBytesMax
    isPolling = false
    if (isTooLarge) kill()
  }, WATCH_MS)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_LENGTH_MAX)
  })
  // Ignores write errors, because a process that exits early does not read its input. Its exit code
  // says why.
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

/** Returns whether the process succeeded or was stopped because enough output was read. */
export function hasGitSucceeded({ code, killedFor }: GitEnd): boolean {
  return (code === 0 && killedFor === undefined) || killedFor === 'caller'
}

/** Returns Git's output as text; undefined if Git failed or printed too much. */
export async function readGitText(run: GitRun, lengthMax = 100_000): Promise<string | undefined> {
  const { end, text } = await collect(run, lengthMax)
  return end.code === 0 ? text : undefined
}

/** Returns about the first `lengthMax` bytes of Git's output; undefined if Git failed. */
export async function readGitStart(run: GitRun, lengthMax: number): Promise<string | undefined> {
  const { end, text } = await collect(run, lengthMax)
  return hasGitSucceeded(end) ? text : undefined
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
