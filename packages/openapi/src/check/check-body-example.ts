import type { DiagnosticText } from '@octavo/model'
import { isJsonType } from '../document/json-type.ts'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import { readJson } from '../document/read-json.ts'
import { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import { listedMethod, listOperations } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { Mismatch } from '../values/mismatch.ts'
import { ValueChecker } from '../values/value-checker.ts'
import type { Direction } from '../values/value-context.ts'
import { describeMismatch } from './check-examples.ts'

/** An example of a body on a page of an operation. */
export type BodyExample = {
  readonly direction: Direction
  /** The status of the response; undefined if the page does not say it. */
  readonly status: string | undefined
  /** JSON. Any other text is not checked. */
  readonly text: string
}

/** A difference from the schema, with its offset in the text of the example. */
export type BodyProblem = DiagnosticText & { readonly offset: number }

/** Checks bodies that pages show against the operations of one specification. */
export class BodyChecker {
  readonly #specification: Specification
  readonly #values: ValueChecker
  readonly #operations: ReadonlyMap<string, NodeId>

  constructor(specification: Specification) {
    this.#specification = specification
    this.#values = new ValueChecker(specification)
    this.#operations = new Map(
      listOperations(specification).map((one) => [`${listedMethod(one)} ${one.path}`, one.node]),
    )
  }

  /** Returns the differences of an example from the nearest schema that may describe it. */
  problems(
    operation: { method: string; path: string },
    example: BodyExample,
  ): readonly BodyProblem[] {
    const node = this.#operations.get(`${operation.method} ${operation.path}`)
    const json = readJson(example.text, OPENAPI_LIMITS)
    if (node === undefined || json.kind !== 'read') return []
    const document = new SpecDocument({ file: '', text: example.text, tape: json.tape })
    const value = { document, node: document.root }
    const direction = operation.method === 'WEBHOOK' ? undefined : example.direction
    let nearest: readonly Mismatch[] | undefined
    for (const schema of this.#schemas(node, example)) {
      const found = this.#values.differences(value, schema, direction)
      if (found.length === 0) return []
      if (nearest === undefined || found.length < nearest.length) nearest = found
    }
    return (nearest ?? []).map((mismatch) => {
      const described = { document, root: document.root, name: 'The example' }
      const text = describeMismatch(this.#specification, described, mismatch)
      return { ...text, offset: document.offset(mismatch.node) }
    })
  }

  /** Returns the JSON schemas that may describe an example; none if a body has no JSON schema. */
  #schemas(operation: NodeId, { direction, status }: BodyExample): readonly NodeId[] {
    const { document } = this.#specification
    const responses = document.entries(document.field(operation, 'responses'))
    const named = status === undefined ? responses : responses.filter(([key]) => key === status)
    const bodies =
      direction === 'request'
        ? [document.field(operation, 'requestBody')]
        : named.map(([, response]) => response)
    const schemas = bodies.map((body) => this.#schemaOf(body))
    return schemas.every((schema) => schema !== undefined) ? schemas : []
  }

  #schemaOf(written: NodeId | undefined): NodeId | undefined {
    const { document } = this.#specification
    const media = document.entries(document.field(this.#specification.follow(written), 'content'))
    const [, json] = media.find(([type]) => isJsonType(type)) ?? []
    return document.field(json, 'schema')
  }
}
