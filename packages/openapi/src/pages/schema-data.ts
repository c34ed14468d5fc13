/** Reads a schema of OpenAPI 3.0 or 3.1 as data, in the form of 3.1. */
import { WEB_ADDRESS } from '../check/check-links.ts'
import { canonicalReference } from '../document/pointer.ts'
import type { Json, SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { extensionField } from '../operations/extensions.ts'
import type { Specification } from '../specification.ts'
import type { DiscriminatorData, DocsLink, PropertyData, SchemaData } from './page-data.ts'

export type SchemaOptions = {
  /** Names of schema fields whose values are shown as pills (`api.params.post` of docs.json). */
  readonly pillFields: readonly string[]
}

const RULES = new Set([
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'dependentRequired',
])
const OTHERS = new Set([
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'contentSchema',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$defs',
  'dependentSchemas',
])

type Draft = { -readonly [Key in keyof SchemaData]: SchemaData[Key] }

/** Returns the data of one schema. The references in it become links. */
export function schemaData(
  specification: Specification,
  node: NodeId,
  options: SchemaOptions,
): SchemaData {
  const { document, version } = specification
  const kind = document.kind(node)
  if (kind === KIND.false) return { never: true }
  if (kind !== KIND.object) return {}
  const data: Draft = {}
  if (specification.isReference(node)) {
    const written = document.textField(node, '$ref') ?? ''
    data.ref = specification.schemaLink(node) ?? canonicalReference(written)
    // OpenAPI 3.0 ignores keys next to a reference.
    if (version === '3.0') return data
  }
  const reader = new SchemaReader(specification, options, data)
  for (const [key, value] of document.entries(node)) reader.read(key, value)
  reader.finish(node)
  return data
}

class SchemaReader {
  readonly #specification: Specification
  readonly #document: SpecDocument
  readonly #options: SchemaOptions
  readonly #data: Draft
  #rules: [string, Json][] | undefined
  #others: [string, SchemaData][] | undefined

  constructor(specification: Specification, options: SchemaOptions, data: Draft) {
    this.#specification = specification
    this.#document = specification.document
    this.#options = options
    this.#data = data
  }

  read(key: string, value: NodeId): void {
    const kind = this.#document.kind(value)
    switch (key) {
      case 'title':
      case 'description':
      case 'format':
        if (kind === KIND.string) this.#data[key] = this.#document.text(value)
        return
      case '$dynamicRef':
        if (kind === KIND.string) this.#data.dynamicRef = this.#document.text(value)
        return
      case 'type':
        this.#data.types =
          kind === KIND.string ? [this.#document.text(value)] : this.#document.texts(value)
        return
      case 'readOnly':
      case 'writeOnly':
      case 'deprecated':
        if (kind === KIND.true) this.#data[key] = true
        return
      case 'enum':
        this.#data.enum = this.#document.items(value).map((item) => this.#document.value(item))
        return
      case 'const':
      case 'default':
        this.#data[key] = { value: this.#document.value(value) }
        return
      case 'x-default':
        this.#data.prefill = { value: this.#document.value(value) }
        return
      case 'example':
        this.#data.examples = [this.#document.value(value)]
        return
      case 'examples':
        this.#data.examples = this.#document.items(value).map((item) => this.#document.value(item))
        return
      case 'externalDocs':
        this.#setDefined('docs', docsLink(this.#document, value))
        return
      case 'discriminator':
        this.#setDefined('discriminator', discriminatorData(this.#document, value))
        return
      default:
        this.#readSchemas(key, value)
    }
  }

  #readSchemas(key: string, value: NodeId): void {
    switch (key) {
      case 'properties':
        this.#data.properties = this.#document
          .entries(value)
          .map(([name, schema]): PropertyData => ({ name, schema: this.#schema(schema) }))
        return
      case 'patternProperties':
        this.#data.patternProperties = this.#document
          .entries(value)
          .map(([pattern, schema]) => [pattern, this.#schema(schema)])
        return
      case 'additionalProperties': {
        const kind = this.#document.kind(value)
        this.#data.additional =
          kind === KIND.true || kind === KIND.false ? kind === KIND.true : this.#schema(value)
        return
      }
      case 'items':
      case 'not':
        this.#data[key] = this.#schema(value)
        return
      case 'prefixItems':
      case 'allOf':
      case 'oneOf':
      case 'anyOf':
        this.#data[key] = this.#document.items(value).map((item) => this.#schema(item))
        return
      default:
        this.#readKeyword(key, value)
    }
  }

  #readKeyword(key: string, value: NodeId): void {
    if (RULES.has(key)) {
      this.#rules ??= []
      this.#rules.push([key, this.#document.value(value)])
    } else if (key === 'dependentSchemas' || key === '$defs') {
      this.#others ??= []
      for (const [name, schema] of this.#document.entries(value)) {
        this.#others.push([`${key}.${name}`, this.#schema(schema)])
      }
    } else if (OTHERS.has(key)) {
      this.#others ??= []
      this.#others.push([key, this.#schema(value)])
    }
  }

  finish(node: NodeId): void {
    if (this.#rules !== undefined) this.#data.rules = this.#upgradeRules(this.#rules)
    if (this.#others !== undefined) this.#data.others = this.#others
    if (this.#document.isTrue(node, 'nullable')) this.#addNull()
    this.#markRequired(node)
    const pre = this.#document.texts(extensionField(this.#document, node, 'pre'))
    if (pre.length > 0) this.#data.pre = pre
    const fieldPills = this.#options.pillFields.flatMap((field) => this.#pills(field, node))
    if (fieldPills.length > 0) this.#data.fieldPills = fieldPills
    const post = this.#document.texts(extensionField(this.#document, node, 'post'))
    if (post.length > 0) this.#data.post = post
  }

  /**
   * Allows null for a schema with `nullable` of OpenAPI 3.0. An `enum` stays unchanged, since it
   * must list null itself.
   */
  #addNull(): void {
    const { types } = this.#data
    if (types === undefined) this.#data.nullable = true
    else if (!types.includes('null')) this.#data.types = [...types, 'null']
  }

  /** Converts the boolean `exclusiveMinimum` of OpenAPI 3.0 to the number of 3.1. */
  #upgradeRules(rules: readonly [string, Json][]): readonly [string, Json][] {
    const exclusive = new Set(rules.filter(([, value]) => value === true).map(([key]) => key))
    return rules.flatMap(([key, value]): [string, Json][] => {
      if (key.startsWith('exclusive') && typeof value === 'boolean') return []
      if (key === 'uniqueItems' && value === false) return []
      const name = `exclusive${key.charAt(0).toUpperCase()}${key.slice(1)}`
      return [[exclusive.has(name) ? name : key, value]]
    })
  }

  #markRequired(node: NodeId): void {
    const names = new Set(this.#document.texts(this.#document.field(node, 'required')))
    if (names.size === 0) return
    const { properties } = this.#data
    if (properties !== undefined) {
      this.#data.properties = properties.map(({ name, schema }) =>
        names.delete(name) ? { name, required: true, schema } : { name, schema },
      )
    }
    if (names.size > 0) this.#data.required = [...names]
  }

  /**
   * Returns the pills of a field: a string as it is, the field's name for `true`, the digits of a
   * number, or one pill per item of a list.
   */
  #pills(field: string, node: NodeId): readonly string[] {
    const value = this.#document.field(node, field)
    if (value === undefined) return []
    switch (this.#document.kind(value)) {
      case KIND.true:
        return [field]
      case KIND.string:
      case KIND.number:
        return [this.#document.text(value)].filter((text) => text !== '')
      case KIND.array:
        return this.#document.texts(value)
      default:
        return []
    }
  }

  /** Reads a nested schema. A shared part is stored only once, so it becomes a link. */
  #schema(node: NodeId): SchemaData {
    const ref = this.#specification.partPointer(node)
    if (ref !== undefined) return { ref }
    return schemaData(this.#specification, node, this.#options)
  }

  #setDefined<Key extends 'docs' | 'discriminator'>(key: Key, value: Draft[Key]): void {
    if (value !== undefined) this.#data[key] = value
  }
}

function discriminatorData(document: SpecDocument, node: NodeId): DiscriminatorData | undefined {
  const property = document.textField(node, 'propertyName')
  if (property === undefined) return undefined
  const mapping = document.entries(document.field(node, 'mapping')).flatMap(([value, target]) => {
    if (document.kind(target) !== KIND.string) return []
    const text = document.text(target)
    const ref = text.startsWith('#') ? canonicalReference(text) : `#/components/schemas/${text}`
    return [[value, ref] as const]
  })
  return mapping.length === 0 ? { property } : { property, mapping }
}

export function docsLink(document: SpecDocument, node: NodeId | undefined): DocsLink | undefined {
  const url = document.textField(node, 'url')
  if (url === undefined || !WEB_ADDRESS.test(url)) return undefined
  const description = document.textField(node, 'description')
  return description === undefined ? { url } : { url, description }
}
