/** What the process of `ask-many.ts` is told to ask, and what it tells of it. */
type Site = { readonly port: number; readonly host: string }

export type StreamsOrder = Site & {
  readonly kind: 'streams'
  /** That begin in one instant; each is read to its end. */
  readonly streams: number
  /** Pieces of text in an answer of the model. */
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
  /** Milliseconds from the question to the first text, without those of the model. */
  readonly firsts: readonly number[]
  readonly statuses: Readonly<Record<string, number>>
  /** Streams that had all text and their end. */
  readonly whole: number
  /** How often the model was asked since the last report. */
  readonly modelAsked: number
}

export const MODEL_FIRST_MS = 300
export const MODEL_PIECE_MS = 250
