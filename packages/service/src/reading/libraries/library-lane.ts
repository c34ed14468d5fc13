/**
 * Sends requests to a library process, which is started when it is needed. The steps of different
 * projects alternate, so that a slow library does not block the others.
 */
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import type { LaneLimits } from './lane-limits.ts'
import type {
  AskedFile,
  LibraryOutcome,
  LibraryReply,
  LibraryStep,
  SentFile,
} from './library-messages.ts'
import { type LibraryProcess, ProcessTimeout, startLibraryProcess } from './library-process.ts'

export type LaneRequest = {
  readonly projectId: string
  readonly step: LibraryStep
  readonly load: LoadFiles
}

/** Loads the first file, and more files as long as they are small enough for one step. */
export type LoadFiles = (asked: readonly AskedFile[]) => Promise<readonly SentFile[]>

/** The process ended because of another request. This request can be repeated. */
export class LibraryProcessLost extends Error {}

type Request = {
  readonly projectId: string
  readonly id: number
  /** The files that the request is still waiting for. */
  asked: readonly AskedFile[]
  outcome: LibraryOutcome | undefined
  cpuMs: number
  wake: () => void
}

export class LibraryLane {
  readonly #limits: LaneLimits
  readonly #onLost: () => void
  readonly #turns = createFairQueue({ atOnce: 1, atOnceOfProject: 1 })
  readonly #requests = new Map<number, Request>()
  #running: LibraryProcess | undefined
  #closes: string[] = []
  #count = 0

  constructor(limits: LaneLimits, onLost: () => void) {
    this.#limits = limits
    this.#onLost = onLost
  }

  async request({ projectId, step, load }: LaneRequest): Promise<LibraryOutcome> {
    this.#count += 1
    const request: Request = {
      projectId,
      id: this.#count,
      asked: [],
      outcome: undefined,
      cpuMs: 0,
      wake: () => {},
    }
    this.#requests.set(request.id, request)
    try {
      return await this.#finish(request, await this.#take(request, step), load)
    } finally {
      this.#requests.delete(request.id)
    }
  }

  /** Closes a library. The process is informed in the next step. */
  close(key: string): void {
    if (this.#running !== undefined) this.#closes.push(key)
  }

  /** Starts the process in advance, so that the first request does not have to wait. */
  warm(): void {
    this.#running ??= this.#start()
  }

  stop(): void {
    this.#running?.stop()
  }

  #start(): LibraryProcess {
    const own = startLibraryProcess(this.#limits, () => {
      if (this.#running !== own) return
      this.#running = undefined
      this.#closes = []
      for (const { wake } of this.#requests.values()) wake()
      this.#onLost()
    })
    return own
  }

  /**
   * Sends one step to the process. A request with several steps fails if the process has been
   * replaced.
   */
  async #take(request: Request, step: LibraryStep, begun?: LibraryProcess) {
    const { projectId, id } = request
    return this.#turns(projectId, async () => {
      if (begun !== undefined && begun !== this.#running) throw lost()
      this.#running ??= this.#start()
      const own = this.#running
      const sent = { ...step, request: id, closes: this.#closes }
      this.#closes = []
      const reply = await own.exchange(sent)
      request.cpuMs += reply.cpuMs
      this.#handOut(reply)
      return own
    })
  }

  /**
   * Passes the results of a step to their requests. Requests of the same project may wait for the
   * same file, so a step of one request may complete another one.
   */
  #handOut({ asked, results }: LibraryReply): void {
    for (const file of asked) {
      const other = this.#requests.get(file.request)
      if (other !== undefined) other.asked = [...other.asked, file]
      other?.wake()
    }
    for (const result of results) {
      const other = this.#requests.get(result.request)
      if (other !== undefined) other.outcome = result
      other?.wake()
    }
  }

  async #finish(
    request: Request,
    process: LibraryProcess,
    load: LoadFiles,
  ): Promise<LibraryOutcome> {
    let failure: unknown
    while (request.outcome === undefined) {
      if (request.asked.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        request.wake = resolve
        if (this.#running !== process) throw lost()
        await promise
        continue
      }
      if (request.cpuMs > this.#limits.requestCpuMs)
        failure ??= new ProcessTimeout('Reading the index took too long.')
      const { asked } = request
      const files =
        failure === undefined
          ? await load(asked).catch((error: unknown) => {
              failure = error
            })
          : undefined
      // All pending files fail, so that the process does not wait for them forever.
      const sent = files ?? asked.map(({ id }): SentFile => ({ id, kind: 'failed' }))
      const isSent = new Set(sent.map(({ id }) => id))
      request.asked = request.asked.filter(({ id }) => !isSent.has(id))
      await this.#take(request, { kind: 'files', files: sent }, process)
    }
    if (failure !== undefined) throw failure
    return request.outcome
  }
}

const lost = () => new LibraryProcessLost('The library process ended because of another request.')
