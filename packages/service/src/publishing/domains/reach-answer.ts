/**
 * Lets the service check whether a domain leads to it: it requests a path with a nonce from the
 * domain, and only its own processes can create the expected response.
 */
import { randomBytes } from 'node:crypto'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

const REACH_PATH = '/.well-known/octavo/'
const NONCE = /^[\da-f]{32}$/

export const createNonce = () => randomBytes(16).toString('hex')

export const reachPathOf = (nonce: string) => REACH_PATH + nonce

/** Returns the nonce in a request path; undefined for other paths. */
export function nonceOf(path: string): string | undefined {
  if (!path.startsWith(REACH_PATH)) return undefined
  const nonce = path.slice(REACH_PATH.length)
  return NONCE.test(nonce) ? nonce : undefined
}

/** Returns the expected response. It is the same in all processes with the same pepper. */
export const reachResponse = (pepper: PepperRing, { name, nonce }: ReachChallenge) =>
  pepper.sign('domain reach', `${name} ${nonce}`)

export const isReachResponse = (
  pepper: PepperRing,
  { name, nonce }: ReachChallenge,
  answer: string,
) => pepper.verify('domain reach', { text: `${name} ${nonce}`, signature: answer.trim() })

type ReachChallenge = { readonly name: string; readonly nonce: string }
