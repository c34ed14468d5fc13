/** Counts requests and sent bytes per project, and stores them once a minute. */
import type { Database } from '../../platform/database/database.ts'

const FLUSH_MS = 60_000

export type Traffic = {
  readonly count: (projectId: string, bytes: number) => void
  readonly flush: () => Promise<void>
  readonly start: () => void
  /** Stops the timer and stores the remaining counts. */
  readonly stop: () => Promise<void>
}

export function createTraffic(database: Database, onError: (error: unknown) => void): Traffic {
  let counts = new Map<string, { requests: number; bytes: number }>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const reported = counts
    counts = new Map()
    try {
      await database.query('select add_traffic($1::bigint[], $2::bigint[], $3::bigint[])', [
        [...reported.keys()],
        [...reported.values()].map(({ requests }) => requests),
        [...reported.values()].map(({ bytes }) => bytes),
      ])
    } catch (error) {
      // The counts are stored with the next attempt.
      for (const [projectId, { requests, bytes }] of reported) add(projectId, requests, bytes)
      onError(error)
    }
  }

  function add(projectId: string, requests: number, bytes: number): void {
    const known = counts.get(projectId)
    if (known === undefined) counts.set(projectId, { requests, bytes })
    else {
      known.requests += requests
      known.bytes += bytes
    }
  }

  return {
    count: (projectId, bytes) => add(projectId, 1, bytes),
    flush,
    start: () => {
      timer = setInterval(flush, FLUSH_MS)
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
