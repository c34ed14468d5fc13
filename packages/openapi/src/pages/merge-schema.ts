/**
 * A schema as it is shown: references followed and `allOf` merged. Each part is merged once, so the
 * cost is linear even if the parts refer to each other in a thousand ways.
 */
import type { PropertyData, SchemaData } from './page-data.ts'

/** Returns the schema of a link. */
export type ResolveSchema = (ref: string) => SchemaData | undefined

export type MergedSchema = Omit<SchemaData, 'ref' | 'allOf' | 'oneOf' | 'anyOf'> & {
  /** The links that were followed, outermost first: the first is the schema's name. */
  readonly refs: readonly string[]
  /** A value must match each of these. `one`: exactly one option; `any`: at least one. */
  readonly choices: readonly { readonly kind: 'one' | 'any'; readonly of: readonly SchemaData[] }[]
}

/** Parts of one schema that are merged; any further ones are not shown. */
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
  /** A stack: the next part is last. */
  const waiting = [schema]
  // Only leading links name the whole schema; those inside `allOf` name a part of it.
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
      // A schema or null is not a choice, but a nullable schema.
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
    // In OpenAPI 3.0, `allOf` with a single link is the way to add keywords to it.
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

/** The outer schema takes precedence; fields that can coexist are combined. */
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

/** A property that two parts describe must match both. */
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

/** Returns the pills before a field's name, and those after it: built-in ones, then others. */
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
