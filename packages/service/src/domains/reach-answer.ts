/** How the service recognises itself: it asks a domain for a nonce, and only its own hosts know the answer. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const REACH_PATH = '/.well-known/octavo/'
const NONCE = /^[\da-f]{32}$/

export const createNonce = () => randomBytes(16).toString('hex')

export const reachPathOf = (nonce: string) => REACH_PATH + nonce

/** The nonce that a path asks for, if any. */
export function nonceOf(path: string): string | undefined {
  if (!path.startsWith(REACH_PATH)) return undefined
  const nonce = path.slice(REACH_PATH.length)
  return NONCE.test(nonce) ? nonce : undefined
}

/** Every process with the same pepper gives the same answer, whichever of them is asked. */
export const reachAnswer = (
  pepper: string,
  { name, nonce }: { readonly name: string; readonly nonce: string },
) => createHmac('sha256', pepper).update(`octavo domain ${name} ${nonce}`).digest('hex')

export function isReachAnswer(expected: string, answer: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(answer.trim())]
  return a.length === b.length && timingSafeEqual(a, b)
}
