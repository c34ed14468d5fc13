import { LRUCache } from 'lru-cache'
import { checkCount, WINDOW_SECONDS } from './check-count.ts'
import { networkOf } from './network-of.ts'

/**
 * Counts one request under a key, such as a project or an address. Returns the rate limit headers;
 * throws if the limit is exceeded.
 */
export type RateLimit = (key: string) => Readonly<Record<string, string>>

export type RateLimitOptions = {
  /** The kind of key that requests are counted by; `project` by default. */
  readonly of?: 'project' | 'address'
  /** The message for rejected requests. */
  readonly detail?: string
}

const TRACKED_MAX = 100_000
const NAMES = { project: 'project', address: 'IP address' }

/**
 * Limits the requests per hour under each key, counted in fixed windows in this process. It is for
 * cheap reads, which each process may count on its own. A full table evicts only the least recently
 * seen key.
 */
export function createRateLimit(
  perHour: number,
  now: () => number,
  { of: name = 'project', detail }: RateLimitOptions = {},
): RateLimit {
  const counts = new LRUCache<string, { readonly endsAt: number; used: number }>({
    // Limited by size, because `max` would allocate memory for all entries at startup.
    maxSize: TRACKED_MAX,
    sizeCalculation: () => 1,
  })
  const refusal =
    detail ??
    `The rate limit of ${perHour} requests per hour and ${NAMES[name]} is exceeded. Try again later.`
  return (key) => {
    const known = counts.get(key)
    const current =
      known !== undefined && known.endsAt > now()
        ? known
        : { endsAt: now() + WINDOW_SECONDS * 1_000, used: 0 }
    if (known !== current) counts.set(key, current)
    current.used += 1
    const secondsLeft = Math.max(1, Math.ceil((current.endsAt - now()) / 1_000))
    return checkCount({ name, perHour, used: current.used, secondsLeft }, refusal)
  }
}

const ANONYMOUS_PER_HOUR = 3_600

/**
 * Limits anonymous requests before their bodies are read. The limit is generous: a whole office, or
 * all jobs of a CI provider, may share one address. Actions that could be used for guessing have
 * their own limits.
 */
export function createAnonymousLimit(now: () => number) {
  const count = createRateLimit(ANONYMOUS_PER_HOUR, now, { of: 'address' })
  return (clientAddress: string | undefined): void => {
    count(networkOf(clientAddress))
  }
}
