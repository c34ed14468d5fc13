/** Turns the schema of a request into plain JSON Schema without references, for other tools. */

export type Fields = { [key: string]: unknown }

/** Thrown if a schema cannot be written without references within the limits. */
export class TooComplex extends Error {}

const DEPTH_MAX = 7
const NODES_MAX = 600
const FORMATS = new Set(['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uuid', 'uri', 'binary'])
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames']
const PLAIN = [
  'const',
  'enum',
  'type',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]

export class SchemaConverter {
  readonly #root: Fields
  #left = 0

  constructor(root: Fields) {
    this.#root = root
  }

  convert(schema: unknown): Fields {
    this.#left = NODES_MAX
    return this.#convert(schema, 0)
  }

  /** Returns the target of a reference, and any other value itself. */
  resolve(value: unknown): Fields {
    let at = value
    for (let hop = 0; hop < 20 && isFields(at) && typeof at.$ref === 'string'; hop += 1) {
      let target: unknown = this.#root
      for (const token of at.$ref.replace(/^#\/?/, '').split('/')) {
        const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
        const isHolder = typeof target === 'object' && target !== null
        target = isHolder ? (target as Fields)[key] : undefined
      }
      at = target
    }
    return isFields(at) ? at : {}
  }

  #convert(written: unknown, depth: number): Fields {
    this.#left -= 1
    if (this.#left < 0 || depth > DEPTH_MAX) throw new TooComplex()
    if (written === false) return { not: {} }
    if (!isFields(written)) return {}
    const isReference = typeof written.$ref === 'string'
    const { $ref: _, ...own } = written
    if (isReference && Object.keys(own).length > 0 && !this.#is30()) {
      return { allOf: [this.#convert(this.resolve(written), depth), this.#convert(own, depth)] }
    }
    const schema = isReference ? this.resolve(written) : written
    for (const key of ['if', '$dynamicRef', 'unevaluatedProperties', 'dependentSchemas']) {
      if (key in schema) throw new TooComplex()
    }
    const converted: Fields = {}
    for (const key of PLAIN) if (key in schema) converted[key] = schema[key]
    if (FORMATS.has(String(schema.format))) converted.format = schema.format
    this.#bounds(converted)
    // The generator fills lists, whose product can be millions of values.
    if (typeof schema.maxItems === 'number') {
      converted.maxItems = Math.min(schema.maxItems, Math.max(3, Number(schema.minItems ?? 0)))
    }
    for (const key of LISTS) {
      if (Array.isArray(schema[key])) converted[key] = this.#list(schema[key], key, depth)
    }
    for (const key of SINGLE) {
      if (typeof schema[key] === 'boolean') converted[key] = schema[key]
      else if (key in schema) converted[key] = this.#convert(schema[key], depth + 1)
    }
    if (isFields(schema.patternProperties)) throw new TooComplex()
    this.#properties(schema, converted, depth)
    const isNullable = schema.nullable === true || schema['x-nullable'] === true
    return isNullable ? { anyOf: [converted, { type: 'null' }] } : converted
  }

  #is30(): boolean {
    return String(this.#root.openapi).startsWith('3.0')
  }

  /** Reads the boolean bounds of OpenAPI 3.0. */
  #bounds(schema: Fields): void {
    for (const [exclusive, plain] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (typeof schema[exclusive] !== 'boolean') continue
      if (schema[exclusive] === true) {
        schema[exclusive] = schema[plain]
        delete schema[plain]
      } else delete schema[exclusive]
    }
  }

  /** Converts a list of schemas. Options that are too complex are dropped, but not the last one. */
  #list(schemas: readonly unknown[], key: string, depth: number): readonly Fields[] {
    if (key === 'allOf' || key === 'prefixItems') {
      return schemas.map((one) => this.#convert(one, depth + (key === 'allOf' ? 0 : 1)))
    }
    return schemas.map((one) => this.#convert(one, depth + 1))
  }

  #properties(schema: Fields, converted: Fields, depth: number): void {
    const required = Array.isArray(schema.required) ? schema.required.map(String) : []
    const written = isFields(schema.properties) ? schema.properties : {}
    const properties: Fields = {}
    const dropped = new Set<string>()
    for (const [name, property] of Object.entries(written)) {
      if (this.#isReadOnly(property)) {
        // Our own rule: a request has no read-only properties.
        properties[name] = { not: {} }
        dropped.add(name)
        continue
      }
      try {
        properties[name] = this.#convert(property, depth + 1)
      } catch (error) {
        if (!(error instanceof TooComplex) || required.includes(name)) throw error
        properties[name] = { not: {} }
      }
    }
    if (Object.keys(properties).length > 0) converted.properties = properties
    const still = required.filter((name) => !dropped.has(name))
    if (still.length > 0) converted.required = still
  }

  #isReadOnly(property: unknown): boolean {
    if (!isFields(property)) return false
    const target = this.resolve(property)
    const parts = Array.isArray(target.allOf) ? target.allOf : []
    return [property, target, ...parts].some((one) => isFields(one) && one.readOnly === true)
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
