/** API schemas for the specifications of deployments, and how they differ. */
import { z } from 'zod'

export const SpecificationFiles = z.strictObject({
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })).meta({
    description:
      'All JSON and YAML files of the site: its specifications, and files that they refer to.',
  }),
})
export type SpecificationFiles = z.infer<typeof SpecificationFiles>

export const API_LEVELS = ['breaking', 'additive', 'documentation'] as const

const count = (description: string) => z.number().meta({ description, examples: [2] })
const COUNTS = {
  breaking: count('Changes after which a client that worked before may fail.'),
  additive: count('Changes that clients do not notice.'),
  documentation: count('Changes of texts and examples only.'),
}

export const ApiChange = z.strictObject({
  level: z.enum(API_LEVELS),
  rule: z.string().meta({ examples: ['parameter-required'] }),
  message: z.string().meta({
    description: 'A sentence, without the operation.',
    examples: ['The query parameter `garden` is now required.'],
  }),
  operations: z.array(z.string()).meta({
    description: 'The first three operations that it affects; empty for the whole API.',
    examples: [['GET /plants']],
  }),
  operationCount: z.number().meta({ description: 'How many operations it affects.' }),
})
export type ApiChange = z.infer<typeof ApiChange>

const ChangedSpecification = z.strictObject({
  file: z.string().meta({ examples: ['openapi.yaml'] }),
  ...COUNTS,
  changes: z.array(ApiChange).meta({
    description: 'The first 50 changes, breaking ones first.',
  }),
  restricted: z.boolean().meta({
    description:
      'True if only some groups of readers may read the specification. Without the scope `deploy:write`, its changes are only counted.',
  }),
  problem: z.string().optional().meta({ description: 'Why it could not be compared.' }),
})

export const ApiChangesReply = z.strictObject({
  pending: z.boolean().meta({ description: 'True until the deployment has been compared.' }),
  base: z.string().nullable().meta({
    description:
      'The deployment that it is compared with: the one that was live when it was finished. Null if none was.',
  }),
  baseNumber: z.number().nullable().meta({ description: 'The number of that deployment.' }),
  ...COUNTS,
  specifications: z.array(ChangedSpecification).meta({
    description: 'Only specifications that differ, 20 at most.',
  }),
  problem: z.string().optional().meta({ description: 'Why nothing could be compared.' }),
})
export type ApiChangesReply = z.infer<typeof ApiChangesReply>
