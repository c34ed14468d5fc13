import type { Part, ReferenceTable } from './check/check-references.ts'
import type { SpecVersion } from './check/shapes.ts'
import { OPENAPI_LIMITS } from './document/limits.ts'
import type { SpecDocument } from './document/spec-document.ts'
import type { NodeId } from './document/tape.ts'

/** A parsed and checked specification. References remain references. */
export class Specification {
  readonly document: SpecDocument
  readonly version: SpecVersion
  readonly #references: ReferenceTable
  readonly #parts: ReadonlyMap<string, Part>
  readonly #pointers = new Map<NodeId, string>()
  readonly #sampled = new Set<string>()

  constructor(input: {
    document: SpecDocument
    version: SpecVersion
    references: ReferenceTable
    parts: ReadonlyMap<string, Part>
    sampled: readonly NodeId[]
  }) {
    this.document = input.document
    this.version = input.version
    this.#references = input.references
    this.#parts = input.parts
    for (const [ref, { node }] of input.parts) {
      if (!this.#pointers.has(node)) this.#pointers.set(node, ref)
    }
    for (const schema of input.sampled) {
      const ref = this.schemaLink(schema)
      if (ref !== undefined) this.#sampled.add(ref)
    }
  }

  /** The whole text as given. */
  get text(): string {
    return this.document.source
  }

  get file(): string {
    return this.document.file
  }

  /** Returns the direct target of a reference. Undefined for other values and broken references. */
  target(node: NodeId): NodeId | undefined {
    return this.#references.get(node)
  }

  isReference(node: NodeId): boolean {
    return this.document.field(node, '$ref') !== undefined
  }

  /** Follows all references to the part itself. Undefined if one of them is broken. */
  follow(node: NodeId | undefined): NodeId | undefined {
    let at = node
    for (let hop = 0; hop <= OPENAPI_LIMITS.referenceHopsMax; hop += 1) {
      if (at === undefined || !this.isReference(at)) return at
      at = this.target(at)
    }
    return undefined
  }

  /** Returns the pointer of the part that a reference finally leads to; undefined if broken. */
  link(node: NodeId): string | undefined {
    const target = this.isReference(node) ? this.follow(node) : undefined
    return target === undefined ? undefined : this.#pointers.get(target)
  }

  /**
   * Like `link`, but only one step: in OpenAPI 3.1, a reference may have other keys next to the
   * `$ref`, which apply to the schemas that refer to it.
   */
  schemaLink(node: NodeId): string | undefined {
    const target = this.target(node)
    return target === undefined ? undefined : this.#pointers.get(target)
  }

  /** Returns the pointer of a part, if references lead to this value. */
  partPointer(node: NodeId): string | undefined {
    return this.#pointers.get(node)
  }

  /** True if pages show a sample of this schema. */
  isSampled(ref: string): boolean {
    return this.#sampled.has(ref)
  }

  /** All targets of references, by pointer. */
  get parts(): ReadonlyMap<string, Part> {
    return this.#parts
  }
}
