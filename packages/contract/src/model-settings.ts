/**
 * Settings of the model that answers questions. The API key is a secret: it is stored encrypted and
 * never shown.
 */
import { z } from 'zod'

/** Two wire formats; nearly every server supports the first. */
export const MODEL_FORMATS = ['openai', 'anthropic'] as const
export type ModelFormat = (typeof MODEL_FORMATS)[number]

/** Tokens of prompt and answer together. Below the minimum, a section of text would not fit. */
export const CONTEXT_TOKENS = { least: 2_048, default: 32_768, most: 2_000_000 } as const

const URL_CHARACTERS_MAX = 500
const MODEL_CHARACTERS_MAX = 200

/** The settings without the secret key, as they are entered, stored and shown. */
export const ModelChoice = z.object({
  format: z.enum(MODEL_FORMATS, { error: `The format is ${MODEL_FORMATS.join(' or ')}.` }),
  /** With or without `/v1`. Azure has `?api-version=…`, and its deployment in the path. */
  url: z
    .url({
      protocol: /^https?$/,
      error: 'The address of the model is a URL such as https://api.openai.com/v1.',
    })
    .max(URL_CHARACTERS_MAX),
  model: z.string().min(1).max(MODEL_CHARACTERS_MAX),
  contextTokens: z
    .number()
    .int()
    .min(CONTEXT_TOKENS.least)
    .max(CONTEXT_TOKENS.most)
    .default(CONTEXT_TOKENS.default),
  /**
   * True if the model calls tools. Otherwise it gets the sections that were found for the question.
   */
  hasTools: z.boolean().default(true),
})

export type ModelSettings = Readonly<z.infer<typeof ModelChoice>> & {
  /** Undefined for most local servers, which need no key. */
  readonly key: string | undefined
}
