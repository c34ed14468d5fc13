import { LRUCache } from 'lru-cache'
import { REFUSED_MS, SUSPECTED_MS } from './lane-limits.ts'

const PROJECTS_MAX = 10_000

/**
 * Tracks projects whose libraries crashed a process. Each time, they are refused for longer,
 * because the other libraries of that process must be opened again. All deployments of the project
 * are refused, since a new deployment is easy to create.
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
     * Records that a process ended while it worked for this project, which may be a coincidence the
     * first time. The second time, the project is refused and the function returns true.
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
