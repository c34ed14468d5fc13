/** API schemas for the results of `octavo test`: `octavo-proof/1`. */
import { z } from 'zod'
import { storedText } from './stored-text.ts'

export const PROOF_LIMITS = {
  samples: 20_000,
  /** The maximum number of pages that show the same sample. */
  pagesOfSample: 20,
  /** How many proofs of a project are kept, for its site and for its previews. */
  kept: 20,
} as const

const OUTCOMES = ['passed', 'failed', 'not-run'] as const

/**
 * A file that `octavo test` wrote. Other properties, such as the reasons of failures, are allowed
 * and not stored.
 */
export const ProofBody = z.object({
  format: z.literal('octavo-proof/1'),
  octavo: storedText(50).meta({
    description: 'The version of the command line that ran the samples.',
    examples: ['0.1.0'],
  }),
  date: z.iso.datetime().meta({
    description: 'When the samples ran. At most 10 minutes after the time of the service.',
    examples: ['2026-01-31T12:00:00.000Z'],
  }),
  runtimes: z
    .array(storedText(200))
    .max(50)
    .meta({ description: 'The programs that ran samples.', examples: [['curl 8.5.0']] }),
  samples: z
    .array(
      z.object({
        pages: z
          .array(storedText(1_000))
          .max(PROOF_LIMITS.pagesOfSample)
          .meta({
            description: 'The paths of the pages that show the sample.',
            examples: [['api-reference/add-a-plant']],
          }),
        language: storedText(100).meta({ examples: ['bash'] }),
        sha256: z
          .string()
          .regex(/^[\da-f]{64}$/, { error: 'Expected a SHA-256 in lower-case hexadecimal.' })
          .meta({ description: 'The hash of the code that ran.' }),
        outcome: z.enum(OUTCOMES),
      }),
    )
    .max(PROOF_LIMITS.samples),
})
export type ProofBody = z.infer<typeof ProofBody>

export const ProofReply = z.strictObject({
  deployment: z.string().meta({ description: 'The id of the deployment that it was sent for.' }),
  date: z.string().meta({ description: 'When the samples ran.' }),
  octavo: z.string().meta({ description: 'The version of the command line that ran them.' }),
  runtimes: z.array(z.string()).meta({ description: 'The programs that ran samples.' }),
  passed: z.number(),
  failed: z.number(),
  notRun: z.number(),
  pages: z.number().meta({ description: 'The number of pages with samples that passed.' }),
})
export type ProofReply = z.infer<typeof ProofReply>
