/**
 * Work of many projects that waits for a place: so much at once in all, so much of one project, and
 * projects take turns, so that the first question of one does not wait behind two hundred of another.
 * Two pieces of work never start in the same round of the event loop: the process answers requests for
 * pages too, and they come in between.
 */
export type FairQueue = <Result>(projectId: string, work: () => Promise<Result>) => Promise<Result>

export type FairQueueOptions = {
  readonly atOnce: number
  readonly atOnceOfProject: number
  /** Between two starts, so that the processor has time for the rest; a single one never waits. */
  readonly everyMs?: number
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { atOnce, atOnceOfProject, everyMs = 0 } = options
  /** In the order in which projects take turns. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let total = 0
  let isPlanned = false
  let startedAt = Number.NEGATIVE_INFINITY

  function plan(): void {
    if (isPlanned || waiting.size === 0 || total >= atOnce) return
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
    for (const [projectId, starts] of waiting) {
      if ((running.get(projectId) ?? 0) >= atOnceOfProject) continue
      waiting.delete(projectId)
      const start = starts.shift()
      if (starts.length > 0) waiting.set(projectId, starts)
      count(projectId, 1)
      startedAt = performance.now()
      start?.()
      return true
    }
    return false
  }

  function count(projectId: string, change: 1 | -1): void {
    total += change
    const ofProject = (running.get(projectId) ?? 0) + change
    if (ofProject === 0) running.delete(projectId)
    else running.set(projectId, ofProject)
  }

  return async (projectId, work) => {
    const { promise: place, resolve: start } = Promise.withResolvers<void>()
    const starts = waiting.get(projectId) ?? []
    starts.push(start)
    waiting.set(projectId, starts)
    plan()
    await place
    try {
      return await work()
    } finally {
      count(projectId, -1)
      plan()
    }
  }
}
