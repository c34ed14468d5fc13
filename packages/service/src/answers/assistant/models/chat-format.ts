import type { ChatEnd, ChatRequest } from './chat.ts'

/** What a server was found not to take; learned from its refusals. */
export type Quirks = {
  readonly hasStreamOptions: boolean
  readonly hasTemperature: boolean
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
}

export type ChatFormat = {
  /** Below the version in the address. */
  readonly path: string
  readonly writeBody: (request: ChatRequest, model: string, quirks: Quirks) => object
  readonly createReader: () => ChatReader
}

/** Reads the events of one stream. */
export type ChatReader = {
  /** Takes one event; gives the text that it adds, or what the server says is wrong. */
  readonly take: (event: unknown) => { readonly text?: string; readonly error?: string }
  /** How it ended, once it did. */
  readonly end: () => ChatEnd | undefined
}

/** Answers are to be the same each time, not to be inventive. */
export const TEMPERATURE = 0.1

/** A model that calls more at once is out of its mind. */
export const CALLS_MAX = 16
/** A server that we do not know decides how long these are, and they are kept until the answer ends. */
export const ARGUMENTS_CHARACTERS_MAX = 4_000
const NAME_CHARACTERS_MAX = 200

/** Far above what any model can read; sums of it fit into a column of the database. */
const TOKENS_MAX = 100_000_000

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The id or the name of a call. */
export const asName = (value: unknown): string => asText(value).slice(0, NAME_CHARACTERS_MAX)

/** A number of tokens, as far as it can be one. */
export function asCount(value: unknown): number {
  const isCount = typeof value === 'number' && value > 0
  return isCount ? Math.round(Math.min(value, TOKENS_MAX)) : 0
}

/** The words of an error, in the shapes that servers have for it. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return value
  const { error, message, detail } = asRecord(value)
  if (error !== undefined && error !== null) return errorText(error) || JSON.stringify(error)
  return asText(message) || (detail === undefined ? '' : asText(detail) || JSON.stringify(detail))
}
