/**
 * Starts a program that works on files of strangers. In bubblewrap it sees nothing but the system's
 * programs and what it was given, and has no network. Where that is not possible it is a plain
 * process; `isolation.description` is for the log of the operator. Time and memory are limited in
 * both, and the end of the program is the end of all that it started.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { bubblewrapArgs } from './bubblewrap-args.ts'
import { type Isolation, SYSTEM_PATH } from './isolation.ts'
import { processTreeMb } from './process-memory.ts'
import { relayCommand } from './relay-command.ts'

export type SandboxOptions = {
  readonly isolation: Isolation
  readonly command: string
  readonly args: readonly string[]
  /** Files and folders that can be read beside the system's programs. */
  readonly readable: readonly string[]
  /** Folders that can be written. They must exist. */
  readonly writable: readonly string[]
  /** Where the program starts; one of the folders above. */
  readonly folder: string
  /** All of the environment, except `PATH`. Nothing of this process is passed on. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * `none`, or a CONNECT proxy that listens on a socket: then `all_proxy` names a way to it, and
   * nothing else can be reached.
   */
  readonly network: 'none' | { readonly proxySocket: string }
  readonly limits: SandboxLimits
  readonly stdio: StdioOptions
  /** Kills it. */
  readonly signal?: AbortSignal
}

export type SandboxLimits = {
  /** Of all its processes together. Node needs `--max-old-space-size` below it to end in order. */
  readonly memoryMb: number
  readonly seconds: number
  /** The largest file that it can write. */
  readonly fileMb?: number
}

export type SandboxedProcess = {
  /** What was started: bubblewrap, or the program. It has the pipes of the program. */
  readonly child: ChildProcess
  /** Kills the program and all that it started. */
  readonly kill: () => void
  /** Never rejects. All processes are gone and all pipes closed. */
  readonly ended: Promise<SandboxEnd>
}

export type SandboxEnd = {
  /** Exit code of the program; 128 and more after a signal. Nothing where it could not be started. */
  readonly code: number | undefined
  /** Why we ended it; nothing where it ended by itself. */
  readonly killedFor: 'seconds' | 'memory' | 'signal' | 'caller' | undefined
  /** The most memory that was seen. */
  readonly memoryMb: number
}

const WATCH_MS = 200

/** Soft and hard limits of the shell that becomes the program: no core dumps, data, size of a file. */
const LIMIT_SCRIPT =
  'ulimit -c 0; ulimit -d "$1"; test "$2" = 0 || ulimit -f "$2"; shift 2; exec "$@"'

export function startInSandbox(options: SandboxOptions): SandboxedProcess {
  const { isolation, environment, limits, signal } = options
  const [command, ...args] = commandLine(options)
  const child = spawn(command, args, {
    env: { PATH: SYSTEM_PATH, ...environment },
    stdio: options.stdio,
    ...(isolation.kind === 'plain' && { cwd: options.folder }),
    // Leader of a group, so that all of it can be killed.
    detached: true,
  })
  let killedFor: SandboxEnd['killedFor']
  let memoryMb = 0
  const killFor = (reason: NonNullable<typeof killedFor>) => {
    killedFor ??= reason
    killGroup(child)
  }
  const watch = setInterval(() => {
    const used = child.pid === undefined ? 0 : processTreeMb(child.pid)
    memoryMb = Math.max(memoryMb, used)
    if (used > limits.memoryMb) killFor('memory')
  }, WATCH_MS)
  const deadline = setTimeout(() => killFor('seconds'), limits.seconds * 1_000)
  const onAbort = () => killFor('signal')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()

  const { promise: ended, resolve } = Promise.withResolvers<SandboxEnd>()
  const stop = () => {
    clearInterval(watch)
    clearTimeout(deadline)
    signal?.removeEventListener('abort', onAbort)
  }
  // What it left behind would keep the pipes open.
  child.once('exit', () => killGroup(child))
  child.once('close', (code, name) => {
    stop()
    resolve({ code: code ?? (name === null ? undefined : 137), killedFor, memoryMb })
  })
  child.once('error', () => {
    if (child.pid !== undefined) return
    stop()
    resolve({ code: undefined, killedFor, memoryMb })
  })
  return { child, kill: () => killFor('caller'), ended }
}

function commandLine(options: SandboxOptions): [string, ...string[]] {
  const { isolation, limits, network } = options
  const program = [options.command, ...options.args]
  const relay = network === 'none' ? undefined : relayCommand(network.proxySocket)
  const limited = [
    '/bin/sh',
    '-c',
    LIMIT_SCRIPT,
    'sh',
    String(dataKb(limits)),
    String((limits.fileMb ?? 0) * 2_048),
    ...(relay?.command ?? []),
    ...program,
  ] as const
  if (isolation.kind === 'plain') return [...limited]
  const view = bubblewrapArgs({
    userNamespace: isolation.userNamespace,
    readable: [...options.readable, ...(relay?.readable ?? [])],
    writable: options.writable,
    folder: options.folder,
  })
  return ['bwrap', ...view, ...limited]
}

/**
 * A program that takes memory faster than we look is stopped by the system. Data counts what is set
 * aside, such as the stacks of threads, so that more of it is allowed than of memory in use.
 */
function dataKb({ memoryMb }: SandboxLimits): number {
  return (memoryMb * 2 + 512) * 1_024
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // In bubblewrap this ends the first process of its namespace, and the kernel ends the rest.
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // They are gone already.
  }
}
