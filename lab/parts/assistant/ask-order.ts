/** The orders to the process of `ask-many.ts`, and the reports that it returns. */
type Site = { readonly port: number; readonly host: string }

export type StreamsOrder = Site & {
  readonly kind: 'streams'
  /** The number of streams that start at the same moment. Each is read to its end. */
  readonly streams: number
  /** The number of chunks of text in the model's answer. */
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
  /** The milliseconds from each question to the first text of the answer, without model time. */
  readonly firsts: readonly number[]
  readonly statuses: Readonly<Record<string, number>>
  /** The number of streams that ended normally with the complete text. */
  readonly whole: number
  /** The number of calls to the model since the last report. */
  readonly modelAsked: number
}

export const MODEL_FIRST_MS = 300
export const MODEL_PIECE_MS = 250
