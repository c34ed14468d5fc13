/**
 * Starts a program that handles untrusted files. In bubblewrap it sees only the system's programs
 * and the given paths, and has no network. If bubblewrap is not available, the program is a plain
 * process; `isolation.description` says so in the log. In both cases, time and memory are limited,
 * and when the program ends, all its descendants are killed.
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
  /** Files and folders that can be read, in addition to the system's programs. */
  readonly readable: readonly string[]
  /** Folders that can be written to. They must exist. */
  readonly writable: readonly string[]
  /** The working directory, which must be readable or writable. */
  readonly folder: string
  /** The whole environment except `PATH`. No variable of this process is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * `none`, or the Unix socket of a CONNECT proxy. With a proxy, `all_proxy` is set for the
   * program, and in bubblewrap nothing but the proxy can be reached.
   */
  readonly network: 'none' | { readonly proxySocket: string }
  readonly limits: SandboxLimits
  readonly stdio: StdioOptions
  /** Kills the program when aborted. */
  readonly signal?: AbortSignal
}

export type SandboxLimits = {
  /**
   * The memory limit for all processes together. A Node program needs a lower
   * `--max-old-space-size`, so that it exits with an error before it is killed.
   */
  readonly memoryMb: number
  readonly seconds: number
  /** The maximum size of each file that the program writes; unlimited by default. */
  readonly fileMb?: number
}

export type SandboxedProcess = {
  /** The process that was started, which is bubblewrap or the program, with the program's pipes. */
  readonly child: ChildProcess
  /** Kills the program and its descendants. */
  readonly kill: () => void
  /** Resolves when all processes have exited and all pipes are closed. Never rejects. */
  readonly ended: Promise<SandboxEnd>
}

export type SandboxEnd = {
  /**
   * The program's exit code; 128 or more after a signal. Undefined if the program could not be
   * started.
   */
  readonly code: number | undefined
  /** The reason why the program was killed; undefined if it exited on its own. */
  readonly killedFor: 'seconds' | 'memory' | 'signal' | 'caller' | undefined
  /** The highest memory usage that was measured. */
  readonly memoryMb: number
}

const WATCH_MS = 200

/**
 * Turns off core dumps and limits data size and file size, then replaces the shell with the
 * program.
 */
const LIMIT_SCRIPT =
  'ulimit -c 0; ulimit -d "$1"; test "$2" = 0 || ulimit -f "$2"; shift 2; exec "$@"'

export function startInSandbox(options: SandboxOptions): SandboxedProcess {
  const { isolation, environment, limits, signal } = options
  const [command, ...args] = commandLine(options)
  const child = spawn(command, args, {
    env: { PATH: SYSTEM_PATH, ...environment },
    stdio: options.stdio,
    ...(isolation.kind === 'plain' && { cwd: options.folder }),
    // Makes the process a group leader, so that the whole group can be killed.
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
  // Kills remaining child processes, which would keep the pipes open.
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
 * Returns a limit that the system enforces, for programs that allocate memory faster than it is
 * measured. It also counts reserved memory, such as thread stacks, so it is higher than `memoryMb`.
 */
function dataKb({ memoryMb }: SandboxLimits): number {
  return (memoryMb * 2 + 512) * 1_024
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // In bubblewrap this kills the first process of its namespace, and the kernel kills the rest.
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The processes have already exited.
  }
}
