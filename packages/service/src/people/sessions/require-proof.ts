import type { SignedIn } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import { isRecent } from './sessions.ts'

const PROOF_MINUTES = 15

/** What routes that ask for it say of themselves. */
export const PROOF_NEEDED = `Needs a sign-in in a browser within the last ${PROOF_MINUTES} minutes.`

/** The first way back in needs no proof: without one, the person could not sign in again to give it. */
export function requireProofOrNoWayBack(person: SignedIn, now: number): void {
  if (!(person.kind === 'browser' && person.mustKeepAccess)) requireProof(person, now)
}

/** For what cannot be taken back: who takes over a session must not be able to stay, or to destroy. */
export function requireProof(person: SignedIn, now: number): void {
  if (person.kind === 'browser' && isRecent(person, PROOF_MINUTES, now)) return
  throw new Problem(
    'sign-in-again',
    `Sign in again in a browser, at /sign-in?again: this needs a sign-in within the last ${PROOF_MINUTES} minutes.`,
  )
}
