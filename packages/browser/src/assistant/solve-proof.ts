/**
 * Does the work that a site asks for before the first question; loaded only then. Hashes are computed
 * outside of the thread of the page, and each is waited for, so the page stays usable.
 */
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/sha'

export async function solveProof(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The challenge was not solved in time.')
  return solution
}
