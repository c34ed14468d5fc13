/**
 * Proof of work: if the owner requires it, a page computes for a second before it gets a ticket,
 * which makes thousands of tickets expensive. A challenge is signed and names its site, so nothing
 * is stored until it is solved; each is valid for one ticket.
 */
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { z } from 'zod'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { tryAction } from '../../platform/limits/hourly-limit.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

export const PROOF_LIMITS = {
  /** The time limit from the challenge to its solution. */
  solveMs: 10 * 60_000,
  /** Numbers to try, and hashes per number: 20,000 to 40,000 hashes. We compute only one number. */
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
  if (current === undefined) throw new Error('no key signs challenges')
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

    /** Throws unless the work was done for this site, in time, and for no other ticket. */
    async check({ challenge, solution }: Proof, site: string, database: ProjectDatabase) {
      const { data, expiresAt } = challenge.parameters
      const isOurs = data.site === site && expiresAt * 1_000 > now()
      if (
        !isOurs ||
        !(await isSolved({ challenge, solution })) ||
        // Counts are stored for an hour; every challenge expires within that time.
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
