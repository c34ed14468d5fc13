/** Decides when to retry a report after a Git host has failed. */
import type { ProviderFailure } from './provider.ts'

/** A temporary failure, and how long the report has been pending. */
export type Stopped = { readonly failure: ProviderFailure; readonly ageSeconds: number }

const BACKOFF_SECONDS_MAX = 300
const GIVE_UP_SECONDS = 86_400

/** Returns true if a retry cannot succeed, or if the report has been pending for too long. */
export const isFinal = ({ retryAfterSeconds }: ProviderFailure, ageSeconds: number) =>
  retryAfterSeconds === undefined || ageSeconds > GIVE_UP_SECONDS

/**
 * Returns the delay before the retry: at least as long as the host asks for, and longer for older
 * reports.
 */
export function retrySeconds({ failure, ageSeconds }: Stopped): number {
  const backoff = Math.min(BACKOFF_SECONDS_MAX, ageSeconds / 2)
  return Math.ceil(Math.max(1, failure.retryAfterSeconds ?? 0, backoff))
}
