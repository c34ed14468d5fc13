import { Tally } from './tally.ts'

/**
 * Runs the work of many projects with a total limit and a limit per project. Projects take turns,
 * so that the first question of one project does not wait behind two hundred questions of another.
 * Two pieces of work never start in the same event loop turn, so that the process can serve page
 * requests in between.
 */
export type FairQueue = <Result>(
  projectId: string,
  work: () => Promise<Result>,
  /** How much of the capacity `atOnce` the work uses; 1 by default. */
  size?: number,
) => Promise<Result>

export type FairQueueOptions = {
  /** The maximum number of concurrent pieces of work, or the maximum sum of their sizes. */
  readonly atOnce: number
  readonly atOnceOfProject: number
  /** The maximum number of waiting pieces of work of one project; unlimited by default. */
  readonly waitingOfProjectMax?: number
  /**
   * The average interval between two starts, which leaves processor time for other work. Work
   * starts at once if nothing has started within the last interval.
   */
  readonly everyMs?: number
  /** How many pieces of work may start before their interval is over, after a pause. */
  readonly burst?: number
}

/** Thrown if too much work of one project is already waiting. */
export class QueueFullError extends Error {
  constructor() {
    super('Too many requests for this project are waiting.')
    this.name = 'QueueFullError'
  }
}

type Waiting = { readonly start: () => void; readonly size: number }

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceOfProject, waitingOfProjectMax = Infinity } = options
  const { everyMs = 0, burst = 0 } = options
  /** The waiting work of each project, in the order in which the projects take turns. */
  const waiting = new Map<string, Waiting[]>()
  const running = new Tally()
  let isPlanned = false
  /** When the next piece of work would start if the intervals were exact. */
  let dueAt = Number.NEGATIVE_INFINITY

  function plan(): void {
    if (isPlanned || waiting.size === 0 || running.total >= atOnce) return
    isPlanned = true
    const waitMs = dueAt - burst * everyMs - performance.now()
    const next = () => {
      isPlanned = false
      // If no work can start yet, `plan` is called again when running work ends.
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
      // Does not start smaller work instead, because the larger work might then wait forever.
      if (running.total + next.size > atOnce) return false
      waiting.delete(projectId)
      line.shift()
      if (line.length > 0) waiting.set(projectId, line)
      running.add(projectId, next.size)
      dueAt = Math.max(dueAt, performance.now()) + everyMs
      next.start()
      return true
    }
    return false
  }

  return async (projectId, work, wanted = 1) => {
    const line = waiting.get(projectId) ?? []
    if (line.length >= waitingOfProjectMax) throw new QueueFullError()
    // Work that is larger than a limit counts as exactly that limit, so that it can start at all.
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
