/** API schemas for the assistant's settings. */
import { z } from 'zod'
import { ASSISTANT_LIMITS } from './assistant-limits.ts'
import { ModelChoice } from './model-settings.ts'

const KEY_LENGTH_MAX = 4_000
const TOKENS_MAX = 1_000_000_000_000_000

const Model = z.strictObject(ModelChoice.shape)

const Use = z.strictObject({
  questions: z.number(),
  cached: z.number().meta({ description: 'Questions that were answered from the cache.' }),
  tokens: z.number().meta({ description: 'Tokens that the model used.' }),
  tokensMax: z.number().nullable().meta({
    description: 'The budget of the project or the service; null if there is no limit.',
  }),
})

export const AssistantReply = z.strictObject({
  isOn: z.boolean(),
  mask: z.boolean().meta({
    description:
      'Whether keys, e-mail addresses and card numbers in questions are masked before they are stored or sent.',
  }),
  proofOfWork: z.boolean().meta({
    description:
      'Whether a browser has to solve a short computation before it sends its first question.',
  }),
  askInPreviews: z.boolean().meta({
    description:
      "Whether readers' answered questions are asked again in each preview, and compared with the live site. They are masked first, and no preview shows them.",
  }),
  model: Model.extend({
    hasKey: z.boolean().meta({ description: 'Whether a key is stored. It is never shown.' }),
  })
    .nullable()
    .meta({ description: "The project's own model; null if it uses the model of the service." }),
  serviceModel: z.string().nullable().meta({
    description:
      'The name of the model that answers for projects without one; null if answers are quotations.',
  }),
  tokensPerDay: z.number().nullable().meta({ description: 'The budget of the project.' }),
  tokensPerMonth: z.number().nullable(),
  today: Use,
  month: Use,
})
export type AssistantReply = z.infer<typeof AssistantReply>

const tokens = z.number().int().min(0).max(TOKENS_MAX).nullable().optional()

/** Omitted settings stay unchanged. */
export const AssistantBody = z.strictObject({
  model: Model.extend({
    key: z
      .string()
      .regex(/^[\x21-\x7e]+$/, { error: 'Expected one key and nothing else.' })
      .max(KEY_LENGTH_MAX)
      .optional()
      .meta({
        description: 'If omitted, the stored key is kept, unless the server changes.',
      }),
  })
    .nullable()
    .optional()
    .meta({ description: 'Null for the model of the service, if it has one.' }),
  mask: z.boolean().optional(),
  proofOfWork: z.boolean().optional(),
  askInPreviews: z.boolean().optional(),
  tokensPerDay: tokens.meta({ description: 'Null for the budget of the service.' }),
  tokensPerMonth: tokens,
})
export type AssistantBody = z.infer<typeof AssistantBody>

export const AssistantQuestion = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(ASSISTANT_LIMITS.questionLength)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), {
      error: 'Expected text without zero bytes.',
    })
    .meta({ examples: ['How often do I water a cactus?'] }),
})

const Source = z.strictObject({ title: z.string(), url: z.string() })

export const AssistantAnswer = z.strictObject({
  response: z.string().meta({ examples: ['Every three weeks.'] }),
  resolutionStatus: z.enum(['answered', 'unanswered']),
  reason: z.string().optional().meta({ description: 'Why there is no answer.' }),
  queryCategory: z.string().optional(),
  sources: z.array(Source).meta({ description: 'Pages that the answer refers to.' }),
  nearest: z.array(Source).meta({ description: 'The nearest pages, if there is no answer.' }),
  matches: z
    .array(Source.extend({ text: z.string() }))
    .optional()
    .meta({ description: 'Excerpts of sections that match the question; only without a model.' }),
  missing: z.array(z.string()).optional().meta({
    description: 'Names in the question that the documentation does not mention.',
  }),
  model: z.string().optional().meta({ description: 'Absent if the answer is a quotation.' }),
  usedTokens: z.number(),
  deployment: z.string().meta({ description: 'The deployment that the answer is based on.' }),
})
export type AssistantAnswer = z.infer<typeof AssistantAnswer>
