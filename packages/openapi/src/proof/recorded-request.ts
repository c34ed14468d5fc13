import type { MockRequest } from '../mock/mock-messages.ts'

/** A request that a sample has sent. */
export type RecordedRequest = MockRequest & {
  /** The parts of a multipart body; undefined for other bodies, and if it cannot be read. */
  readonly parts?: readonly RecordedPart[] | undefined
}

export type RecordedPart = {
  readonly name: string
  /** Undefined for a value that is not a file. */
  readonly fileName?: string
  readonly content: string
}

/** A difference between a recorded request and what is documented. */
export type SampleProblem = {
  /** A part of the request, such as `query.limit` or `body /name`. */
  readonly place: string
  readonly reason: string
  readonly hint: string
}
