/**
 * Limits the memory for buffered request bodies. Chunked bodies are rejected, so the length is
 * always known from the header, and a body that does not fit is rejected before any of it is read.
 */

import { networkOf } from '../limits/network-of.ts'
import { Tally } from '../limits/tally.ts'
import { Problem } from '../problem.ts'

export const BODY_LIMITS = {
  /**
   * The maximum size of an anonymous caller's body. Bodies up to this size do not count toward the
   * limits below.
   */
  anonymousBytes: 16 * 1024,
  /**
   * The maximum total size of bodies that are buffered at once: from one IPv4 address or IPv6 /64,
   * and from all clients.
   */
  addressBytes: 64 * 1024 * 1024,
  processBytes: 128 * 1024 * 1024,
  /**
   * The time that any body may take to arrive. Larger bodies get more time, at the transfer rate
   * below.
   */
  arrivalMs: 10_000,
  bytesPerMsMin: 64,
} as const

export type BodyBudget = {
  /**
   * Reserves memory for a body until `release` is called. Returns a problem if not enough is left.
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

/** Returns the time in which a body of this size has to arrive. */
export const arrivalMsOf = (bytes: number) =>
  BODY_LIMITS.arrivalMs + Math.ceil(bytes / BODY_LIMITS.bytesPerMsMin)
