/** What a form begins with, before the reader types anything. */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'

export type StartOptions = {
  readonly merged: (schema: SchemaData) => MergedSchema
  /** Fill required fields with their `default` or their only value too, not with `x-default` alone. */
  readonly useDefaults: boolean
}

/**
 * The value of a schema that is sent in any case: `x-default`, or the value that the specification
 * names for it. A required object begins with its own fields. An optional object stays away until
 * the reader opens it, so a schema that contains itself ends here.
 */
export function startValue(schema: SchemaData, options: StartOptions): Json | undefined {
  return requiredValue(schema, options, [])
}

function requiredValue(
  schema: SchemaData,
  options: StartOptions,
  above: readonly SchemaData[],
): Json | undefined {
  // Only a schema that requires itself, which no value can fit, comes by here twice.
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

/** The value that the specification gives a field: its default, or the only one that fits. */
export function namedValue(merged: MergedSchema): Json | undefined {
  if (merged.default !== undefined) return merged.default.value
  if (merged.const !== undefined) return merged.const.value
  return merged.enum?.length === 1 ? merged.enum[0] : undefined
}
