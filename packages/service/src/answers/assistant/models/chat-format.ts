import type { ChatEnd, ChatRequest } from './chat.ts'

/** Fields that a server does not support, learned from its error responses. */
export type Quirks = {
  readonly hasStreamOptions: boolean
  readonly hasTemperature: boolean
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
}

export type ChatFormat = {
  /** The path after the version in the URL. */
  readonly path: string
  readonly writeBody: (request: ChatRequest, model: string, quirks: Quirks) => object
  readonly createReader: () => ChatReader
}

export type ChatReader = {
  /** Accepts one event and returns the text that it adds, or the server's error message. */
  readonly take: (event: unknown) => { readonly text?: string; readonly error?: string }
  /** Returns how the stream ended; undefined while it is running. */
  readonly end: () => ChatEnd | undefined
}

/** Low, because answers should be repeatable rather than creative. */
export const TEMPERATURE = 0.1

/** More simultaneous calls are never sensible. */
export const CALLS_MAX = 16
/** An untrusted server determines their length, and they stay in memory until the answer ends. */
export const ARGUMENTS_CHARACTERS_MAX = 4_000
const NAME_CHARACTERS_MAX = 200

/** Far above any model's context; sums of it fit into a database column. */
const TOKENS_MAX = 100_000_000

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the id or the name of a tool call, cut to its maximum length. */
export const asName = (value: unknown): string => asText(value).slice(0, NAME_CHARACTERS_MAX)

/** Returns a plausible number of tokens, or 0. */
export function asCount(value: unknown): number {
  const isCount = typeof value === 'number' && value > 0
  return isCount ? Math.round(Math.min(value, TOKENS_MAX)) : 0
}

/** Extracts the error message from the formats that servers use. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return value
  const { error, message, detail } = asRecord(value)
  if (error !== undefined && error !== null) return errorText(error) || JSON.stringify(error)
  return asText(message) || (detail === undefined ? '' : asText(detail) || JSON.stringify(detail))
}
