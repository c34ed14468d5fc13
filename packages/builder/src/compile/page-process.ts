/**
 * One process that compiles pages for as long as a server runs. Pages are strangers' input and the
 * parser is native code: should the process die over a page, or take too long, the page becomes a
 * diagnostic, another process starts, and the server goes on.
 */
import type { ChildProcess } from 'node:child_process'
import { type CompiledPage, unreadable } from './compile-page.ts'
import type { KnownCode } from './known-code.ts'
import {
  forkPageWorker,
  POOL_LIMITS,
  type PoolLimits,
  type WorkerMessage,
  type WorkerReply,
  type WorkerStart,
} from './page-pool.ts'

type Job = {
  readonly file: string
  readonly known: KnownCode
  readonly done: (page: CompiledPage) => void
  tries: number
}

/** Times that a page is tried: a process may die of what has nothing to do with its page. */
const TRIES = 2

export class PageProcess {
  readonly #limits: PoolLimits
  readonly #jobs: Job[] = []
  #start: WorkerStart | undefined
  #worker: ChildProcess | undefined
  /** The job that the process has. */
  #current: Job | undefined
  #timer: NodeJS.Timeout | undefined
  #reason = ''
  #isClosed = false

  constructor(limits: PoolLimits = POOL_LIMITS) {
    this.#limits = limits
    // It loads its code, and tries it, while the site is being read.
    this.#worker = this.#fork()
    this.#send({ kind: 'warm' })
  }

  /** Other texts in the same files: what was read before is forgotten. */
  readAgain(): void {
    this.#send({ kind: 'again' })
  }

  /** Other files, or other settings. */
  restart(start: WorkerStart): void {
    this.#start = start
    this.#send({ kind: 'start', ...start })
    this.#next()
  }

  compile(file: string, known: KnownCode): Promise<CompiledPage> {
    return new Promise((done) => {
      this.#jobs.push({ file, known, done, tries: 0 })
      this.#next()
    })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#worker?.kill('SIGKILL')
  }

  #next(): void {
    if (this.#current !== undefined || this.#start === undefined || this.#isClosed) return
    const job = this.#jobs.shift()
    if (job === undefined) return
    this.#current = job
    this.#reason = 'its process ended'
    if (this.#worker === undefined) {
      this.#worker = this.#fork()
      this.#send({ kind: 'start', ...this.#start })
    }
    this.#send({ kind: 'page', file: job.file, known: job.known })
    this.#timer = setTimeout(() => {
      this.#reason = `it took more than ${this.#limits.pageTimeMsMax / 1_000} seconds`
      this.#worker?.kill('SIGKILL')
    }, this.#limits.pageTimeMsMax)
  }

  #fork(): ChildProcess {
    const worker = forkPageWorker(this.#limits)
    worker.on('message', ({ file, page }: WorkerReply) => {
      if (worker === this.#worker && file === this.#current?.file) this.#finish(page)
    })
    worker.on('error', () => worker.kill('SIGKILL'))
    worker.on('exit', () => this.#replace(worker))
    return worker
  }

  #finish(page: CompiledPage): void {
    clearTimeout(this.#timer)
    const job = this.#current
    this.#current = undefined
    job?.done(page)
    this.#next()
  }

  #replace(worker: ChildProcess): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    const job = this.#current
    if (job === undefined || this.#isClosed) return
    job.tries += 1
    if (job.tries >= TRIES) {
      this.#finish(unreadable(job.file, this.#reason))
      return
    }
    clearTimeout(this.#timer)
    this.#current = undefined
    this.#jobs.unshift(job)
    this.#next()
  }

  #send(message: WorkerMessage): void {
    // A process that is gone is noticed by its exit.
    if (this.#worker?.connected) this.#worker.send(message, () => {})
  }
}
