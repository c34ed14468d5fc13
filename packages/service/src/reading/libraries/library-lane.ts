/**
 * The requests to one library process. Steps of different projects take turns, so a library that is
 * read slowly keeps no other from being asked. The process is started when it is needed.
 */
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import type { LaneLimits } from './lane-limits.ts'
import type { AskedFile, LibraryOutcome, LibraryStep, SentFile } from './library-messages.ts'
import { type LibraryProcess, ProcessMisused, startLibraryProcess } from './library-process.ts'

export type LaneRequest = {
  readonly projectId: string
  readonly step: LibraryStep
  readonly load: LoadFiles
}

/** Loads the first of the files, and as many more as are small enough to be sent with it. */
export type LoadFiles = (asked: readonly AskedFile[]) => Promise<readonly SentFile[]>

/** The process ended, but not because of this request: it can be repeated. */
export class LaneLost extends Error {}

type Request = {
  readonly projectId: string
  readonly id: number
  /** Files that it still waits for. */
  asked: readonly AskedFile[]
  outcome: LibraryOutcome | undefined
  cpuMs: number
  wake: () => void
}

export function createLibraryLane(limits: LaneLimits, onLost: () => void) {
  const turns = createFairQueue({ atOnce: 1, atOnceOfProject: 1 })
  const requests = new Map<number, Request>()
  let running: LibraryProcess | undefined
  let closes: string[] = []
  let count = 0

  function start(): LibraryProcess {
    const own = startLibraryProcess(limits, () => {
      if (running !== own) return
      running = undefined
      closes = []
      for (const { wake } of requests.values()) wake()
      onLost()
    })
    return own
  }

  /** One step in the process that the request began in. */
  async function take(request: Request, step: LibraryStep, begun?: LibraryProcess) {
    const { projectId, id } = request
    return turns(projectId, async () => {
      if (begun !== undefined && begun !== running) throw lost()
      running ??= start()
      const own = running
      const sent = { ...step, request: id, closes }
      closes = []
      const { asked, results, cpuMs } = await own.exchange(sent)
      request.cpuMs += cpuMs
      // Requests of one project may wait for the same file, so this step may be the last of another.
      for (const file of asked) {
        const other = requests.get(file.request)
        if (other !== undefined) other.asked = [...other.asked, file]
        other?.wake()
      }
      for (const result of results) {
        const other = requests.get(result.request)
        if (other !== undefined) other.outcome = result
        other?.wake()
      }
      return own
    })
  }

  async function finish(
    request: Request,
    process: LibraryProcess,
    load: LoadFiles,
  ): Promise<LibraryOutcome> {
    let failure: unknown
    while (request.outcome === undefined) {
      if (request.asked.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        request.wake = resolve
        if (running !== process) throw lost()
        await promise
        continue
      }
      if (request.cpuMs > limits.requestCpuMs)
        failure ??= new ProcessMisused('Reading the index takes too long.')
      const { asked } = request
      const files =
        failure === undefined
          ? await load(asked).catch((error: unknown) => {
              failure = error
            })
          : undefined
      // All of them fail then, so that nothing in the process waits for ever.
      const sent = files ?? asked.map(({ id }): SentFile => ({ id, kind: 'failed' }))
      const isSent = new Set(sent.map(({ id }) => id))
      request.asked = request.asked.filter(({ id }) => !isSent.has(id))
      await take(request, { kind: 'files', files: sent }, process)
    }
    if (failure !== undefined) throw failure
    return request.outcome
  }

  return {
    async request({ projectId, step, load }: LaneRequest): Promise<LibraryOutcome> {
      count += 1
      const request: Request = {
        projectId,
        id: count,
        asked: [],
        outcome: undefined,
        cpuMs: 0,
        wake: () => {},
      }
      requests.set(request.id, request)
      try {
        return await finish(request, await take(request, step), load)
      } finally {
        requests.delete(request.id)
      }
    },
    /** The process hears of it with the next step. */
    close(key: string): void {
      if (running !== undefined) closes.push(key)
    },
    /** Starts the process, so that the first request need not wait for it. */
    warm(): void {
      running ??= start()
    },
    stop: () => running?.stop(),
  }
}

const lost = () => new LaneLost('The library process ended because of another request.')
