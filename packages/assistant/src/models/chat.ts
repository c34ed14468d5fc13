/** Types for a conversation with a model, independent of the server's format. */

export type ToolDescription = {
  readonly name: string
  readonly description: string
  /** The arguments as a JSON Schema. */
  readonly parameters: object
}

export type ToolCall = {
  readonly id: string
  readonly name: string
  /** The JSON that the model wrote, which may be invalid. */
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
  /** Why the answer ended. `length` means that it reached the requested number of tokens. */
  readonly reason: 'stop' | 'length' | 'filtered'
  readonly calls: readonly ToolCall[]
  /** The tokens used; undefined if the server does not report them. */
  readonly usage: TokenUsage | undefined
}

/** The last event of an answer is an end or a failure. Without an end, the answer is incomplete. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'end' } & ChatEnd)
  | { readonly type: 'failed'; readonly failure: ModelFailure }

export type ModelFailure = {
  readonly reason: /** The service may not connect to this address. */
    | 'address'
    | 'connection'
    | 'status'
    /** The server did not respond in time, or stopped sending. */
    | 'timeout'
    | 'silence'
    /** The stream ended before the answer was complete. */
    | 'cut'
    /** The server reported an error in the stream. */
    | 'error'
    /** The response is not in the requested format. */
    | 'format'
    /** The answer is much longer than requested. */
    | 'endless'
  /** A sentence for the operator, which never contains the API key. */
  readonly message: string
  readonly status?: number
}
