import type { SignedIn } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import { isRecent } from './sessions.ts'

const PROOF_MINUTES = 15

/** A sentence for the descriptions of routes that require a recent sign-in. */
export const RECENT_SIGN_IN_NEEDED = `Needs a sign-in in a browser within the last ${PROOF_MINUTES} minutes.`

/**
 * Requires a recent sign-in, except from a person who has no sign-in method yet and therefore
 * cannot sign in again.
 */
export function requireRecentSignInIfPossible(person: SignedIn, now: number): void {
  if (!(person.kind === 'browser' && person.mustKeepAccess)) requireRecentSignIn(person, now)
}

/**
 * Guards irreversible actions: an attacker with a stolen session must not be able to add
 * credentials or delete data.
 */
export function requireRecentSignIn(person: SignedIn, now: number): void {
  if (person.kind === 'browser' && isRecent(person, PROOF_MINUTES, now)) return
  throw new Problem(
    'sign-in-again',
    `Sign in again in a browser, at /sign-in?again: this needs a sign-in within the last ${PROOF_MINUTES} minutes.`,
  )
}
