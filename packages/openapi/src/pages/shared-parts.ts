/**
 * Reads the parts that pages link to, each once: all targets of references and all named schemas.
 */

import { printFragment } from '../document/pointer.ts'
import type { Json } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { EndpointReader } from './endpoint-data.ts'
import { OperationPages } from './operation-page.ts'
import type { SharedPart } from './page-data.ts'
import { Sampler } from './sample-value.ts'
import { type SchemaOptions, schemaData } from './schema-data.ts'

export class SharedParts {
  readonly #specification: Specification
  readonly #options: SchemaOptions
  readonly #reader: EndpointReader
  readonly #pages: OperationPages
  readonly #sampler: Sampler

  constructor(specification: Specification, options: SchemaOptions) {
    this.#specification = specification
    this.#options = options
    this.#reader = new EndpointReader(specification, options)
    this.#pages = new OperationPages(specification, options)
    this.#sampler = new Sampler(specification)
  }

  /** Yields the parts one by one, so that they need not all be in memory at once. */
  *all(): Iterable<SharedPart> {
    const { parts } = this.#specification
    for (const ref of parts.keys()) {
      const part = this.part(ref)
      if (part !== undefined) yield part
    }
    for (const name of schemaNames(this.#specification)) {
      const ref = schemaPointer(name)
      const part = parts.has(ref) ? undefined : this.part(ref)
      if (part !== undefined) yield part
    }
  }

  /** Returns the part that a link refers to; undefined if the link is broken. */
  part(ref: string): SharedPart | undefined {
    const known = this.#specification.parts.get(ref)
    const node = known?.node ?? this.#specification.document.find(ref)
    if (node === undefined) return undefined
    const kind = known?.part ?? 'schema'
    if (kind === 'schema') {
      const schema = schemaData(this.#specification, node, this.#options)
      return { ref, kind, schema, ...this.#samples(ref, node) }
    }
    // Links refer to the part itself and not to another reference.
    if (this.#specification.isReference(node)) return undefined
    return this.#other(ref, kind, node)
  }

  requestSample(ref: string): Json | undefined {
    const node = this.#specification.parts.get(ref)?.node ?? this.#specification.document.find(ref)
    return node === undefined ? undefined : this.#sampler.sample(node, 'request')
  }

  #samples(ref: string, node: NodeId) {
    if (!this.#specification.isSampled(ref)) return {}
    const value = this.#sampler.sample(node, 'response')
    const request = this.#sampler.sample(node, 'request')
    const differs = JSON.stringify(request) !== JSON.stringify(value)
    return {
      ...(value === undefined ? {} : { sample: { value } }),
      ...(differs && request !== undefined ? { requestSample: { value: request } } : {}),
    }
  }

  #other(ref: string, kind: string, node: NodeId): SharedPart | undefined {
    switch (kind) {
      case 'parameter':
        return { ref, kind, parameter: this.#reader.parameter(node) }
      case 'response':
        return { ref, kind, response: this.#reader.response(node) }
      case 'requestBody':
        return { ref, kind: 'body', body: this.#reader.body(node) }
      case 'header':
        return { ref, kind, header: this.#reader.header('', node) }
      case 'example':
        return { ref, kind, example: this.#reader.example('', node) }
      case 'link':
        return { ref, kind, link: this.#reader.linkData('', node) }
      case 'callback':
        return { ref, kind, callbacks: this.#pages.callbacks('', node) }
      default:
        // Path items and security schemes are resolved where they are used.
        return undefined
    }
  }
}

/** Returns the names of the schemas in `components.schemas`, in document order. */
export function schemaNames({ document }: Specification): readonly string[] {
  const components = document.field(document.root, 'components')
  return document.entries(document.field(components, 'schemas')).map(([name]) => name)
}

export function schemaPointer(name: string): string {
  return printFragment(['components', 'schemas', name])
}
