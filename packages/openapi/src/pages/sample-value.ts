/**
 * Generates a sample value for a schema: the author's example if there is one, otherwise a simple
 * value. A recursive schema ends where it would repeat. The size is limited, so that a hostile
 * specification cannot cause an endless sample.
 */

import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { Json, SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Direction } from '../values/value-context.ts'

const TEXT_BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'ada@example.com'],
  ['idn-email', 'ada@example.com'],
  ['uuid', '3c90c3cc-0d44-4b50-8888-8dd25736052a'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uri-reference', '/plants/1'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['byte', 'aGVsbG8='],
  ['password', '<password>'],
])

export class Sampler {
  readonly #specification: Specification
  readonly #document: SpecDocument
  #left = 0
  #lettersLeft = 0

  constructor(specification: Specification) {
    this.#specification = specification
    this.#document = specification.document
  }

  /** Returns a sample; undefined if there is no useful value to show. */
  sample(schema: NodeId, direction: Direction): Json | undefined {
    this.#left = OPENAPI_LIMITS.sampleNodesMax
    this.#lettersLeft = OPENAPI_LIMITS.sampleLengthMax
    return this.#value(schema, direction, [])
  }

  #value(written: NodeId, direction: Direction, above: readonly NodeId[]): Json | undefined {
    this.#left -= 1
    const schema = this.#specification.follow(written)
    if (schema === undefined || this.#left < 0) return undefined
    if (above.length > OPENAPI_LIMITS.sampleDepthMax || above.includes(schema)) return undefined
    if (!this.#document.isObject(schema)) return undefined
    // OpenAPI 3.0 ignores keys next to a reference.
    const isOwn = written === schema || this.#specification.version !== '3.0'
    const given = (isOwn ? this.#given(written) : undefined) ?? this.#given(schema)
    if (given !== undefined) return this.#bounded(given)
    const within = [...above, schema]
    const composed = this.#composed(schema, direction, within)
    if (composed !== undefined) return composed
    switch (this.#typeOf(schema)) {
      case 'object':
        return this.#object(schema, direction, within)
      case 'array':
        return this.#array(schema, direction, within)
      case 'string':
        return this.#text(schema)
      case 'integer':
      case 'number':
        return this.#number(schema)
      case 'boolean':
        return true
      case 'null':
        return null
      default:
        return undefined
    }
  }

  /**
   * Returns the author's value: `example`, the first of `examples`, `default`, `const`, or the
   * first of `enum`.
   */
  #given(schema: NodeId): NodeId | undefined {
    const document = this.#document
    return (
      document.field(schema, 'example') ??
      document.first(document.field(schema, 'examples')) ??
      document.field(schema, 'default') ??
      document.field(schema, 'const') ??
      document.first(document.field(schema, 'enum'))
    )
  }

  /**
   * Returns the author's value if it is within the limits, which matter because the value is
   * repeated at each use of the schema.
   */
  #bounded(node: NodeId): Json | undefined {
    this.#left -= this.#document.tape.next(node) - node
    this.#lettersLeft -= this.#document.length(node)
    return this.#left < 0 || this.#lettersLeft < 0 ? undefined : this.#document.value(node)
  }

  /**
   * Combines the samples of `allOf`. For `oneOf` and `anyOf`, uses the first option that has a
   * sample.
   */
  #composed(schema: NodeId, direction: Direction, above: readonly NodeId[]): Json | undefined {
    const max = OPENAPI_LIMITS.sampleNodesMax
    const all = this.#document.items(this.#document.field(schema, 'allOf'), max)
    const choices = ['oneOf', 'anyOf'].map((key) =>
      this.#document.items(this.#document.field(schema, key), max),
    )
    const chosen: Json[] = []
    for (const options of choices) {
      for (const option of options) {
        const value = this.#value(option, direction, above)
        if (value === undefined || value === null) continue
        chosen.push(value)
        break
      }
    }
    const parts = all.map((part) => this.#value(part, direction, above))
    const values = [...parts.filter((value) => value !== undefined), ...chosen]
    if (values.length === 0) return undefined
    const objects = values.filter(isRecord)
    if (objects.length === 0) return values[0]
    const own =
      this.#typeOf(schema) === 'object' ? this.#object(schema, direction, above) : undefined
    return Object.assign({}, ...objects, isRecord(own) ? own : {})
  }

  #object(schema: NodeId, direction: Direction, above: readonly NodeId[]): Json {
    const value: Record<string, Json> = {}
    const left = direction === 'request' ? 'readOnly' : 'writeOnly'
    const properties = this.#document.field(schema, 'properties')
    for (const [name, property] of this.#document.entries(
      properties,
      OPENAPI_LIMITS.sampleNodesMax,
    )) {
      this.#lettersLeft -= name.length
      if (this.#left <= 0 || this.#lettersLeft <= 0) break
      const target = this.#specification.follow(property)
      if (this.#document.isTrue(property, left) || this.#document.isTrue(target, left)) continue
      const sampled = this.#value(property, direction, above)
      if (sampled !== undefined) value[name] = sampled
    }
    const additional = this.#document.field(schema, 'additionalProperties')
    if (Object.keys(value).length === 0 && this.#document.isObject(additional)) {
      const sampled = this.#value(additional, direction, above)
      if (sampled !== undefined) value.key = sampled
    }
    return value
  }

  #array(schema: NodeId, direction: Direction, above: readonly NodeId[]): Json {
    const prefixItems = this.#document.field(schema, 'prefixItems')
    const fixed = this.#document.items(prefixItems, OPENAPI_LIMITS.sampleNodesMax)
    const items = this.#document.field(schema, 'items')
    const wanted = fixed.length > 0 || items === undefined ? fixed : [items]
    return wanted.flatMap((item) => {
      const value = this.#value(item, direction, above)
      return value === undefined ? [] : [value]
    })
  }

  #text(schema: NodeId): string {
    const format = this.#document.textField(schema, 'format') ?? ''
    const text = TEXT_BY_FORMAT.get(format) ?? '<string>'
    return text
  }

  /** Returns a simple number, or the nearest one within the bounds. */
  #number(schema: NodeId): number {
    const bound = (key: string) => {
      const node = this.#document.field(schema, key)
      const isNumber = node !== undefined && this.#document.kind(node) === KIND.number
      return isNumber ? Number(this.#document.text(node)) : undefined
    }
    // In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive. In 3.1,
    // `exclusiveMinimum` is a number itself.
    const exclusive = (key: string, at: string) =>
      this.#document.isTrue(schema, key) ? bound(at) : bound(key)
    const plain = 123
    const step = this.#typeOf(schema) === 'integer' ? 1 : 0.5
    const above = exclusive('exclusiveMinimum', 'minimum')
    const below = exclusive('exclusiveMaximum', 'maximum')
    const least = above === undefined ? bound('minimum') : above + step
    const most = below === undefined ? bound('maximum') : below - step
    if (least !== undefined && least > plain) return finite(least)
    if (most !== undefined && most < plain) return finite(Math.max(most, least ?? most))
    return plain
  }

  #typeOf(schema: NodeId): string | undefined {
    const document = this.#document
    const type = document.field(schema, 'type')
    if (type !== undefined) {
      if (document.kind(type) === KIND.string) return document.text(type)
      const types = document.texts(type)
      return types.find((name) => name !== 'null') ?? types[0]
    }
    if (document.field(schema, 'properties') !== undefined) return 'object'
    if (document.field(schema, 'additionalProperties') !== undefined) return 'object'
    if (document.field(schema, 'items') !== undefined) return 'array'
    return undefined
  }
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function finite(number: number): number {
  return Number.isFinite(number) ? number : 0
}
