import type { Operation } from '../operations/list-operations.ts'

/** A request as it arrived, without the parts that only a connection has. */
export type MockRequest = {
  /** In upper case. */
  readonly method: string
  /** The path and the query as they were sent, percent-encoded. */
  readonly target: string
  /** The headers with names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
  /** The fields of a multipart body; undefined for other bodies, and if it cannot be read. */
  readonly form?: readonly FormField[] | undefined
}

/** A field with its text, or undefined for a file. */
export type FormField = readonly [name: string, text: string | undefined]

/** A reason why a request was refused. */
export type MockProblem = {
  readonly code: MockProblemCode
  /** A parameter such as `query.limit`, or a value such as `body /items/0/name`. */
  readonly place: string
  readonly reason: string
  readonly hint: string
  /** The file, line and column of the rule in the specification. */
  readonly rule?: string
}

export type MockProblemCode =
  | 'unknown-path'
  | 'unknown-method'
  | 'missing-credential'
  | 'missing-parameter'
  | 'unknown-parameter'
  | 'invalid-parameter'
  | 'missing-body'
  | 'unexpected-body'
  | 'unsupported-media-type'
  | 'malformed-body'
  | 'invalid-body'
  | 'not-acceptable'
  | 'unknown-response'

export type MockResponse = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The parts of the body in order; events of a stream are one part each. */
  readonly body: readonly (string | Uint8Array)[]
  readonly operation: Operation | undefined
  /** Why the request was refused; empty if it was accepted. */
  readonly problems: readonly MockProblem[]
}
