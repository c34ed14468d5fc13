/** Computes the initial values of a form. */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'

export type StartOptions = {
  readonly merged: (schema: SchemaData) => MergedSchema
  /**
   * True if required fields start with their `default` or their only possible value, and not just
   * with `x-default`.
   */
  readonly useDefaults: boolean
}

/**
 * Returns the initial value of a schema: `x-default`, or a value from the specification. A required
 * object starts with its own fields. An optional object is omitted until the reader opens it, so
 * that a recursive schema has a finite value.
 */
export function startValue(schema: SchemaData, options: StartOptions): Json | undefined {
  return requiredValue(schema, options, [])
}

function requiredValue(
  schema: SchemaData,
  options: StartOptions,
  above: readonly SchemaData[],
): Json | undefined {
  // The schema requires itself, so no value can match it.
  if (above.includes(schema)) return undefined
  const merged = options.merged(schema)
  if (merged.prefill !== undefined) return merged.prefill.value
  const only = options.useDefaults ? namedValue(merged) : undefined
  if (only !== undefined || merged.properties === undefined) return only
  const fields = merged.properties.flatMap(({ name, required, schema: inner }) => {
    const { prefill, readOnly } = options.merged(inner)
    if (readOnly) return []
    const value = required ? requiredValue(inner, options, [...above, schema]) : prefill?.value
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields)
}

/** Returns the default of a field, or the only value that the schema allows. */
export function namedValue(merged: MergedSchema): Json | undefined {
  if (merged.default !== undefined) return merged.default.value
  if (merged.const !== undefined) return merged.const.value
  return merged.enum?.length === 1 ? merged.enum[0] : undefined
}

/** Returns the value of a new item or of a newly chosen alternative. */
export function emptyValue(schema: SchemaData, merged: StartOptions['merged']): Json {
  const start = startValue(schema, { merged, useDefaults: true })
  if (start !== undefined) return start
  const { types, enum: values } = merged(schema)
  const [type] = types ?? []
  if (type === 'object') return {}
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  return values?.[0] ?? ''
}
