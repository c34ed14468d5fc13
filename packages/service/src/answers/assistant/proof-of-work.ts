/**
 * Proof of work, if the owner requires it: a page computes for about a second before it gets a
 * ticket, so that thousands of tickets are expensive. A challenge is signed and contains the site,
 * so it does not have to be stored until it is solved. Each challenge is valid for one ticket.
 */
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { z } from 'zod'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { tryAction } from '../../platform/limits/hourly-limit.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

export const PROOF_LIMITS = {
  /** The time in which a challenge has to be solved. */
  solveMs: 10 * 60_000,
  /**
   * The page tries this many numbers, with several hashes each: 20,000 to 40,000 hashes in total.
   * The service computes the hashes of only one number.
   */
  triesMin: 2_000,
  triesMax: 4_000,
  hashesPerTry: 10,
} as const

const ALGORITHM = 'SHA-256'

const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))

export const ProofBody = z.strictObject({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal(ALGORITHM),
      cost: z.number(),
      data: z.strictObject({ site: z.string().max(200) }),
      expiresAt: z.number(),
      keyLength: z.number(),
      keyPrefix: hex(32),
      keySignature: hex(64),
      nonce: hex(32),
      salt: hex(32),
    }),
    signature: hex(64),
  }),
  solution: z.strictObject({
    counter: z.number(),
    derivedKey: hex(64),
    time: z.number().default(0),
  }),
})
export type Proof = z.infer<typeof ProofBody>

export function createProofs(pepper: PepperRing, now: () => number) {
  const solutionKeys = pepper.derive('assistant solution')
  const secrets = pepper.derive('assistant challenge').map((key, index) => ({
    hmacSignatureSecret: key.toString('hex'),
    hmacKeySignatureSecret: solutionKeys[index]?.toString('hex') ?? '',
  }))
  const [current] = secrets
  if (current === undefined) throw new Error('there is no key to sign challenges with')
  const { solveMs, triesMin, triesMax, hashesPerTry } = PROOF_LIMITS

  async function isSolved(proof: Proof): Promise<boolean> {
    for (const keys of secrets)
      if ((await verifySolution({ ...keys, ...proof, deriveKey })).verified) return true
    return false
  }

  return {
    challenge: (site: string): Promise<Challenge> =>
      createChallenge({
        ...current,
        algorithm: ALGORITHM,
        cost: hashesPerTry,
        counter: randomInt(triesMax, triesMin),
        deriveKey,
        data: { site },
        expiresAt: new Date(now() + solveMs),
      }),

    /**
     * Throws a problem unless the challenge is for this site, was solved in time, and was not used
     * for another ticket.
     */
    async check({ challenge, solution }: Proof, site: string, database: ProjectDatabase) {
      const { data, expiresAt } = challenge.parameters
      const isOurs = data.site === site && expiresAt * 1_000 > now()
      if (
        !isOurs ||
        !(await isSolved({ challenge, solution })) ||
        // Mark the challenge as used. Marks are stored for an hour, and challenges expire before
        // that.
        !(await tryAction(database, {
          action: `assistant proof ${challenge.signature}`,
          perHour: 1,
        }))
      )
        throw new Problem(
          'forbidden',
          'The solution is wrong, was used before, or has expired. Get another challenge.',
          { param: 'solution' },
        )
    },
  }
}
export type Proofs = ReturnType<typeof createProofs>
