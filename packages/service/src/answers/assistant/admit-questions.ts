/**
 * Decides in memory which questions are admitted, before the database is queried: rejecting a flood
 * must cost almost nothing, because the readers of all sites share the process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSISTANT_LIMITS } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import { Tally } from '../../platform/limits/tally.ts'
import { Problem } from '../../platform/problem.ts'

const REFUSED_MAX = 50_000
/**
 * Short, because a project's limit may be lifted at any moment, for example when its owner raises
 * it.
 */
const PROJECT_REFUSED_MS = 10_000

export class Admission {
  readonly #running = new Set<Promise<void>>()
  readonly #ofProjects = new Tally()
  readonly #refused: LRUCache<string, Problem>

  constructor(now: () => number) {
    this.#refused = new LRUCache({ max: REFUSED_MAX, perf: { now } })
  }

  /**
   * Runs the work for a question, or throws if too many are being answered. A project may hold at
   * most as many places as are still free, so that no number of busy projects takes the last place.
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

  /** Throws the problem that the project or the ticket was refused with before. */
  check(id: string): void {
    const problem = this.#refused.get(id)
    if (problem !== undefined) throw problem
  }

  refuseProject(projectId: string): Problem {
    const problem = new Problem(
      'rate-limited',
      'This site has reached its question limit. Try again later.',
      { headers: { 'retry-after': '60' } },
    )
    this.#refused.set(projectId, problem, { ttl: PROJECT_REFUSED_MS })
    return problem
  }

  /** A used-up ticket stays refused until it expires. */
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
 * Delays a refusal by one second. A client that retries as soon as it is refused would otherwise
 * keep the process busy; a reader does not notice the delay.
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
