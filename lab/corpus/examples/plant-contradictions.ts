/** Plants one contradiction in each of several examples of a specification, at a known place. */

import type { Chance } from '../../fuzz/openapi/change-specification.ts'

export type Planted = { readonly pointer: string; readonly kind: string }

type Value = unknown
type Fields = Record<string, Value>
/** A value of an example, with the schema that describes it and the object that contains it. */
type Site = {
  readonly holder: Fields | Value[]
  readonly key: string | number
  readonly pointer: string
  readonly schema: Fields
  readonly direction: 'request' | 'response' | undefined
}

export class Planter {
  readonly #root: Fields
  readonly #chance: Chance
  readonly #sites: Site[] = []

  constructor(root: Fields, chance: Chance) {
    this.#root = root
    this.#chance = chance
    this.#find(root, '', undefined)
  }

  /** Changes up to `count` examples, skipping those around `avoided` pointers. */
  plant(count: number, avoided: readonly string[]): readonly Planted[] {
    const planted: Planted[] = []
    const used = [...avoided]
    for (let tries = 0; tries < count * 50 && planted.length < count; tries += 1) {
      if (this.#sites.length === 0) break
      const site = this.#chance.pick(this.#sites)
      const near = (other: string) =>
        other.startsWith(site.pointer) || site.pointer.startsWith(`${other}/`)
      if (used.some(near)) continue
      const kind = this.#chance.pick(Object.keys(MISTAKES))
      const value = at(site)
      const wrong = MISTAKES[kind]?.(value, site)
      if (wrong === undefined) continue
      put(site, wrong.value)
      const pointer = `${site.pointer}${wrong.below ?? ''}`
      planted.push({ pointer, kind })
      used.push(site.pointer)
    }
    return planted
  }

  /** Walks the document as OpenAPI describes it, and notes every value of every example. */
  #find(node: Value, pointer: string, direction: Site['direction']): void {
    if (!isFields(node)) return
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) this.#find(item, `${pointer}/${index}`, direction)
      return
    }
    const schema = node.schema
    if (isFields(schema) && (!pointer.includes('/content/') || /json$/.test(pointer))) {
      const { examples = {} } = node as { examples?: Fields }
      if ('example' in node)
        this.#values(
          { holder: node, key: 'example', pointer: `${pointer}/example`, schema, direction },
          0,
        )
      for (const [name, one] of Object.entries(examples)) {
        if (!isFields(one) || !('value' in one)) continue
        const place = `${pointer}/examples/${escapeToken(name)}/value`
        this.#values({ holder: one, key: 'value', pointer: place, schema, direction }, 0)
      }
    }
    if (typeof node.type === 'string' && !pointer.endsWith('/properties')) {
      for (const key of ['example', 'default'] as const) {
        if (key in node)
          this.#values(
            { holder: node, key, pointer: `${pointer}/${key}`, schema: node, direction: undefined },
            0,
          )
      }
    }
    for (const [key, inner] of Object.entries(node)) {
      if (['example', 'examples', 'default', 'enum', 'webhooks', 'callbacks'].includes(key))
        continue
      const next = key === 'requestBody' ? 'request' : key === 'responses' ? 'response' : direction
      this.#find(inner, `${pointer}/${escapeToken(key)}`, next)
    }
  }

  /** Notes a value and the values inside it, as far as one schema surely describes each. */
  #values(site: Site, depth: number): void {
    const schema = this.#follow(site.schema)
    if (schema === undefined || depth > 12) return
    this.#sites.push({ ...site, schema })
    const value = at(site)
    if (Array.isArray(value) && isFields(schema.items)) {
      for (const index of value.keys()) {
        this.#values(
          {
            ...site,
            holder: value,
            key: index,
            pointer: `${site.pointer}/${index}`,
            schema: schema.items,
          },
          depth + 1,
        )
      }
    } else if (isFields(value) && isFields(schema.properties)) {
      for (const name of Object.keys(value)) {
        const inner = schema.properties[name]
        if (!Object.hasOwn(schema.properties, name) || !isFields(inner)) continue
        this.#values(
          {
            ...site,
            holder: value,
            key: name,
            pointer: `${site.pointer}/${escapeToken(name)}`,
            schema: inner,
          },
          depth + 1,
        )
      }
    }
  }

  /** Returns the schema without references and with `allOf` merged; undefined if there is a choice. */
  #follow(schema: Value, hops = 0): Fields | undefined {
    if (!isFields(schema) || hops > 20 || 'oneOf' in schema || 'anyOf' in schema) return undefined
    if (typeof schema.$ref === 'string') return this.#follow(this.#target(schema.$ref), hops + 1)
    if (!Array.isArray(schema.allOf)) return schema
    const parts = schema.allOf.map((part) => this.#follow(part, hops + 1))
    if (parts.includes(undefined)) return undefined
    const properties = Object.assign(
      {},
      ...parts.map((part) => part?.properties ?? {}),
      schema.properties,
    )
    // Nullable or closed in one part is not decided here.
    const { additionalProperties: _, required: __, ...merged } = Object.assign({}, ...parts, schema)
    return { ...merged, properties }
  }

  #target(ref: string): Value {
    const tokens = decodeURIComponent(ref.slice(2)).split('/')
    return tokens.reduce<Value>(
      (node, token) =>
        isFields(node) ? node[token.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined,
      this.#root,
    )
  }
}

type Wrong = { readonly value: Value; readonly below?: string }

const MISTAKES: Readonly<Record<string, (value: Value, site: Site) => Wrong | undefined>> = {
  type: (value, { schema, pointer }) => {
    const { type } = schema
    // The example of a parameter may be its text in the request.
    if (pointer.includes('/parameters/') && (type === 'array' || type === 'object'))
      return undefined
    if (type === 'string' && typeof value === 'string') return { value: 12 }
    if (type === 'integer' || type === 'number') return { value: 'abc' }
    if (type === 'boolean') return { value: 'yes' }
    if (type === 'array') return { value: { a: 1 } }
    return type === 'object' ? { value: ['a'] } : undefined
  },
  fraction: (value, { schema }) =>
    schema.type === 'integer' && typeof value === 'number' ? { value: value + 0.5 } : undefined,
  quoted: (value) => (typeof value === 'number' ? { value: String(value) } : undefined),
  null: (_value, { schema }) => {
    const isString = typeof schema.type === 'string' && schema.type !== 'null'
    const mayBe = schema.nullable === true || schema['x-nullable'] === true
    return isString && !mayBe ? { value: null } : undefined
  },
  enum: (value, { schema }) =>
    Array.isArray(schema.enum) && typeof value === 'string'
      ? { value: 'no such value' }
      : undefined,
  minimum: (value, { schema }) =>
    typeof schema.minimum === 'number' && typeof value === 'number'
      ? { value: schema.minimum - 1 }
      : undefined,
  maximum: (value, { schema }) =>
    typeof schema.maximum === 'number' && typeof value === 'number'
      ? { value: schema.maximum + 1 }
      : undefined,
  maxLength: (value, { schema }) =>
    typeof schema.maxLength === 'number' &&
    schema.maxLength < 10_000 &&
    typeof value === 'string' &&
    schema.format !== 'binary'
      ? { value: 'x'.repeat(schema.maxLength + 1) }
      : undefined,
  minItems: (value, { schema }) =>
    Array.isArray(value) && typeof schema.minItems === 'number' && schema.minItems > 0
      ? { value: [] }
      : undefined,
  format: (value, { schema }) =>
    typeof value === 'string' &&
    ['date', 'date-time', 'uuid', 'email', 'ipv4'].includes(String(schema.format))
      ? { value: 'the day after tomorrow' }
      : undefined,
  required: (value, { schema, direction }) => {
    if (!isFields(value) || Array.isArray(value) || !Array.isArray(schema.required))
      return undefined
    const properties = isFields(schema.properties) ? schema.properties : {}
    const name = schema.required.find((one) => {
      const property = properties[one]
      return (
        Object.hasOwn(value, one) &&
        isFields(property) &&
        !('$ref' in property) &&
        !property.readOnly &&
        !property.writeOnly
      )
    })
    if (typeof name !== 'string' || direction === undefined) return undefined
    const { [name]: _, ...rest } = value
    return { value: rest }
  },
  additional: (value, { schema }) =>
    isFields(value) &&
    !Array.isArray(value) &&
    schema.additionalProperties === false &&
    !('patternProperties' in schema)
      ? { value: { ...value, 'no-such-property': 1 }, below: '/no-such-property' }
      : undefined,
  readOnly: (value, { schema, direction }) => {
    if (direction !== 'request' || !isFields(value) || !isFields(schema.properties))
      return undefined
    const [name] =
      Object.entries(schema.properties).find(
        ([one, property]) =>
          isFields(property) && property.readOnly === true && !Object.hasOwn(value, one),
      ) ?? []
    return name === undefined
      ? undefined
      : { value: { ...value, [name]: 'x' }, below: `/${escapeToken(name)}` }
  },
}

function at({ holder, key }: Site): Value {
  return (holder as Fields)[key]
}

function put({ holder, key }: Site, value: Value): void {
  Object.assign(holder, { [key]: value })
}

function isFields(value: Value): value is Fields {
  return typeof value === 'object' && value !== null
}

function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}
