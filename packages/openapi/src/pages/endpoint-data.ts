/** Reads parameters, bodies, responses and examples as data. References become links. */

import { plainItems } from '../document/plain-items.ts'
import type { Json } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Direction } from '../values/value-context.ts'
import type {
  BodyData,
  EncodingData,
  ExampleData,
  HeaderData,
  Link,
  LinkData,
  MediaData,
  ParameterData,
  ResponseData,
  SchemaData,
  StatusData,
} from './page-data.ts'
import { Sampler } from './sample-value.ts'
import { type SchemaOptions, schemaData } from './schema-data.ts'

/**
 * Allows undefined for every field. `defined` then omits these fields, which keeps the data small.
 */
type Optional<Value> = { [Key in keyof Value]?: Value[Key] | undefined }

export class EndpointReader {
  readonly #specification: Specification
  readonly #options: SchemaOptions
  readonly #sampler: Sampler

  constructor(specification: Specification, options: SchemaOptions) {
    this.#specification = specification
    this.#options = options
    this.#sampler = new Sampler(specification)
  }

  /** Returns a link to the target if the node is a valid reference. */
  link(node: NodeId): Link | undefined {
    const ref = this.#specification.link(node)
    if (ref === undefined) return undefined
    if (this.#specification.version === '3.0') return { ref }
    return defined<Link>({
      ref,
      summary: this.#document.textField(node, 'summary'),
      description: this.#document.textField(node, 'description'),
    })
  }

  parameter(node: NodeId): ParameterData {
    const place = this.#document.textField(node, 'in') ?? 'query'
    const name = this.#document.textField(node, 'name') ?? ''
    return { name, in: place, ...this.#described(node) }
  }

  header(name: string, node: NodeId): HeaderData {
    return { name, ...this.#described(node) }
  }

  body(node: NodeId, direction: Direction = 'request'): BodyData {
    return defined({
      description: this.#document.textField(node, 'description'),
      required: this.#document.isTrue(node, 'required') || undefined,
      content: this.#content(node, direction),
    })
  }

  responses(node: NodeId | undefined): readonly StatusData[] {
    return this.#document.entries(node).flatMap(([status, response]) => {
      if (status.startsWith('x-') || !this.#document.isObject(response)) return []
      return [{ status, response: this.link(response) ?? this.response(response) }]
    })
  }

  response(node: NodeId): ResponseData {
    const headers = this.#document
      .entries(this.#document.field(node, 'headers'))
      .filter(([, header]) => this.#document.isObject(header))
      .map(([name, header]) => {
        const link = this.link(header)
        return link === undefined ? this.header(name, header) : { name, ...link }
      })
    return defined({
      description: this.#document.textField(node, 'description'),
      headers: undefinedIfEmpty(headers),
      content: this.#content(node, 'response'),
      links: undefinedIfEmpty(this.#links(this.#document.field(node, 'links'))),
    })
  }

  example(name: string, node: NodeId): ExampleData {
    const value = this.#document.field(node, 'value')
    return defined({
      name,
      summary: this.#document.textField(node, 'summary'),
      description: this.#document.textField(node, 'description'),
      value: value === undefined ? undefined : this.#document.value(value),
      url: this.#document.textField(node, 'externalValue'),
    })
  }

  get #document() {
    return this.#specification.document
  }

  #described(node: NodeId) {
    const document = this.#document
    const schema = document.field(node, 'schema')
    const explode = document.field(node, 'explode')
    const content = document.field(node, 'content')
    const examples = this.#examples(node)
    const sample = this.#sample(schema, examples, 'request')
    return defined({
      description: document.textField(node, 'description'),
      required: document.isTrue(node, 'required') || undefined,
      deprecated: document.isTrue(node, 'deprecated') || undefined,
      style: document.textField(node, 'style'),
      explode: explode === undefined ? undefined : document.kind(explode) === KIND.true,
      schema: schema === undefined ? undefined : this.#schema(schema),
      content: content === undefined ? undefined : this.#content(node, 'request'),
      examples: undefinedIfEmpty(examples),
      sample: sample === undefined ? undefined : { value: sample },
    })
  }

  #content(node: NodeId, direction: Direction): readonly MediaData[] {
    return this.#document
      .entries(this.#document.field(node, 'content'))
      .filter(([, media]) => this.#document.isObject(media))
      .map(([type, media]) => this.#media(type, media, direction))
  }

  #media(type: string, node: NodeId, direction: Direction): MediaData {
    const schema = this.#document.field(node, 'schema')
    const examples = this.#examples(node)
    const sample = this.#sample(schema, examples, direction)
    const encoding = this.#document
      .entries(this.#document.field(node, 'encoding'))
      .map(([property, value]) =>
        defined<EncodingData>({
          property,
          mediaType: this.#document.textField(value, 'contentType'),
          style: this.#document.textField(value, 'style'),
        }),
      )
    return defined({
      type,
      schema: schema === undefined ? undefined : this.#schema(schema),
      examples: undefinedIfEmpty(examples),
      sample: sample === undefined ? undefined : { value: sample },
      encoding: undefinedIfEmpty(encoding),
    })
  }

  /** Returns a sample for an inline schema. A linked schema has its own sample. */
  #sample(
    schema: NodeId | undefined,
    examples: readonly ExampleData[],
    direction: Direction,
  ): Json | undefined {
    if (schema === undefined || examples.length > 0) return undefined
    if (this.#specification.partPointer(schema) !== undefined) return undefined
    if (this.#specification.schemaLink(schema) !== undefined) return undefined
    // The sample of a list of linked schemas is built from the sample of the linked schema.
    const items = plainItems(this.#document, schema)
    if (items !== undefined && this.#specification.schemaLink(items) !== undefined) return undefined
    return this.#sampler.sample(schema, direction)
  }

  /** Returns the named `examples`. If they are missing, returns the single `example`. */
  #examples(node: NodeId): readonly ExampleData[] {
    const named = this.#document
      .entries(this.#document.field(node, 'examples'))
      .filter(([, example]) => this.#document.isObject(example))
      .map(([name, example]) => {
        const link = this.link(example)
        return link === undefined ? this.example(name, example) : { name, ...link }
      })
    const single = this.#document.field(node, 'example')
    if (named.length > 0 || single === undefined) return named
    return [{ name: 'example', value: this.#document.value(single) }]
  }

  #links(node: NodeId | undefined): NonNullable<ResponseData['links']> {
    return this.#document.entries(node).map(([name, written]) => {
      const link = this.link(written)
      return link === undefined ? this.linkData(name, written) : { name, ...link }
    })
  }

  linkData(name: string, node: NodeId): LinkData {
    const operation =
      this.#document.textField(node, 'operationId') ??
      this.#document.textField(node, 'operationRef')
    const description = this.#document.textField(node, 'description')
    return defined({ name, operation, description })
  }

  #schema(node: NodeId): SchemaData {
    const ref = this.#specification.partPointer(node)
    return ref === undefined ? schemaData(this.#specification, node, this.#options) : { ref }
  }
}

export function undefinedIfEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list
}

/** Returns the object without its undefined fields. */
export function defined<Value extends object>(value: Optional<Value>): Value {
  const kept: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) if (field !== undefined) kept[key] = field
  return kept as Value
}
