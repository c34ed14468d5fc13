/** Starts the writer processes, and collects what was acknowledged and how each process ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { WriterTask } from './writer.ts'

export type Ack = { readonly id: string; readonly attempt: string }

export type FleetOptions = Omit<WriterTask, 'writers' | 'generation'> & {
  readonly processes: number
  readonly writersPerProcess: number
  readonly onAck: (id: string) => void
}

const STOP_MS_MAX = 60_000

export type WriterFleet = ReturnType<typeof startWriterFleet>

export function startWriterFleet(options: FleetOptions) {
  const { processes, writersPerProcess, onAck, ...task } = options
  const acks = new Map<string, Ack>()
  const errors = new Map<string, number>()
  const next = new Map<string, number>()
  const accepted = new Map<string, string>()
  const counts = { kills: 0, stops: 0, unknown: 0 }
  const running = new Map<number, ChildProcess>()
  const ended: Promise<void>[] = []
  let isStopping = false
  let failure: Error | undefined

  function read(line: string): void {
    const [kind, ...rest] = line.split(' ')
    if (kind === 'error') {
      const name = rest.join(' ')
      errors.set(name, (errors.get(name) ?? 0) + 1)
      return
    }
    const [questionId, id, attempt] = rest
    if (kind === 'accepted' && questionId !== undefined && id?.length === 26)
      accepted.set(questionId, id)
    // The last line of a killed process can be incomplete.
    if (kind !== 'ack' || questionId === undefined || id?.length !== 26 || attempt === undefined)
      return
    const [writer = '', number] = questionId.split('-')
    acks.set(questionId, { id, attempt })
    accepted.delete(questionId)
    next.set(writer, Number(number) + 1)
    if (attempt.split('.')[1] !== '1') counts.unknown += 1
    onAck(id)
  }

  function start(place: number, generation: number): void {
    const names = Array.from({ length: writersPerProcess }, (_, index) => `w${place}x${index}`)
    const writers = names.map((name) => {
      const first = next.get(name) ?? 0
      return { name, next: first, accepted: accepted.get(`${name}-${first}`) }
    })
    const whole: WriterTask = { ...task, writers, generation }
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'writer.ts'), JSON.stringify(whole)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    running.set(place, child)
    child.stdin.on('error', () => {
      // The process was killed, so it does not read its input.
    })
    const lines = createInterface({ input: child.stdout })
    lines.on('line', read)
    const done = Promise.all([
      new Promise<void>((resolve) => lines.once('close', resolve)),
      new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code))),
    ])
    // Which turns have no acknowledgment is known only after the whole output has been read.
    const over = done.then(([, code]) => {
      running.delete(place)
      if (code !== null && code !== 0) failure = new Error(`a writer ended with code ${code}`)
      if (isStopping || failure !== undefined) return
      counts.unknown += writersPerProcess
      start(place, generation + 1)
    })
    ended.push(over)
  }

  function choose(): ChildProcess | undefined {
    const all = [...running.values()]
    return all[Math.floor(Math.random() * all.length)]
  }

  for (let place = 0; place < processes; place += 1) start(place, 1)

  return {
    acks: acks as ReadonlyMap<string, Ack>,
    errors: errors as ReadonlyMap<string, number>,
    counts: counts as Readonly<typeof counts>,
    failure: () => failure,
    /** Kills a random process in the middle of its work. Another one replaces it. */
    kill(): void {
      if (choose()?.kill('SIGKILL') === true) counts.kills += 1
    },
    /** Pauses a random process for a while. */
    pause(ms: number): void {
      const child = choose()
      if (child?.kill('SIGSTOP') !== true) return
      counts.stops += 1
      setTimeout(() => child.kill('SIGCONT'), ms)
    },
    /** Lets every writer finish its current turn. */
    async stop(): Promise<void> {
      isStopping = true
      for (const child of running.values()) child.stdin?.end()
      const timer = setTimeout(() => {
        failure = new Error('writers did not stop')
        for (const child of running.values()) child.kill('SIGKILL')
      }, STOP_MS_MAX)
      await Promise.all(ended)
      clearTimeout(timer)
    },
  }
}
