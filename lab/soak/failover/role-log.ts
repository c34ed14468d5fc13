/**
 * Records the results of one client role: successes, failures by kind, and the longest time without
 * a success.
 */

export type RoleReport = {
  readonly name: string
  readonly successes: number
  /** The longest time between two successes of any client of the role. */
  readonly longestGapMs: number
  /** The longest request, whatever its outcome. */
  readonly slowestMs: number
  readonly failures: ReadonlyMap<string, number>
}

export type RoleLog = {
  readonly succeed: (ms: number) => void
  readonly fail: (kind: string, ms: number) => void
  /**
   * Records an error response of the API or of a site. Only 503 with `Retry-After` is acceptable.
   */
  readonly refuse: (reply: Refusal, ms: number) => void
  readonly report: () => RoleReport
}

type Refusal = {
  readonly status: number | string
  readonly retryAfter: string | null | undefined
}

export const ACCEPTED_REFUSAL = '503 with Retry-After'

export function createRoleLog(name: string): RoleLog {
  const failures = new Map<string, number>()
  let successes = 0
  let longestGapMs = 0
  let slowestMs = 0
  let lastAt: number | undefined

  function fail(kind: string, ms: number): void {
    failures.set(kind, (failures.get(kind) ?? 0) + 1)
    slowestMs = Math.max(slowestMs, ms)
  }
  return {
    succeed(ms) {
      const now = performance.now()
      if (lastAt !== undefined) longestGapMs = Math.max(longestGapMs, now - lastAt)
      lastAt = now
      successes += 1
      slowestMs = Math.max(slowestMs, ms)
    },
    fail,
    refuse({ status, retryAfter }, ms) {
      const isHonest = String(status) === '503' && retryAfter
      fail(isHonest ? ACCEPTED_REFUSAL : `${status}${retryAfter ? ' with Retry-After' : ''}`, ms)
    },
    report: () => ({ name, successes, longestGapMs, slowestMs, failures }),
  }
}
