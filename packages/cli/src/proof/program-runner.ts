/**
 * Runs programs with limits: an environment without the caller's variables, a time limit, and a
 * limit of the output. A program and everything that it has started are ended together.
 */
import { spawn } from 'node:child_process'

export type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeMsMax: number
}

export type Ended = {
  /** The exit code; undefined if the program was ended. */
  readonly code: number | undefined
  /** Why the program failed; undefined if it succeeded. */
  readonly failure: string | undefined
  /** The end of what the program printed. */
  readonly output: string
}

const OUTPUT_BYTES_MAX = 1_000_000
const SHOWN_LENGTH_MAX = 2_000

export class ProgramRunner {
  readonly #groups = new Set<number>()
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Ends all programs, and starts no more. */
  stop(): void {
    this.#isStopped = true
    for (const group of this.#groups) endGroup(group)
  }

  async run({ command, args, cwd, env, timeMsMax }: Program): Promise<Ended> {
    if (this.#isStopped) return { code: undefined, failure: 'was not started', output: '' }
    // A group of its own has the processes that the program starts, too.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) this.#groups.add(pid)
    let output = ''
    let bytes = 0
    let failure: string | undefined
    const end = (reason: string) => {
      failure ??= reason
      if (pid !== undefined) endGroup(pid)
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        bytes += text.length
        output = `${output}${text}`.slice(-SHOWN_LENGTH_MAX)
        if (bytes > OUTPUT_BYTES_MAX) end(`has printed more than ${OUTPUT_BYTES_MAX / 1e6} MB`)
      })
    }
    const timer = setTimeout(
      () => end(`has not ended after ${timeMsMax / 1_000} seconds`),
      timeMsMax,
    )
    const code = await new Promise<number | undefined>((resolve) => {
      child.once('error', (error) => {
        failure ??= `cannot be started: ${error.message}`
        resolve(undefined)
      })
      // Programs that were started in the background keep the streams open.
      child.once('exit', () => pid !== undefined && endGroup(pid))
      child.once('close', (status) => resolve(status ?? undefined))
    })
    clearTimeout(timer)
    if (pid !== undefined) this.#groups.delete(pid)
    if (code !== 0) failure ??= code === undefined ? 'was ended' : `has the exit code ${code}`
    return { code, failure, output: output.trim() }
  }
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The programs have already ended.
  }
}
