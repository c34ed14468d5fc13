import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Mismatches } from './mismatch.ts'
import type { SchemaReader } from './schema-rules.ts'

/**
 * The direction of a message. Requests have no read-only properties, and responses have no
 * write-only ones.
 */
export type Direction = 'request' | 'response'

/** What the rules of a schema need to check one value. */
export type ValueContext = {
  readonly specification: Specification
  /** The document that contains the value: the specification, or code of a page. */
  readonly values: SpecDocument
  readonly reader: SchemaReader
  /** Undefined if the value may be part of both requests and responses. */
  readonly direction: Direction | undefined
  /** Checks a value inside the value, such as a property. */
  readonly check: (value: NodeId, schema: NodeId, found: Mismatches) => void
  /** Counts work. Returns false if the limit is reached. */
  readonly spend: (steps: number) => boolean
}
