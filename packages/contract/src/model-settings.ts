/**
 * Settings of the model that answers questions. The API key is a secret: it is stored encrypted and
 * never shown.
 */
import { z } from 'zod'

/** The two supported wire formats. Nearly every model server supports the first one. */
export const MODEL_FORMATS = ['openai', 'anthropic'] as const
export type ModelFormat = (typeof MODEL_FORMATS)[number]

/**
 * The number of tokens in the prompt and the answer together. Below the minimum, not even one
 * section of text would fit.
 */
export const CONTEXT_TOKENS = { least: 2_048, default: 32_768, most: 2_000_000 } as const

const URL_CHARACTERS_MAX = 500
const MODEL_CHARACTERS_MAX = 200

/** The settings without the secret key, as they are entered, stored and shown. */
export const ModelChoice = z.object({
  format: z.enum(MODEL_FORMATS, { error: `The format must be ${MODEL_FORMATS.join(' or ')}.` }),
  /**
   * The URL may or may not end with `/v1`. For Azure, it contains `?api-version=…` and the name of
   * the Azure deployment.
   */
  url: z
    .url({
      protocol: /^https?$/,
      error: 'The address of the model must be a URL such as https://api.openai.com/v1.',
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
   * True if the model can call tools. If not, the sections found for the question are added to its
   * prompt.
   */
  hasTools: z.boolean().default(true),
})

export type ModelSettings = Readonly<z.infer<typeof ModelChoice>> & {
  /** Undefined for most local servers, since they do not need a key. */
  readonly key: string | undefined
}
