/**
 * Compiles pages on several cores, each in a process of its own. An author's page is a stranger's
 * input, and the parser is native code: a process that dies over a page, takes too long or too much
 * memory is replaced, and the page becomes a diagnostic.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Config } from '@octavo/model'
import { type CompiledPage, unreadable } from './compile-page.ts'
import { WORKER_FLAGS } from './engine-flags.ts'
import type { KnownCode } from './known-code.ts'
import { workerFile } from './own-files.ts'

export type WorkerStart = {
  readonly root: string
  readonly files: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly iconLibrary: string | undefined
  /** By file; those in English are left out. */
  readonly languages: Readonly<Record<string, string>>
  /** `api` of docs.json. */
  readonly api: Config['api'] | undefined
}
export type WorkerMessage =
  | ({ readonly kind: 'start' } & WorkerStart)
  /** The same files with other texts: what was read before does not count. */
  | { readonly kind: 'again' }
  /** There is nothing to do yet, but there will be. */
  | { readonly kind: 'warm' }
  | { readonly kind: 'page'; readonly file: string; readonly known: KnownCode }
export type WorkerReply = { readonly file: string; readonly page: CompiledPage }

export type PoolOptions = WorkerStart & {
  readonly workersMax?: number
  readonly limits?: PoolLimits
  readonly codeOf: (file: string) => KnownCode
  readonly onPage: (file: string, page: CompiledPage) => void
}

export type PoolLimits = {
  /** One page, with the grammars it needs loaded. */
  readonly pageTimeMsMax: number
  readonly workerMemoryMbMax: number
}
export const POOL_LIMITS: PoolLimits = { pageTimeMsMax: 20_000, workerMemoryMbMax: 512 }

/** For fewer pages than this a further process is not started: it has to load and warm up first. */
const PAGES_PER_WORKER = 40
/** Pages that a process has at hand, so that it never waits for the next. */
const QUEUED = 4
/** Times that a page is tried: a process may die of what has nothing to do with its page. */
const TRIES = 2

/** Compiles the files, in any order; `onPage` is told each as it is done. */
export async function compilePages(files: readonly string[], options: PoolOptions): Promise<void> {
  const wanted = Math.max(1, Math.ceil(files.length / PAGES_PER_WORKER))
  const count = Math.min(wanted, options.workersMax ?? availableParallelism())
  const queue = files.toReversed()
  const deaths = new Map<string, number>()
  await Promise.all(Array.from({ length: count }, () => drain(queue, deaths, options)))
}

/** One lane: a process after the other until the queue is empty. */
async function drain(
  queue: string[],
  deaths: Map<string, number>,
  options: PoolOptions,
): Promise<void> {
  while (queue.length > 0) {
    const unfinished = await new Lane(queue, options).run()
    // The first one was at work when the process died; the others have only waited.
    const [culprit, ...waiting] = unfinished.files
    queue.push(...waiting.toReversed())
    if (culprit === undefined) continue
    const count = (deaths.get(culprit) ?? 0) + 1
    deaths.set(culprit, count)
    if (count < TRIES) queue.push(culprit)
    else options.onPage(culprit, unreadable(culprit, unfinished.reason))
  }
}

export function forkPageWorker({ workerMemoryMbMax }: PoolLimits): ChildProcess {
  return fork(workerFile(), {
    execArgv: [`--max-old-space-size=${workerMemoryMbMax}`, '--no-warnings', ...WORKER_FLAGS],
    serialization: 'advanced',
    // A page must not find our secrets, should it ever find a way to look.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

type Ended = { readonly files: readonly string[]; readonly reason: string }

class Lane {
  readonly #queue: string[]
  readonly #options: PoolOptions
  readonly #limits: PoolLimits
  readonly #worker: ChildProcess
  /** Files that the process was given, in the order it takes them. */
  readonly #given: string[] = []
  #timer: NodeJS.Timeout | undefined
  #reason = 'its process ended'

  constructor(queue: string[], options: PoolOptions) {
    this.#queue = queue
    this.#options = options
    this.#limits = options.limits ?? POOL_LIMITS
    this.#worker = forkPageWorker(this.#limits)
  }

  run(): Promise<Ended> {
    const { root, files, variables, iconLibrary, languages, api } = this.#options
    return new Promise((resolve) => {
      this.#worker.on('message', ({ file, page }: WorkerReply) => this.#done(file, page))
      this.#worker.on('error', () => this.#worker.kill('SIGKILL'))
      this.#worker.on('exit', () => {
        clearTimeout(this.#timer)
        resolve({ files: this.#given, reason: this.#reason })
      })
      this.#send({ kind: 'start', root, files, variables, iconLibrary, languages, api })
      this.#give()
    })
  }

  #give(): void {
    while (this.#given.length < QUEUED) {
      const file = this.#queue.pop()
      if (file === undefined) break
      this.#given.push(file)
      this.#send({ kind: 'page', file, known: this.#options.codeOf(file) })
    }
    clearTimeout(this.#timer)
    if (this.#given.length === 0) {
      this.#worker.disconnect()
      return
    }
    const { pageTimeMsMax } = this.#limits
    this.#timer = setTimeout(() => {
      this.#reason = `it took more than ${pageTimeMsMax / 1_000} seconds`
      this.#worker.kill('SIGKILL')
    }, pageTimeMsMax)
  }

  #done(file: string, page: CompiledPage): void {
    this.#given.splice(this.#given.indexOf(file), 1)
    this.#options.onPage(file, page)
    this.#give()
  }

  #send(message: WorkerMessage): void {
    // A process that is gone is noticed by its exit.
    if (this.#worker.connected) this.#worker.send(message, () => {})
  }
}
