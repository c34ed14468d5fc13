/** Orders for the process of `ask-many.ts`, and its reports. */
type Site = { readonly port: number; readonly host: string }

export type StreamsOrder = Site & {
  readonly kind: 'streams'
  /** Number of streams that start at the same moment; each is read to its end. */
  readonly streams: number
  /** Chunks of text in the model's answer. */
  readonly pieces: number
}

export type AbuseOrder = Site & {
  readonly kind: 'abuse'
  readonly questions: number
  readonly atOnce: number
  readonly tickets: number
  readonly pieces: number
}

export type AskOrder = StreamsOrder | AbuseOrder

export type AskReport = {
  /** Milliseconds from each question to its first text, without the model's time. */
  readonly firsts: readonly number[]
  readonly statuses: Readonly<Record<string, number>>
  /** Number of streams with complete text and end. */
  readonly whole: number
  /** Calls to the model since the last report. */
  readonly modelAsked: number
}

export const MODEL_FIRST_MS = 300
export const MODEL_PIECE_MS = 250
