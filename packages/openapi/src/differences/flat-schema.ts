/**
 * Reads a schema for comparison, with its references and `allOf` merged, so that it does not matter
 * how a schema is divided into parts.
 */
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { comparable, SchemaReader } from '../values/schema-rules.ts'

/** The maximum number of parts of one schema that are merged. */
const PARTS_MAX = 1_000

const TEXTS = ['title', 'description', 'externalDocs']

export type FlatSchema = {
  /** The schema itself, or its only option. */
  readonly node: NodeId
  /** The value of each keyword in the first part that has it. */
  readonly keywords: ReadonlyMap<string, NodeId>
  /** All types but null; undefined for any type. */
  readonly types: ReadonlySet<string> | undefined
  readonly isNullable: boolean
  /** The values of `enum` and `const` but null, by their comparable text. */
  readonly values: ReadonlyMap<string, NodeId> | undefined
  readonly properties: ReadonlyMap<string, NodeId>
  readonly required: ReadonlySet<string>
  /** The options of `oneOf` or `anyOf` but null. */
  readonly options: readonly NodeId[]
  /** The titles and descriptions of all parts. */
  readonly texts: readonly NodeId[]
  readonly lower: Limit | undefined
  readonly upper: Limit | undefined
}

export type Limit = { readonly value: number; readonly isExclusive: boolean }

export class SchemaFlattener {
  readonly specification: Specification
  readonly #document: SpecDocument
  readonly #reader: SchemaReader
  readonly #known = new Map<NodeId, FlatSchema>()

  constructor(specification: Specification) {
    this.specification = specification
    this.#document = specification.document
    this.#reader = new SchemaReader(specification)
  }

  /** Returns the schema to which a bare reference leads, so that all its uses are one schema. */
  resolve(written: NodeId): NodeId {
    let node = written
    for (let hop = 0; hop < PARTS_MAX; hop += 1) {
      const { target, keywords } = this.#reader.rules(node)
      const isBare = keywords.size <= 1
      if (target === undefined || target === 'broken' || !isBare) return node
      node = target
    }
    return node
  }

  flatten(node: NodeId): FlatSchema {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const flat = this.#flatten(node)
    this.#known.set(node, flat)
    return flat
  }

  #flatten(node: NodeId): FlatSchema {
    const { document } = this.specification
    const draft = createDraft(node)
    const seen = new Set<NodeId>()
    const waiting = [node]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at) || seen.size > PARTS_MAX) continue
      seen.add(at)
      const { keywords, target, types, bounds } = this.#reader.rules(at)
      for (const [key, value] of keywords)
        if (!draft.keywords.has(key)) draft.keywords.set(key, value)
      if (types !== undefined) addTypes(draft, types)
      for (const key of TEXTS) {
        const text = keywords.get(key)
        if (text !== undefined) draft.texts.push(text)
      }
      for (const [name, value] of document.entries(keywords.get('properties'))) {
        if (!draft.properties.has(name)) draft.properties.set(name, value)
      }
      for (const name of document.texts(keywords.get('required'))) draft.required.add(name)
      this.#addValues(draft, keywords)
      for (const { kind, limit } of bounds) addLimit(draft, kind, limit)
      if (target !== undefined && target !== 'broken') waiting.push(target)
      waiting.push(...document.items(keywords.get('allOf')).toReversed())
      const only = this.#addOptions(draft, keywords)
      if (only === undefined) continue
      waiting.push(only)
      if (at === node) draft.node = only
    }
    draft.types ??= impliedTypes(draft)
    return draft
  }

  #addValues(draft: Draft, keywords: ReadonlyMap<string, NodeId>): void {
    const list = keywords.get('enum')
    const only = keywords.get('const')
    if ((list === undefined && only === undefined) || draft.values !== undefined) return
    const document = this.#document
    const items = only === undefined ? document.items(list) : [only]
    const entries = items.map((item) => [comparable(document.value(item)), item] as const)
    draft.values = new Map(entries.filter(([text]) => text !== 'null'))
  }

  /** Adds options. Returns the only one if the others are null, which makes it nullable. */
  #addOptions(draft: Draft, keywords: ReadonlyMap<string, NodeId>): NodeId | undefined {
    for (const key of ['oneOf', 'anyOf']) {
      const options = this.#document.items(keywords.get(key))
      const values = options.filter((option) => !this.#isNull(option))
      if (values.length < options.length) draft.isNullable = true
      const [only] = values
      if (only !== undefined && values.length === 1) return only
      if (draft.options.length === 0) draft.options = values
    }
    return undefined
  }

  #isNull(option: NodeId): boolean {
    const { types } = this.#reader.rules(option)
    return types?.length === 1 && types[0] === 'null'
  }
}

/** Returns the type that the keywords of a schema without a type imply. */
function impliedTypes({ keywords, properties, values }: Draft): ReadonlySet<string> | undefined {
  if (properties.size > 0 || keywords.has('additionalProperties')) return new Set(['object'])
  if (keywords.has('items')) return new Set(['array'])
  const texts = [...(values?.keys() ?? [])]
  return texts.length > 0 && texts.every((text) => text.startsWith('"'))
    ? new Set(['string'])
    : undefined
}

type Draft = { -readonly [Key in keyof FlatSchema]: FlatSchema[Key] } & {
  keywords: Map<string, NodeId>
  properties: Map<string, NodeId>
  required: Set<string>
  texts: NodeId[]
}

function createDraft(node: NodeId): Draft {
  return {
    node,
    keywords: new Map(),
    types: undefined,
    isNullable: false,
    values: undefined,
    properties: new Map(),
    required: new Set(),
    options: [],
    texts: [],
    lower: undefined,
    upper: undefined,
  }
}

function addTypes(draft: Draft, types: readonly string[]): void {
  if (types.includes('null')) draft.isNullable = true
  draft.types ??= new Set(types.filter((type) => type !== 'null'))
}

function addLimit(draft: Draft, kind: string, value: number): void {
  const isExclusive = kind === 'above' || kind === 'below'
  if (kind === 'least' || kind === 'above') draft.lower ??= { value, isExclusive }
  if (kind === 'most' || kind === 'below') draft.upper ??= { value, isExclusive }
}

/** Returns true if a boolean keyword is `true`. */
export function isTrue(document: SpecDocument, node: NodeId | undefined): boolean {
  return node !== undefined && document.kind(node) === KIND.true
}
