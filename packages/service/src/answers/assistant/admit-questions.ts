/**
 * Decides in memory which questions are admitted, before the database is queried. Rejecting a flood
 * of questions must cost almost nothing, because all sites share the process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import { Tally } from '../../platform/limits/tally.ts'
import { Problem } from '../../platform/problem.ts'

const REFUSED_MAX = 50_000
/** A short time, because the project may be allowed to ask again at any moment. */
const PROJECT_REFUSED_MS = 10_000

export class Admission {
  readonly #running = new Set<Promise<void>>()
  readonly #ofProjects = new Tally()
  readonly #refused: LRUCache<string, Problem>

  constructor(now: () => number) {
    this.#refused = new LRUCache({ max: REFUSED_MAX, perf: { now } })
  }

  /**
   * Runs the work for a question, or throws a problem if too many questions are being answered. A
   * project may use at most as many places as are still free, so the last place is never taken,
   * however many projects are busy.
   */
  async run(projectId: string, work: () => Promise<void>): Promise<void> {
    const places = ASSISTANT_LIMITS.answersAtOnce - this.#ofProjects.total
    if (this.#ofProjects.of(projectId) >= places)
      throw new Problem('unavailable', 'Too many questions at the same time. Try again later.', {
        headers: { 'retry-after': '5' },
      })
    this.#ofProjects.add(projectId, 1)
    const one = work()
    this.#running.add(one)
    try {
      await one
    } finally {
      this.#running.delete(one)
      this.#ofProjects.add(projectId, -1)
    }
  }

  /** Throws a problem if this project or ticket was refused recently. */
  check(id: string): void {
    const problem = this.#refused.get(id)
    if (problem !== undefined) throw problem
  }

  refuseProject(projectId: string): Problem {
    const problem = new Problem(
      'rate-limited',
      'This site has reached its limit of questions. Try again later.',
      { headers: { 'retry-after': '60' } },
    )
    this.#refused.set(projectId, problem, { ttl: PROJECT_REFUSED_MS })
    return problem
  }

  /** Refuses all further questions of a used-up ticket until it expires. */
  refuseTicket(ticketId: string): Problem {
    const problem = new Problem(
      'invalid-ticket',
      'This ticket has no questions left. Get a new one.',
      { param: 'ticket' },
    )
    this.#refused.set(ticketId, problem, { ttl: ASSISTANT_LIMITS.ticketMs })
    return problem
  }

  running(): number {
    return this.#running.size
  }

  /** Waits until no question is being answered. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}

const LATE_MS = 1_000
const DELAYED_REFUSALS_MAX = 2_000

/**
 * Delays the rejection of a request by one second. Otherwise, a client that retries immediately
 * would keep the process busy. Readers do not notice the delay.
 */
export function createRejectionDelay() {
  let waiting = 0
  return async (): Promise<void> => {
    if (waiting >= DELAYED_REFUSALS_MAX) return
    waiting += 1
    await sleep(LATE_MS)
    waiting -= 1
  }
}
