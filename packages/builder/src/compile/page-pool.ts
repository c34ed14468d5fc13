/**
 * Compiles pages in worker processes. An author's page is untrusted input, and the parser is native
 * code. A process that crashes, takes too long or uses too much memory is therefore replaced, and
 * the page gets a diagnostic.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { OverlayUse } from '@octavo/model'
import { type CompiledPage, unreadable } from './compile-page.ts'
import { WORKER_FLAGS } from './engine-flags.ts'
import { readableFolders, workerFile } from './own-files.ts'
import {
  type CompilerSettings,
  type LoadedJob,
  loadJob,
  nameOfJob,
  type PageCompilerPort,
  type PageJob,
} from './page-compiler.ts'
import { stripTypes } from './strip-types.ts'
import type { StrippedText, TypedFile } from './stripped-module.ts'

export type WorkerStart = {
  /** The folder from which the worker reads files. */
  readonly root: string
  readonly files: readonly string[]
  readonly settings: CompilerSettings
  /** The texts of hosted specifications by URL, which are not in the folder. */
  readonly hosted: Readonly<Record<string, string>>
  /** The overlays of specifications that have some. */
  readonly overlays: Readonly<Record<string, readonly OverlayUse[]>>
}

export type WorkerMessage =
  | ({ readonly kind: 'start' } & WorkerStart)
  /** Reports that files have changed, so that the worker drops cached texts. */
  | { readonly kind: 'changed' }
  /** Asks the worker to load grammars while it is idle. */
  | { readonly kind: 'warm' }
  | { readonly kind: 'job'; readonly id: number; readonly job: LoadedJob }
  | { readonly kind: 'stripped'; readonly file: string; readonly stripped: StrippedText }

export type WorkerReply =
  | { readonly kind: 'page'; readonly id: number; readonly page: CompiledPage }
  /** Requests a TypeScript module without its types, because a page imports it. */
  | ({ readonly kind: 'strip' } & TypedFile)

export type PoolLimits = {
  /** Time limit for one page, including the loading of grammars. */
  readonly pageTimeMsMax: number
  readonly workerMemoryMbMax: number
}

const POOL_LIMITS: PoolLimits = { pageTimeMsMax: 20_000, workerMemoryMbMax: 512 }

export type PoolOptions = {
  readonly workersMax: number
  readonly limits?: PoolLimits | undefined
  /**
   * True if workers may only read the site's folder and our own code, and may not write files or
   * start processes. They can still use the network, so this alone does not contain an untrusted
   * author.
   */
  readonly isRestricted: boolean
  /** Has the same meaning as in `Isolation`. */
  readonly mayWriteCompileCache?: boolean | undefined
}

/** Number of waiting pages per process: a process first has to load and warm up. */
const PAGES_PER_WORKER = 40
/** Number of pages to queue per process, so that it never has to wait for the next page. */
const QUEUED = 4
/** Maximum number of attempts per page: a process may crash for unrelated reasons. */
const ATTEMPTS_MAX = 2

type Task = {
  readonly id: number
  readonly job: PageJob
  readonly done: (page: CompiledPage) => void
  attempts: number
}

export class PagePool implements PageCompilerPort {
  readonly #options: PoolOptions
  readonly #queue: Task[] = []
  readonly #lanes = new Set<Lane>()
  #start: WorkerStart | undefined
  #taskCount = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Starts a process before there are pages to compile, so that it can load and warm up. */
  warm(): void {
    this.#addLane().send({ kind: 'warm' })
  }

  /** Sets the files and settings for all further pages. */
  use(start: WorkerStart): void {
    this.#start = start
    for (const lane of this.#lanes) lane.send({ kind: 'start', ...start })
    this.#fill()
  }

  /** Makes the workers drop their cached files after a change. */
  readAgain(): void {
    for (const lane of this.#lanes) lane.send({ kind: 'changed' })
  }

  compile = async <Job extends PageJob>(
    jobs: readonly Job[],
    onPage: (job: Job, page: CompiledPage) => void,
  ): Promise<void> => {
    if (jobs.length === 0) return
    const finished = Promise.withResolvers<void>()
    let left = jobs.length
    for (const job of jobs) {
      const done = (page: CompiledPage): void => {
        try {
          onPage(job, page)
        } catch (error) {
          finished.reject(error)
        }
        left -= 1
        if (left === 0) finished.resolve()
      }
      this.#taskCount += 1
      this.#queue.push({ id: this.#taskCount, job, done, attempts: 0 })
    }
    this.#fill()
    await finished.promise
  }

  close = (): void => {
    this.#isClosed = true
    for (const lane of this.#lanes) lane.close()
  }

  /** Assigns waiting pages to processes, and starts further processes if there is enough work. */
  #fill(): void {
    if (this.#isClosed || this.#start === undefined || this.#queue.length === 0) return
    const wanted = Math.ceil(this.#queue.length / PAGES_PER_WORKER)
    while (this.#lanes.size < Math.min(Math.max(wanted, 1), this.#options.workersMax)) {
      this.#addLane()
    }
    for (const lane of this.#lanes) lane.take()
  }

  #addLane(): Lane {
    const root = this.#start?.root
    const worker = forkPageWorker(this.#options, root)
    const lane: Lane = new Lane(worker, {
      limits: this.#options.limits ?? POOL_LIMITS,
      next: () => (this.#start === undefined ? undefined : this.#queue.shift()),
      onEnd: (ended) => this.#replace(lane, ended),
    })
    this.#lanes.add(lane)
    if (this.#start !== undefined) lane.send({ kind: 'start', ...this.#start })
    return lane
  }

  #replace(lane: Lane, { tasks, reason }: Ended): void {
    this.#lanes.delete(lane)
    if (this.#isClosed) return
    // The process was compiling the first task when it ended; the other tasks were only queued.
    const [culprit, ...waiting] = tasks
    this.#queue.unshift(...waiting)
    if (culprit !== undefined) {
      culprit.attempts += 1
      if (culprit.attempts < ATTEMPTS_MAX) this.#queue.unshift(culprit)
      else culprit.done(unreadable(nameOfJob(culprit.job), reason))
    }
    this.#fill()
  }
}

function forkPageWorker(
  { limits = POOL_LIMITS, isRestricted, mayWriteCompileCache = false }: PoolOptions,
  root: string | undefined,
): ChildProcess {
  const code = codeFolder()
  const codeFolders = mayWriteCompileCache && code !== undefined ? [code] : []
  const readable = [...readableFolders(), ...codeFolders, ...(root === undefined ? [] : [root])]
  const permissions = [
    '--permission',
    // Required because the Markdown parser is native code.
    '--allow-addons',
    ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
    ...codeFolders.map((folder) => `--allow-fs-write=${folder}/*`),
  ]
  return fork(workerFile(), {
    execArgv: [
      `--max-old-space-size=${limits.workerMemoryMbMax}`,
      '--no-warnings',
      ...WORKER_FLAGS,
      ...(isRestricted ? permissions : []),
    ],
    serialization: 'advanced',
    // Environment variables may contain secrets, so they are not passed to a process that compiles
    // pages.
    env: code === undefined ? {} : { NODE_COMPILE_CACHE: code },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Returns the folder of Node's compile cache, if this process uses one. */
function codeFolder(): string | undefined {
  const folder = getCompileCacheDir()
  // Node reports a subfolder for the Node version.
  return folder === undefined ? undefined : dirname(folder)
}

type Ended = { readonly tasks: readonly Task[]; readonly reason: string }

type LaneOptions = {
  readonly limits: PoolLimits
  readonly next: () => Task | undefined
  readonly onEnd: (ended: Ended) => void
}

/** A process with its queue of tasks. */
class Lane {
  readonly #worker: ChildProcess
  readonly #options: LaneOptions
  readonly #tasks: Task[] = []
  #timer: NodeJS.Timeout | undefined
  #reason = 'the compiler process crashed'

  constructor(worker: ChildProcess, options: LaneOptions) {
    this.#worker = worker
    this.#options = options
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'page') this.#finish(reply.id, reply.page)
      else void this.#strip(reply)
    })
    worker.on('error', () => worker.kill('SIGKILL'))
    worker.on('exit', () => {
      clearTimeout(this.#timer)
      options.onEnd({ tasks: this.#tasks, reason: this.#reason })
    })
  }

  take(): void {
    const isIdle = this.#tasks.length === 0
    while (this.#tasks.length < QUEUED) {
      const task = this.#options.next()
      if (task === undefined) break
      this.#tasks.push(task)
      this.send({ kind: 'job', id: task.id, job: loadJob(task.job) })
    }
    if (isIdle) this.#watch()
  }

  send(message: WorkerMessage): void {
    // If the process has ended, its exit handler deals with the task.
    if (this.#worker.connected) this.#worker.send(message, () => {})
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#worker.kill('SIGKILL')
  }

  #finish(id: number, page: CompiledPage): void {
    const index = this.#tasks.findIndex((task) => task.id === id)
    const [task] = index < 0 ? [] : this.#tasks.splice(index, 1)
    this.take()
    this.#watch()
    task?.done(page)
  }

  async #strip({ file, text }: TypedFile): Promise<void> {
    this.send({ kind: 'stripped', file, stripped: await stripTypes({ file, text }) })
  }

  /** Restarts the time limit for the current page. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#tasks.length === 0) return
    const { pageTimeMsMax } = this.#options.limits
    this.#timer = setTimeout(() => {
      this.#reason = `it took more than ${pageTimeMsMax / 1_000} seconds`
      this.#worker.kill('SIGKILL')
    }, pageTimeMsMax)
  }
}
