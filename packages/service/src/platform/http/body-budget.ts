/**
 * Memory for the bodies of requests that are read as a whole. Their length is announced (bodies in
 * chunks are refused), so that what does not fit is refused before a byte of it is read.
 */

import { networkOf } from '../limits/network-of.ts'
import { Tally } from '../limits/tally.ts'
import { Problem } from '../problem.ts'

export const BODY_LIMITS = {
  /** For callers that nothing is known of. Smaller bodies are not counted below. */
  anonymousBytes: 16 * 1024,
  /** Bodies that are held at once, of one IPv4 address or IPv6 /64, and of all clients. */
  addressBytes: 64 * 1024 * 1024,
  processBytes: 128 * 1024 * 1024,
  /** How long a body may take to arrive, and how much longer for each of its bytes. */
  arrivalMs: 10_000,
  bytesPerMsMin: 64,
} as const

export type BodyBudget = {
  /** Counts a body until `release` is called; a problem if there is no room for it. */
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

/** Until when a body has to be there. */
export const arrivalMsOf = (bytes: number) =>
  BODY_LIMITS.arrivalMs + Math.ceil(bytes / BODY_LIMITS.bytesPerMsMin)
