/** When a host that cannot be told now is told again. */
import type { ProviderFailure } from './provider.ts'

/** A failure that passes, and for how long it has been going on. */
export type Stopped = { readonly failure: ProviderFailure; readonly ageSeconds: number }

const BACKOFF_SECONDS_MAX = 300
const GIVE_UP_SECONDS = 86_400

/** Another try is of no use, or it has been going on for too long. */
export const isFinal = ({ retryAfterSeconds }: ProviderFailure, ageSeconds: number) =>
  retryAfterSeconds === undefined || ageSeconds > GIVE_UP_SECONDS

/** As long as the host asks for, and longer the longer it has been going on. */
export function retrySeconds({ failure, ageSeconds }: Stopped): number {
  const backoff = Math.min(BACKOFF_SECONDS_MAX, ageSeconds / 2)
  return Math.ceil(Math.max(1, failure.retryAfterSeconds ?? 0, backoff))
}
