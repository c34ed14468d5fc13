import { Problem } from '../problem.ts'

/** The length of the time window of every limit. */
export const WINDOW_SECONDS = 3_600

type Count = {
  /** The name of the limit in the headers. */
  readonly name: string
  readonly perHour: number
  readonly used: number
  /** Seconds until the window ends. */
  readonly secondsLeft: number
}

/**
 * Returns the rate limit headers. If the limit is exceeded, throws a problem with these headers and
 * `detail`.
 */
export function checkCount(
  { name, perHour, used, secondsLeft }: Count,
  detail: string,
): Readonly<Record<string, string>> {
  const headers = {
    'ratelimit-policy': `"${name}";q=${perHour};w=${WINDOW_SECONDS}`,
    ratelimit: `"${name}";r=${Math.max(0, perHour - used)};t=${secondsLeft}`,
  }
  if (used <= perHour) return headers
  throw new Problem('rate-limited', detail, {
    headers: { ...headers, 'retry-after': String(secondsLeft) },
  })
}
