import type { Part, ReferenceTable } from './check/check-references.ts'
import type { SpecVersion } from './check/shapes.ts'
import { OPENAPI_LIMITS } from './document/limits.ts'
import type { SpecDocument } from './document/spec-document.ts'
import type { NodeId } from './document/tape.ts'

/** A parsed and checked specification. Its references are not replaced by their targets. */
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

  /** The whole text of the specification. */
  get text(): string {
    return this.document.source
  }

  get file(): string {
    return this.document.file
  }

  /** The files that the specification was read from, its own first. */
  get files(): readonly string[] {
    return [...this.texts.keys()]
  }

  /** The text of each of its files, by path or URL. */
  get texts(): ReadonlyMap<string, string> {
    return this.document.sources
  }

  /** Returns the direct target of a reference; undefined for broken references and other values. */
  target(node: NodeId): NodeId | undefined {
    return this.#references.get(node)
  }

  isReference(node: NodeId): boolean {
    return this.document.field(node, '$ref') !== undefined
  }

  /** Follows references to the part itself; returns undefined if one of them is broken. */
  follow(node: NodeId | undefined): NodeId | undefined {
    let at = node
    for (let hop = 0; hop <= OPENAPI_LIMITS.referenceHopsMax; hop += 1) {
      if (at === undefined || !this.isReference(at)) return at
      at = this.target(at)
    }
    return undefined
  }

  /**
   * Returns the pointer of the part to which a reference finally leads; undefined if it is broken.
   */
  link(node: NodeId): string | undefined {
    const target = this.isReference(node) ? this.follow(node) : undefined
    return target === undefined ? undefined : this.#pointers.get(target)
  }

  /**
   * Returns the pointer of a reference's direct target. In OpenAPI 3.1, that may be another
   * reference whose other keys apply too.
   */
  schemaLink(node: NodeId): string | undefined {
    const target = this.target(node)
    return target === undefined ? undefined : this.#pointers.get(target)
  }

  /** Returns the pointer of a value, if any reference leads to it. */
  partPointer(node: NodeId): string | undefined {
    return this.#pointers.get(node)
  }

  /** Returns true if pages show a sample of this schema. */
  isSampled(ref: string): boolean {
    return this.#sampled.has(ref)
  }

  /** All targets of references, by their pointers. */
  get parts(): ReadonlyMap<string, Part> {
    return this.#parts
  }
}
