import type { Json, SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'

/** The keywords of a schema, read once for all values that are checked against it. */
export type SchemaRules = {
  readonly node: NodeId
  /** The value of each keyword. In OpenAPI 3.0, a reference has no other keywords. */
  readonly keywords: ReadonlyMap<string, NodeId>
  /** The target of a reference; `broken` if it cannot be followed. */
  readonly target: NodeId | 'broken' | undefined
  /** Undefined if every type is allowed, or if a type is unknown. */
  readonly types: readonly string[] | undefined
  /** Limits of numbers, with the keyword of the limit. */
  readonly bounds: readonly Bound[]
}

export type Bound = {
  readonly keyword: NodeId
  readonly kind: 'least' | 'most' | 'above' | 'below' | 'multiple'
  readonly limit: number
}

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

/** Reads schemas, each only once. */
export class SchemaReader {
  readonly #specification: Specification
  readonly #document: SpecDocument
  readonly #known = new Map<NodeId, SchemaRules>()
  readonly #values = new Map<NodeId, ReadonlySet<string>>()

  constructor(specification: Specification) {
    this.#specification = specification
    this.#document = specification.document
  }

  rules(node: NodeId): SchemaRules {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const read = this.#read(node)
    this.#known.set(node, read)
    return read
  }

  /** Returns the values of `enum`, in a form in which equal values are equal. */
  values(list: NodeId): ReadonlySet<string> {
    const known = this.#values.get(list)
    if (known !== undefined) return known
    const items = this.#document.items(list)
    const read = new Set(items.map((item) => comparable(this.#document.value(item))))
    this.#values.set(list, read)
    return read
  }

  /** Returns true if a property's schema, or the target of its reference, has a flag. */
  isFlagged(schema: NodeId, flag: 'readOnly' | 'writeOnly'): boolean {
    const document = this.#document
    if (document.isTrue(schema, flag)) return true
    const target = this.#specification.follow(schema)
    if (target === undefined) return false
    if (document.isTrue(target, flag)) return true
    // In OpenAPI 3.0, authors write the flag next to an `allOf` with a reference, or inside it.
    return document
      .items(document.field(target, 'allOf'), 10)
      .some((part) => document.isTrue(part, flag))
  }

  #read(node: NodeId): SchemaRules {
    const document = this.#document
    const keywords = new Map(document.entries(node))
    const isReference = keywords.has('$ref')
    if (isReference && this.#specification.version === '3.0') keywords.clear()
    const target = isReference ? (this.#specification.target(node) ?? 'broken') : undefined
    return { node, keywords, target, types: this.#types(keywords), bounds: this.#bounds(keywords) }
  }

  #types(keywords: ReadonlyMap<string, NodeId>): readonly string[] | undefined {
    const document = this.#document
    const written = keywords.get('type')
    if (written === undefined) return undefined
    const isList = document.kind(written) === KIND.array
    const types = isList ? document.texts(written) : [document.text(written)]
    if (types.length === 0 || !types.every((type) => TYPES.has(type))) return undefined
    const isNullable = ['nullable', 'x-nullable'].some((key) => {
      const flag = keywords.get(key)
      return flag !== undefined && document.kind(flag) === KIND.true
    })
    return isNullable ? [...types, 'null'] : types
  }

  #bounds(keywords: ReadonlyMap<string, NodeId>): readonly Bound[] {
    const bounds: Bound[] = []
    const add = (key: string, kind: Bound['kind']) => {
      const keyword = keywords.get(key)
      if (keyword === undefined || this.#document.kind(keyword) !== KIND.number) return
      bounds.push({ keyword, kind, limit: Number(this.#document.text(keyword)) })
    }
    const isTrue = (key: string) => {
      const flag = keywords.get(key)
      return flag !== undefined && this.#document.kind(flag) === KIND.true
    }
    // In OpenAPI 3.0, `exclusiveMinimum: true` makes `minimum` exclusive.
    add('minimum', isTrue('exclusiveMinimum') ? 'above' : 'least')
    add('maximum', isTrue('exclusiveMaximum') ? 'below' : 'most')
    add('exclusiveMinimum', 'above')
    add('exclusiveMaximum', 'below')
    add('multipleOf', 'multiple')
    return bounds
  }
}

/** Returns a text that is the same for equal values: the order of keys does not matter. */
export function comparable(value: Json): string {
  if (typeof value !== 'object') return JSON.stringify(value)
  return JSON.stringify(value, (_key, item: Json) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
