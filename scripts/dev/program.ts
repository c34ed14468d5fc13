/** A program that runs until it is stopped, and restarts after files are saved. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type ProgramOptions = {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /**
   * True if the next process starts while the previous one stops. It then has to wait for the port.
   */
  readonly overlaps: boolean
  /** Matches the line that the program prints when it is ready. */
  readonly isReady: (line: string) => boolean
  readonly onLine: (line: string, isServing: boolean) => void
  readonly onMessage?: (message: unknown) => void
  /** Called if the program ends unexpectedly. */
  readonly onFailure: () => void
}

const END_WITH_PARENT = join(import.meta.dirname, 'end-with-parent.ts')
/** The time after which a process that should stop is killed. */
const STOP_MS_MAX = 5_000

export class Program {
  readonly #options: ProgramOptions
  /** Processes that are still running. */
  readonly #children = new Set<ChildProcess>()
  /** A number that increases with each start and stop, since only the latest call applies. */
  #turn = 0

  constructor(options: ProgramOptions) {
    this.#options = options
  }

  /**
   * Starts or restarts the program. Resolves to true once it is ready, and to false if it failed or
   * a later call replaced this one.
   */
  async start(): Promise<boolean> {
    const ended = this.stop()
    const turn = this.#turn
    if (!this.#options.overlaps) await ended
    return turn === this.#turn && this.#spawn(turn)
  }

  async stop(): Promise<void> {
    this.#turn += 1
    await Promise.all([...this.#children].map(end))
  }

  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }

  #spawn(turn: number): Promise<boolean> {
    const { args, environment: env, cwd, isReady, onLine, onMessage, onFailure } = this.#options
    const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...args], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#children.add(child)
    if (onMessage !== undefined) child.on('message', onMessage)
    return new Promise((resolve) => {
      child.once('exit', () => {
        this.#children.delete(child)
        if (turn === this.#turn) onFailure()
        resolve(false)
      })
      let isServing = false
      createInterface({ input: child.stdout as Readable }).on('line', (line) => {
        onLine(line, isServing)
        if (isServing || !isReady(line)) return
        isServing = true
        resolve(true)
      })
    })
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  // A second signal would prevent a clean exit.
  if (!child.killed) child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await ended
  clearTimeout(timer)
}
