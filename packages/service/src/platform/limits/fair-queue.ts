import { Tally } from './tally.ts'

/**
 * Work of many projects that waits for a place: so much at once in all, so much of one project, and
 * projects take turns, so that the first question of one does not wait behind two hundred of another.
 * Two pieces of work never start in the same round of the event loop: the process answers requests for
 * pages too, and they come in between.
 */
export type FairQueue = <Result>(
  projectId: string,
  work: () => Promise<Result>,
  /** What it takes of `atOnce`; one, if it is not given. */
  size?: number,
) => Promise<Result>

export type FairQueueOptions = {
  /** In pieces of work, or in another unit that each says its size in. */
  readonly atOnce: number
  readonly atOnceOfProject: number
  /** Pieces of work of one project that wait. Without it, any number. */
  readonly waitingOfProjectMax?: number
  /** Between two starts, so that the processor has time for the rest; a single one never waits. */
  readonly everyMs?: number
}

/** Thrown when too much work of one project waits already. */
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
      // What waits for its own project is started when that one has a place again.
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
      // Smaller work does not overtake it, or it might wait for ever.
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
    // Larger work than has place at all is started when nothing else of its project runs.
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
