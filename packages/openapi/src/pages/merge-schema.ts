/**
 * Merges a schema for display: follows its references and combines `allOf`. Each part is merged
 * only once, so the time is linear no matter how often the parts refer to each other.
 */
import type { PropertyData, SchemaData } from './page-data.ts'

/** Returns the schema that a link refers to; undefined if the link is broken. */
export type ResolveSchema = (ref: string) => SchemaData | undefined

export type MergedSchema = Omit<SchemaData, 'ref' | 'allOf' | 'oneOf' | 'anyOf'> & {
  /** The links that were followed, in order. The first one is the name of the schema. */
  readonly refs: readonly string[]
  /** Every choice must be satisfied: exactly one option for `one`, and at least one for `any`. */
  readonly choices: readonly { readonly kind: 'one' | 'any'; readonly of: readonly SchemaData[] }[]
}

/** The maximum number of parts of a schema that are merged. Further parts are not shown. */
const PARTS_MAX = 1_000

type Draft = { -readonly [Key in keyof MergedSchema]: MergedSchema[Key] }

export function mergeSchema(schema: SchemaData, resolve: ResolveSchema): MergedSchema {
  const merged: Draft & { refs: string[]; choices: MergedSchema['choices'][number][] } = {
    refs: [],
    choices: [],
  }
  const properties = new Map<string, PropertyData>()
  const required = new Set<string>()
  const seen = new Set<string>()
  /** The parts to merge, as a stack: the last one is next. */
  const waiting = [schema]
  // Links at the start name the whole schema. Links inside of `allOf` only name a part of it.
  let isNamed = true
  for (let count = 0; count < PARTS_MAX; count += 1) {
    const part = waiting.pop()
    if (part === undefined) break
    const { ref, allOf, oneOf, anyOf, properties: own, required: names, ...rest } = part
    addPart(merged, rest)
    for (const property of own ?? []) addProperty(properties, property)
    for (const name of names ?? []) required.add(name)
    const choices = [
      { kind: 'one', of: oneOf },
      { kind: 'any', of: anyOf },
    ] as const
    let only: SchemaData | undefined
    for (const { kind, of = [] } of choices) {
      const values = of.filter((option) => !isNull(option))
      if (values.length < of.length && values.length > 0) merged.nullable = true
      // An option and null together are not a choice but a nullable schema.
      if (values.length === 1 && of.length > 1) only = values[0]
      else if (of.length > 0) merged.choices.push({ kind, of: values.length > 0 ? values : of })
    }
    if (only !== undefined) waiting.push(only)
    for (const inner of (allOf ?? []).slice(0, PARTS_MAX).toReversed()) waiting.push(inner)
    if (ref !== undefined && !seen.has(ref)) {
      seen.add(ref)
      if (isNamed) merged.refs.push(ref)
      const target = resolve(ref)
      if (target !== undefined) waiting.push(target)
    }
    // OpenAPI 3.0 ignores keywords next to a link, so authors write `allOf` with a single link
    // instead.
    isNamed &&=
      ref !== undefined || (own === undefined && (allOf?.length === 1 || only !== undefined))
  }
  if (merged.nullable && merged.types !== undefined && !merged.types.includes('null')) {
    merged.types = [...merged.types, 'null']
  }
  if (properties.size > 0) merged.properties = markRequired([...properties.values()], required)
  for (const name of properties.keys()) required.delete(name)
  if (required.size > 0) merged.required = [...required]
  return merged
}

function isNull({ types, ...rest }: SchemaData): boolean {
  return types?.length === 1 && types[0] === 'null' && Object.keys(rest).length === 0
}

/**
 * Adds a part. For most fields, the outermost value is used; lists of rules and pills are joined.
 */
function addPart(merged: Draft, part: Omit<SchemaData, 'ref'>): void {
  const { rules, pre, fieldPills, post, patternProperties, others, not, ...fields } = part
  for (const [key, value] of Object.entries(fields)) {
    if (!Object.hasOwn(merged, key)) Object.assign(merged, { [key]: value })
  }
  append(merged, { rules, pre, fieldPills, post, patternProperties, others })
  if (not === undefined) return
  if (merged.not === undefined) merged.not = not
  else append(merged, { others: [['not', not]] })
}

type Lists = Pick<
  MergedSchema,
  'rules' | 'pre' | 'fieldPills' | 'post' | 'patternProperties' | 'others'
>

function append(
  merged: Draft,
  lists: { readonly [Key in keyof Lists]: Lists[Key] | undefined },
): void {
  for (const [key, list] of Object.entries(lists)) {
    if (list === undefined) continue
    const known = merged[key as keyof Lists] ?? []
    Object.assign(merged, { [key]: [...known, ...list] })
  }
}

/** Adds a property. If two parts describe the same property, its value must match both. */
function addProperty(properties: Map<string, PropertyData>, property: PropertyData): void {
  const known = properties.get(property.name)
  if (known === undefined) {
    properties.set(property.name, property)
    return
  }
  const required = known.required || property.required ? { required: true as const } : {}
  const isSame = JSON.stringify(known.schema) === JSON.stringify(property.schema)
  const schema = isSame ? known.schema : { allOf: [known.schema, property.schema] }
  properties.set(property.name, { name: property.name, ...required, schema })
}

function markRequired(
  properties: readonly PropertyData[],
  required: ReadonlySet<string>,
): readonly PropertyData[] {
  return properties.map((property) =>
    required.has(property.name) && !property.required
      ? { ...property, required: true as const }
      : property,
  )
}

/**
 * Returns the pills before and after a field's name. Built-in pills are the first ones after it.
 */
export function pillsOf(
  schema: Pick<SchemaData, 'pre' | 'fieldPills' | 'post' | 'readOnly' | 'writeOnly'>,
): {
  readonly before: readonly string[]
  readonly after: readonly string[]
} {
  const builtIn = [
    ...(schema.readOnly ? ['read-only'] : []),
    ...(schema.writeOnly ? ['write-only'] : []),
  ]
  return {
    before: schema.pre ?? [],
    after: [...builtIn, ...(schema.fieldPills ?? []), ...(schema.post ?? [])],
  }
}
