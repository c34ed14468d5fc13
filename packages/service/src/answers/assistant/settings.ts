/** The operator's assistant settings, for projects that have not set a model or a budget. */
import { CONTEXT_TOKENS, MODEL_FORMATS, ModelChoice, type ModelSettings } from '@octavo/contract'
import { z } from 'zod'
import { booleanValue, filled, type ValuesOf, wholeNumber } from '../../platform/settings-values.ts'

export type OperatorAssistant = {
  readonly model: ModelSettings | undefined
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
}

export const ASSISTANT_VARIABLES = {
  /** The model for projects that have not set one. */
  OCTAVO_ASSISTANT_URL: z.string().optional(),
  OCTAVO_ASSISTANT_MODEL: z.string().optional(),
  OCTAVO_ASSISTANT_FORMAT: z.string().default('openai'),
  OCTAVO_ASSISTANT_KEY: filled(
    'OCTAVO_ASSISTANT_KEY',
    'the API key of the model, such as sk-…; omit it if there is no key',
  ).optional(),
  OCTAVO_ASSISTANT_CONTEXT_TOKENS: wholeNumber('OCTAVO_ASSISTANT_CONTEXT_TOKENS', {
    min: CONTEXT_TOKENS.least,
    max: CONTEXT_TOKENS.most,
    example: CONTEXT_TOKENS.default,
  }).optional(),
  OCTAVO_ASSISTANT_TOOLS: booleanValue('OCTAVO_ASSISTANT_TOOLS').default(true),
  /** The token budget for projects that have not set one. */
  OCTAVO_ASSISTANT_TOKENS_PER_DAY: wholeNumber('OCTAVO_ASSISTANT_TOKENS_PER_DAY', {
    min: 0,
    example: 200_000,
  }).optional(),
  OCTAVO_ASSISTANT_TOKENS_PER_MONTH: wholeNumber('OCTAVO_ASSISTANT_TOKENS_PER_MONTH', {
    min: 0,
    example: 5_000_000,
  }).optional(),
}

type AssistantValues = ValuesOf<typeof ASSISTANT_VARIABLES>

/** Returns the settings, or an error message. */
export function readAssistant(values: AssistantValues): OperatorAssistant | string {
  const model = readModel(values)
  if (typeof model === 'string') return model
  return {
    model,
    tokensPerDay: values.OCTAVO_ASSISTANT_TOKENS_PER_DAY,
    tokensPerMonth: values.OCTAVO_ASSISTANT_TOKENS_PER_MONTH,
  }
}

function readModel(values: AssistantValues): ModelSettings | string | undefined {
  const { OCTAVO_ASSISTANT_URL: url, OCTAVO_ASSISTANT_MODEL: model } = values
  if (url === undefined && model === undefined) return undefined
  if (url === undefined || model === undefined)
    return 'OCTAVO_ASSISTANT_URL and OCTAVO_ASSISTANT_MODEL belong together: set both or neither.'
  const parsed = ModelChoice.safeParse({
    format: values.OCTAVO_ASSISTANT_FORMAT,
    url,
    model,
    contextTokens: values.OCTAVO_ASSISTANT_CONTEXT_TOKENS,
    hasTools: values.OCTAVO_ASSISTANT_TOOLS,
  })
  if (parsed.success) return { ...parsed.data, key: values.OCTAVO_ASSISTANT_KEY }
  switch (parsed.error.issues[0]?.path[0]) {
    case 'format':
      return `OCTAVO_ASSISTANT_FORMAT must be ${MODEL_FORMATS.join(' or ')}.`
    case 'contextTokens':
      return `OCTAVO_ASSISTANT_CONTEXT_TOKENS must be a whole number from ${CONTEXT_TOKENS.least} to ${CONTEXT_TOKENS.most}, such as ${CONTEXT_TOKENS.default}.`
    case 'model':
      return 'OCTAVO_ASSISTANT_MODEL must be the name of a model with up to 200 characters, such as gpt-5-mini.'
    default:
      return 'OCTAVO_ASSISTANT_URL must be the URL of a model with up to 500 characters, such as https://api.openai.com/v1.'
  }
}
