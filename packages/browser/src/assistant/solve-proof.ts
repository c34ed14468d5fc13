/**
 * Solves the proof of work that a site requires before the first question, and is only loaded then.
 * Hashes are computed asynchronously, off the main thread, so the page stays responsive.
 */
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/sha'

export async function solveProof(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('The challenge was not solved in time.')
  return solution
}
