import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, type JsonObject, placeOfMember, renameKey } from '../json/json-node.ts'
import { correctionOf, nearest } from '../text/nearest.ts'
import { type JsonSchema, nameOf, reportInvalid, type Schema, wrongType } from './schema.ts'

export type Field<Value, Required extends boolean> = {
  readonly schema: Schema<Value>
  readonly required: Required
  /** A description for editors, in one sentence. */
  readonly about: string
}

export type Fields = Readonly<Record<string, Field<unknown, boolean>>>

export type ShapeValue<F extends Fields> = {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: FieldValue<F[K]>
} & {
  readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: FieldValue<F[K]>
}

type FieldValue<F> = F extends Field<infer Value, boolean> ? Value : never

export function required<Value>(schema: Schema<Value>, about: string): Field<Value, true> {
  return { schema, required: true, about }
}

export function optional<Value>(schema: Schema<Value>, about: string): Field<Value, false> {
  return { schema, required: false, about }
}

/** Old keys, with a sentence about the replacement: "Use `navbar.links`." */
export type LegacyKeys = Readonly<Record<string, string>>

export type ShapeRules = {
  /** Describes the expected object in messages: "an object with `label` and `href`". */
  readonly expected?: string
  readonly legacy?: LegacyKeys
}

/** An object with known keys. An unknown key is reported with the most similar known key. */
export function shape<const F extends Fields>(
  fields: F,
  rules: ShapeRules = {},
): Schema<ShapeValue<F>> & { readonly fields: F } {
  const expected = rules.expected ?? 'an object'
  const known = new Set(Object.keys(fields))
  const needed = Object.keys(fields).filter((key) => fields[key]?.required)
  return {
    fields,
    json: shapeJson(fields),
    expected,
    types: ['object'],
    read(node, report) {
      if (node.type !== 'object') return wrongType(report, node, expected)
      reportUnknownKeys({ node, known, legacy: rules.legacy ?? {}, report })
      const value = readFields(node, fields, report)
      return reportMissing({ node, value, fields, needed, report })
        ? undefined
        : (value as ShapeValue<F>)
    },
  }
}

/**
 * Reads the valid fields. Loops over the keys that are present, since most elements have few of the
 * possible keys.
 */
export function readFields<F extends Fields>(
  node: JsonObject,
  fields: F,
  report: Report,
): Partial<ShapeValue<F>> {
  const value: Record<string, unknown> = {}
  for (const [key, { value: written }] of node.members) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    const read = field?.schema.read(written, report)
    if (read !== undefined) value[key] = read
  }
  return value as Partial<ShapeValue<F>>
}

/** Reports required fields that are missing; returns true if any is missing or invalid. */
function reportMissing(check: {
  readonly node: JsonObject
  readonly value: object
  readonly fields: Fields
  readonly needed: readonly string[]
  readonly report: Report
}): boolean {
  const { node, value, fields, needed, report } = check
  const missing = needed.filter((key) => !Object.hasOwn(value, key))
  for (const key of missing) {
    if (node.members.has(key)) continue
    reportInvalid(report, node, 'value/missing', {
      message: `${nameOf(node)} has no \`${key}\`.`,
      hint: `Add \`${key}\`: ${fields[key]?.schema.expected}.`,
    })
  }
  return missing.length > 0
}

/** Reports unknown keys, so that a typo never disables a setting without a message. */
export function reportUnknownKeys(options: {
  readonly node: JsonObject
  readonly known: ReadonlySet<string>
  readonly legacy: LegacyKeys
  /** Returns a hint for a key that is valid elsewhere. */
  readonly hintFor?: (key: string) => string | undefined
  readonly report: Report
}): void {
  const { node, known, legacy, hintFor, report } = options
  for (const key of node.members.keys()) {
    if (known.has(key) || key === '$schema') continue
    const owner = node.parent === undefined ? '' : ` in ${nameOf(node)}`
    const replaced = Object.hasOwn(legacy, key) ? legacy[key] : undefined
    const place = placeOfMember(node, key)
    if (replaced !== undefined) {
      const message = `The key \`${key}\`${owner} is outdated and has no effect.`
      report(diagnose('key/legacy', place, { message, hint: hintForLegacy(node, replaced) }))
      continue
    }
    const message = `Unknown key \`${key}\`${owner}; it has no effect.`
    const elsewhere = hintFor?.(key)
    const hint = elsewhere ?? hintForUnknown(key, [...known])
    const put = elsewhere === undefined ? correctionOf(key, known) : undefined
    const fix = put === undefined ? undefined : renameKey(node, key, put)
    report(diagnose('key/unknown', place, { message, hint, fix }))
  }
}

/**
 * Returns a hint for an old key. "Use `seo.indexing`." would not help if that key is already
 * present.
 */
function hintForLegacy(node: JsonObject, hint: string): string {
  const target = /^Use `([\w.]+)`/.exec(hint)?.[1]
  if (target === undefined) return hint
  let at: JsonNode | undefined = node
  while (at.parent !== undefined) at = at.parent
  for (const key of target.split('.')) {
    at = at?.type === 'object' ? at.members.get(key)?.value : undefined
  }
  return at === undefined ? hint : `Remove it: \`${target}\` is already set.`
}

function hintForUnknown(key: string, known: readonly string[]): string {
  const guess = nearest(key, known)
  if (guess !== undefined) return `Did you mean \`${guess}\`?`
  if (known.length === 0 || known.length > 12) return 'Remove it, or check its spelling.'
  return `Allowed keys: ${known.map((name) => `\`${name}\``).join(', ')}.`
}

/** A union of objects in which one key selects the schema: `{"type": "button", …}`. */
export function tagged<Choices extends Readonly<Record<string, Schema<unknown>>>>(
  tag: string,
  choices: Choices,
  fallback: keyof Choices & string,
): Schema<
  { [K in keyof Choices]: Choices[K] extends Schema<infer Value> ? Value : never }[keyof Choices]
> {
  type Value = {
    [K in keyof Choices]: Choices[K] extends Schema<infer Read> ? Read : never
  }[keyof Choices]
  const names = Object.keys(choices)
  const first = choices[fallback]
  const expected = first?.expected ?? 'an object'
  return {
    json: { anyOf: Object.values(choices).map((choice) => choice.json) },
    expected,
    types: ['object'],
    read(node, report) {
      if (node.type !== 'object') return wrongType(report, node, expected)
      const name = tagValue(node, tag)
      const choice = name !== undefined && Object.hasOwn(choices, name) ? choices[name] : first
      return choice?.read(node, report) as Value | undefined
    },
  }

  function tagValue(node: JsonObject, key: string): string | undefined {
    const written: JsonNode | undefined = node.members.get(key)?.value
    return written?.type === 'string' && names.includes(written.value) ? written.value : undefined
  }
}

/**
 * Returns the JSON Schema of an object with known keys, or of a `$ref` to a file that contains the
 * object.
 */
export function shapeJson(fields: Fields): JsonSchema {
  const properties: Record<string, unknown> = {
    $ref: { type: 'string', description: 'A JSON file that contains this object.' },
  }
  for (const [key, field] of Object.entries(fields)) {
    properties[key] = { ...field.schema.json, description: field.about }
  }
  const needed = Object.keys(fields).filter((key) => fields[key]?.required)
  const base = { type: 'object', properties, additionalProperties: false }
  if (needed.length === 0) return base
  return { ...base, anyOf: [{ required: needed }, { required: ['$ref'] }] }
}
