/** A conversation with a model, whatever the wire format. */

export type ToolDescription = {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: object
}

export type ToolCall = {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it; it may be wrong. */
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

export type ChatRequest = {
  readonly system: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly outputTokensMax: number
}

export type TokenUsage = { readonly inputTokens: number; readonly outputTokens: number }

export type ChatEnd = {
  /** `length`: it was cut at the most tokens that were asked for. */
  readonly reason: 'stop' | 'length' | 'filtered'
  readonly calls: readonly ToolCall[]
  /** Not every server tells. */
  readonly usage: TokenUsage | undefined
}

/** The last event is an end or a failure: an answer without an end is no answer. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'end' } & ChatEnd)
  | { readonly type: 'failed'; readonly failure: ModelFailure }

export type ModelFailure = {
  readonly reason: /** The address leads where we do not go. */
    | 'address'
    | 'connection'
    | 'status'
    /** No answer in time, or silence in the middle of it. */
    | 'timeout'
    | 'silence'
    /** The stream ended before the answer did. */
    | 'cut'
    /** The server reported an error in the stream. */
    | 'error'
    /** What came is not the format that was asked for. */
    | 'format'
    /** The answer goes on and on. */
    | 'endless'
  /** A sentence for the operator, without the key. */
  readonly message: string
  readonly status?: number
}
