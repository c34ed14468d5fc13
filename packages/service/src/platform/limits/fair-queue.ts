import { Tally } from './tally.ts'

/**
 * Queues the work of many projects: with a limit in total and per project, and projects take turns,
 * so that the first question of one does not wait behind two hundred of another. Two pieces of work
 * never start in the same event loop turn, so that the process can serve page requests in between.
 */
export type FairQueue = <Result>(
  projectId: string,
  work: () => Promise<Result>,
  /** The part of `atOnce` that the work uses; 1 by default. */
  size?: number,
) => Promise<Result>

export type FairQueueOptions = {
  /** The number of concurrent pieces of work, or the sum of their sizes. */
  readonly atOnce: number
  readonly atOnceOfProject: number
  /** The number of pieces of work of one project that may wait; unlimited by default. */
  readonly waitingOfProjectMax?: number
  /**
   * The interval between two starts, so that the processor has time for other work; a single one
   * never waits.
   */
  readonly everyMs?: number
}

/** Thrown if too much work of one project is already waiting. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much work of this project is waiting.')
    this.name = 'QueueFullError'
  }
}

type Waiting = { readonly start: () => void; readonly size: number }

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceOfProject, waitingOfProjectMax = Infinity, everyMs = 0 } = options
  /** In the order in which projects take turns. */
  const waiting = new Map<string, Waiting[]>()
  const running = new Tally()
  let isPlanned = false
  let startedAt = Number.NEGATIVE_INFINITY

  function plan(): void {
    if (isPlanned || waiting.size === 0 || running.total >= atOnce) return
    isPlanned = true
    const waitMs = startedAt + everyMs - performance.now()
    const next = () => {
      isPlanned = false
      // Work that waits for its own project starts when that project has capacity again.
      if (startNext()) plan()
    }
    if (waitMs > 0) setTimeout(next, waitMs)
    else setImmediate(next)
  }

  function startNext(): boolean {
    for (const [projectId, line] of waiting) {
      const [next] = line
      if (next === undefined) continue
      if (running.of(projectId) + next.size > atOnceOfProject) continue
      // Smaller work must not overtake it, or it might wait forever.
      if (running.total + next.size > atOnce) return false
      waiting.delete(projectId)
      line.shift()
      if (line.length > 0) waiting.set(projectId, line)
      running.add(projectId, next.size)
      startedAt = performance.now()
      next.start()
      return true
    }
    return false
  }

  return async (projectId, work, wanted = 1) => {
    const line = waiting.get(projectId) ?? []
    if (line.length >= waitingOfProjectMax) throw new QueueFullError()
    // Work that is larger than the limit starts when no other work of its project is running.
    const size = Math.min(wanted, atOnce, atOnceOfProject)
    const { promise: place, resolve: start } = Promise.withResolvers<void>()
    line.push({ start, size })
    waiting.set(projectId, line)
    plan()
    await place
    try {
      return await work()
    } finally {
      running.add(projectId, -size)
      plan()
    }
  }
}
