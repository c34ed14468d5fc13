import { LRUCache } from 'lru-cache'
import { REFUSED_MS, SUSPECTED_MS } from './lane-limits.ts'

const PROJECTS_MAX = 10_000

/**
 * Tracks projects whose libraries crashed a process. They are refused for longer each time, because
 * other libraries of that process had to be reopened. The whole project is refused, since a new
 * deployment is quickly made.
 */
export function createRefusals(now: () => number) {
  const refused = new LRUCache<string, { readonly until: number; readonly times: number }>({
    max: PROJECTS_MAX,
    ttl: 2 * REFUSED_MS.most,
    perf: { now },
  })
  const suspected = new LRUCache<string, true>({
    max: PROJECTS_MAX,
    ttl: SUSPECTED_MS,
    perf: { now },
  })

  function add(projectId: string): void {
    const times = (refused.get(projectId)?.times ?? 0) + 1
    const { first, factor, most } = REFUSED_MS
    const ms = Math.min(most, first * factor ** (times - 1))
    refused.set(projectId, { until: now() + ms, times })
  }

  return {
    isRefused: (projectId: string): boolean => (refused.get(projectId)?.until ?? 0) > now(),
    add,
    /**
     * Called with the project that a process worked for when it ended. That may be a coincidence,
     * so only the second time counts. Returns true if the project is now refused.
     */
    suspect(projectId: string): boolean {
      const isSuspected = suspected.has(projectId)
      suspected.set(projectId, true)
      if (isSuspected) add(projectId)
      return isSuspected
    },
  }
}
export type Refusals = ReturnType<typeof createRefusals>
