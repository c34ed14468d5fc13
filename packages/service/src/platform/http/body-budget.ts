/**
 * Limits the memory for request bodies that are buffered. Their length is known from the header
 * (chunked bodies are rejected), so a body that does not fit is rejected before any of it is read.
 */

import { networkOf } from '../limits/network-of.ts'
import { Tally } from '../limits/tally.ts'
import { Problem } from '../problem.ts'

export const BODY_LIMITS = {
  /** The limit for anonymous callers. Smaller bodies do not count toward the limits below. */
  anonymousBytes: 16 * 1024,
  /**
   * Limits for concurrently buffered bodies: of one IPv4 address or IPv6 /64, and of all clients.
   */
  addressBytes: 64 * 1024 * 1024,
  processBytes: 128 * 1024 * 1024,
  /** The time a body may take to arrive, plus the lowest accepted transfer rate. */
  arrivalMs: 10_000,
  bytesPerMsMin: 64,
} as const

export type BodyBudget = {
  /**
   * Reserves memory for a body until `release` is called; returns a problem if there is not enough.
   */
  readonly hold: (bytes: number, address: string | undefined) => HeldBody | Problem
}

type HeldBody = { readonly release: () => void }

export function createBodyBudget(): BodyBudget {
  const held = new Tally()

  return {
    hold(bytes, address) {
      if (bytes <= BODY_LIMITS.anonymousBytes) return UNCOUNTED
      const network = networkOf(address)
      if (held.of(network) + bytes > BODY_LIMITS.addressBytes)
        return new Problem(
          'rate-limited',
          'Too many large request bodies from this IP address at once. Try again later.',
          RETRY,
        )
      if (held.total + bytes > BODY_LIMITS.processBytes)
        return new Problem(
          'unavailable',
          'Too many large request bodies at once. Try again later.',
          RETRY,
        )
      held.add(network, bytes)
      return { release: () => held.add(network, -bytes) }
    },
  }
}

const UNCOUNTED: HeldBody = { release: () => {} }
const RETRY = { headers: { 'retry-after': '10' } }

/** Returns the time in which a body has to arrive. */
export const arrivalMsOf = (bytes: number) =>
  BODY_LIMITS.arrivalMs + Math.ceil(bytes / BODY_LIMITS.bytesPerMsMin)
