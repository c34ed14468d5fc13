import type { ChatEnd, ChatRequest } from './chat.ts'

/** Which optional fields a server accepts, as learned from its error responses. */
export type Quirks = {
  readonly hasStreamOptions: boolean
  readonly hasTemperature: boolean
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
}

export type ChatFormat = {
  /** The path of requests after the API version. */
  readonly path: string
  readonly writeBody: (request: ChatRequest, model: string, quirks: Quirks) => object
  readonly createReader: () => ChatReader
}

export type ChatReader = {
  /**
   * Reads one event of the stream. Returns the text that it adds, or the server's error message.
   */
  readonly take: (event: unknown) => { readonly text?: string; readonly error?: string }
  /** Returns how the answer ended; undefined if it has not ended yet. */
  readonly end: () => ChatEnd | undefined
}

/** A low temperature, because answers should be repeatable rather than creative. */
export const TEMPERATURE = 0.1

/** The maximum number of tool calls in one response. */
export const CALLS_MAX = 16
/**
 * The maximum length of a tool call's arguments. An untrusted server sends them, and they stay in
 * memory until the answer ends.
 */
export const ARGUMENTS_CHARACTERS_MAX = 4_000
const NAME_CHARACTERS_MAX = 200

/**
 * The maximum number of tokens that a server can report. It is far above the context of any model,
 * and the sum of many such numbers fits into a database column.
 */
const TOKENS_MAX = 100_000_000

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the id or the name of a tool call, limited to its maximum length. */
export const asName = (value: unknown): string => asText(value).slice(0, NAME_CHARACTERS_MAX)

/** Returns a token count from the server, or 0 if it is not plausible. */
export function asCount(value: unknown): number {
  const isCount = typeof value === 'number' && value > 0
  return isCount ? Math.round(Math.min(value, TOKENS_MAX)) : 0
}

/** Returns the error message of a response, in any of the formats that servers use. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return value
  const { error, message, detail } = asRecord(value)
  if (error !== undefined && error !== null) return errorText(error) || JSON.stringify(error)
  return asText(message) || (detail === undefined ? '' : asText(detail) || JSON.stringify(detail))
}
