/** A conversation with a model, independent of the wire format. */

export type ToolDescription = {
  readonly name: string
  readonly description: string
  /** The JSON Schema of the arguments. */
  readonly parameters: object
}

export type ToolCall = {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, possibly invalid. */
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
  /** `length`: the answer was cut at the requested token limit. */
  readonly reason: 'stop' | 'length' | 'filtered'
  readonly calls: readonly ToolCall[]
  /** Undefined if the server does not report it. */
  readonly usage: TokenUsage | undefined
}

/** The last event is an end or a failure: an answer without an end is incomplete. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'end' } & ChatEnd)
  | { readonly type: 'failed'; readonly failure: ModelFailure }

export type ModelFailure = {
  readonly reason: /** The address leads where we do not go. */
    | 'address'
    | 'connection'
    | 'status'
    /** The server did not respond in time, or stopped sending. */
    | 'timeout'
    | 'silence'
    /** The stream ended before the answer did. */
    | 'cut'
    /** The server reported an error in the stream. */
    | 'error'
    /** The response is not in the requested format. */
    | 'format'
    /** The answer does not end. */
    | 'endless'
  /** A sentence for the operator, without the API key. */
  readonly message: string
  readonly status?: number
}
