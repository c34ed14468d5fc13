import { LRUCache } from 'lru-cache'
import { checkCount, WINDOW_SECONDS } from './check-count.ts'
import { networkOf } from './network-of.ts'

/** Counts one request of a key. Gives the headers to answer with; throws when there are no turns left. */
export type RateLimit = (key: string) => Readonly<Record<string, string>>

export type RateLimitOptions = {
  /** Whose requests are counted; those of a project if it is not given. */
  readonly of?: 'project' | 'address'
  /** What those who are refused read. */
  readonly detail?: string
}

const TRACKED_MAX = 100_000
const NAMES = { project: 'project', address: 'IP address' }

/**
 * So many requests of one key an hour, counted in fixed windows in this process: for cheap reads, where
 * each process may count for itself. A full table forgets who asked longest ago, and no one else.
 */
export function createRateLimit(
  perHour: number,
  now: () => number,
  { of: name = 'project', detail }: RateLimitOptions = {},
): RateLimit {
  const counts = new LRUCache<string, { readonly endsAt: number; used: number }>({
    // By size, because `max` reserves room for all of them when the service starts.
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
 * For requests without a credential, before their bodies are read. It is generous: a whole office, or
 * all jobs of a CI provider, may have one address. What is worth guessing has limits of its own.
 */
export function createAnonymousLimit(now: () => number) {
  const count = createRateLimit(ANONYMOUS_PER_HOUR, now, { of: 'address' })
  return (clientAddress: string | undefined): void => {
    count(networkOf(clientAddress))
  }
}
