import { LRUCache } from 'lru-cache'
import { Problem } from '../problem.ts'
import { networkOf } from './network-of.ts'

export type RateLimit = (key: string) => Readonly<Record<string, string>>

const WINDOW_SECONDS = 3_600
const TRACKED_MAX = 100_000
const NAMES = { project: 'project', address: 'IP address' }

/**
 * So many requests of one project an hour, counted in fixed windows in this process: for cheap
 * reads, where each process may count for itself. Gives the headers to answer with; throws when
 * there are no turns left. A full table forgets who asked longest ago, and nobody else.
 */
export function createRateLimit(
  requestsPerHour: number,
  now: () => number,
  /** Whose requests are counted. */
  of: 'project' | 'address' = 'project',
): RateLimit {
  const counts = new LRUCache<string, { readonly endsAt: number; used: number }>({
    // By size, because `max` reserves room for all of them when the service starts.
    maxSize: TRACKED_MAX,
    sizeCalculation: () => 1,
  })
  return (key) => {
    const known = counts.get(key)
    const current =
      known !== undefined && known.endsAt > now()
        ? known
        : { endsAt: now() + WINDOW_SECONDS * 1_000, used: 0 }
    if (known !== current) counts.set(key, current)
    current.used += 1
    const left = Math.max(0, requestsPerHour - current.used)
    const seconds = Math.max(1, Math.ceil((current.endsAt - now()) / 1_000))
    const headers = {
      'ratelimit-policy': `"${of}";q=${requestsPerHour};w=${WINDOW_SECONDS}`,
      ratelimit: `"${of}";r=${left};t=${seconds}`,
    }
    if (current.used <= requestsPerHour) return headers
    throw new Problem(
      'rate-limited',
      `The rate limit of ${requestsPerHour} requests per hour and ${NAMES[of]} is exceeded. Try again later.`,
      {
        headers: { ...headers, 'retry-after': String(seconds) },
      },
    )
  }
}

const ANONYMOUS_PER_HOUR = 3_600

/**
 * For requests without a credential, before their bodies are read. It is generous: a whole office, or
 * all jobs of a CI provider, may have one address. What is worth guessing has limits of its own.
 */
export function createAnonymousLimit(now: () => number) {
  const count = createRateLimit(ANONYMOUS_PER_HOUR, now, 'address')
  return (clientAddress: string | undefined): void => {
    count(networkOf(clientAddress))
  }
}
