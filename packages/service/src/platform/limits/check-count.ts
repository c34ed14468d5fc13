import { Problem } from '../problem.ts'

/** All limits count in windows of this length. */
export const WINDOW_SECONDS = 3_600

type Count = {
  /** What is counted, as the headers name it. */
  readonly name: string
  readonly perHour: number
  readonly used: number
  /** Until the window is over. */
  readonly secondsLeft: number
}

/** Gives the headers that tell of a limit; throws with them and `detail` when there were too many. */
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
