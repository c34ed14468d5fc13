/**
 * A schema describes what an author may write. It is defined once for two purposes: `read` checks a
 * node and returns a typed value, and `json` describes the same values to editors as JSON Schema. A
 * schema never throws; it reports and omits invalid values.
 */
import { type DiagnosticText, diagnose, type Fix, type Report } from '../diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts'
import {
  describePath,
  describeType,
  type JsonNode,
  type JsonString,
  placeOf,
  placeOfKey,
  replaceWord,
  toValue,
} from '../json/json-node.ts'
import { correctionOf, didYouMean } from '../text/nearest.ts'

export type JsonSchema = { readonly [key: string]: unknown }

export type Schema<Value> = {
  readonly json: JsonSchema
  /**
   * Describes the expected value in messages that say "expected …": "a string", "true or false".
   */
  readonly expected: string
  /** The node types that this schema reads. A union uses them to select a schema by type. */
  readonly types: readonly JsonNode['type'][]
  readonly read: (node: JsonNode, report: Report) => Value | undefined
}

export type ValueOf<S> = S extends Schema<infer Value> ? Value : never

/** Reports a problem at the place of a value. */
export function reportInvalid(
  report: Report,
  node: JsonNode,
  code: DiagnosticCode,
  text: DiagnosticText,
): undefined {
  report(diagnose(code, placeOf(node), text))
  return undefined
}

/** Returns how messages refer to a value: by its path, or by the file name for the root. */
export function nameOf(node: JsonNode): string {
  const path = describePath(node)
  return path === '' ? node.source.file : `\`${path}\``
}

export function wrongType(report: Report, node: JsonNode, expected: string): undefined {
  const isWord = node.type === 'number' || node.type === 'boolean'
  const quoted = isWord && expected === 'a string' ? ` in quotes: "${node.text}"` : ''
  return reportInvalid(report, node, 'value/wrong-type', {
    message: `${nameOf(node)} is ${describeType(node)}, which is not allowed here.`,
    hint: `Write ${expected}${quoted}.`,
  })
}

export type TextRules = {
  readonly expected?: string
  readonly json?: JsonSchema
  /** Returns a description of the problem, or undefined. The text is already trimmed. */
  readonly check?: (value: string) => string | undefined
  /** The hint for problems that `check` finds. */
  readonly hint?: string
}

/** A string. An empty string is reported in docs.json; in frontmatter it counts as missing. */
export function text(rules: TextRules = {}): Schema<string> {
  const { expected = 'a string', check, hint = `Write ${expected}.` } = rules
  return {
    json: { type: 'string', ...rules.json },
    expected,
    types: ['string'],
    read(node, report) {
      const written = writtenText(node)
      if (written === undefined) return wrongType(report, node, expected)
      const value = written.trim()
      if (value === '') return isYaml(node) ? undefined : emptyText(node, expected, report)
      const wrong = check?.(value)
      if (wrong === undefined) return value
      return reportInvalid(report, node, 'value/invalid', {
        message: `${nameOf(node)} ${wrong}.`,
        hint,
      })
    },
  }
}

function emptyText(node: JsonNode, expected: string, report: Report): string {
  const hint = `Write ${expected}, or remove the key if it is not needed.`
  reportInvalid(report, node, 'value/empty', { message: `${nameOf(node)} is empty.`, hint })
  return ''
}

/**
 * Returns the text as written: YAML parses `tag: 2` and `tag: true` as other types, but authors
 * mean the text.
 */
function writtenText(node: JsonNode): string | undefined {
  if (node.type === 'string') return node.value
  const isScalar = node.type === 'number' || node.type === 'boolean'
  return isScalar && isYaml(node) ? node.text : undefined
}

function isYaml(node: JsonNode): boolean {
  return !node.source.file.endsWith('.json')
}

export const flag: Schema<boolean> = {
  json: { type: 'boolean' },
  expected: '`true` or `false`',
  types: ['boolean'],
  read(node, report) {
    if (node.type === 'boolean') return node.value
    const word = node.type === 'string' ? node.value.trim().toLowerCase() : ''
    if (word !== 'true' && word !== 'false') return wrongType(report, node, flag.expected)
    reportInvalid(report, node, 'value/quoted', {
      message: `${nameOf(node)} is the string "${word}"; it is interpreted as \`${word}\`.`,
      hint: 'Remove the quotes.',
      fix: unquoted(node, word),
    })
    return word === 'true'
  },
}

export const amount: Schema<number> = {
  json: { type: 'number' },
  expected: 'a number',
  types: ['number'],
  read(node, report) {
    if (node.type === 'number') return node.value
    const value =
      node.type === 'string' && node.value.trim() !== '' ? Number(node.value) : Number.NaN
    if (!Number.isFinite(value)) return wrongType(report, node, 'a number')
    reportInvalid(report, node, 'value/quoted', {
      message: `${nameOf(node)} is a string; it is interpreted as the number ${value}.`,
      hint: 'Remove the quotes.',
      fix: unquoted(node, String(value)),
    })
    return value
  },
}

function unquoted(node: JsonNode, word: string): Fix | undefined {
  const fix = node.type === 'string' ? correctValue(node, word) : undefined
  return fix === undefined ? undefined : { ...fix, put: word }
}

/** Returns a fix that replaces a string and keeps its quotes. */
export function correctValue(node: JsonString, put: string | undefined): Fix | undefined {
  if (put === undefined) return undefined
  return replaceWord(node.source, node.start, { word: node.value, put })
}

/** Any value, which is returned as plain data. */
export const anything: Schema<unknown> = {
  json: {},
  expected: 'any value',
  types: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  read: toValue,
}

/** One word from a fixed set. */
export function oneOf<const Word extends string>(words: readonly Word[]): Schema<Word> {
  const listed = words.map((word) => `\`${word}\``)
  const expected = listed.length > 1 ? `one of ${listed.join(', ')}` : (listed[0] ?? 'nothing')
  return {
    json: { type: 'string', enum: [...words] },
    expected,
    types: ['string'],
    read(node, report) {
      if (node.type !== 'string') return wrongType(report, node, expected)
      const found = words.find((word) => word === node.value)
      if (found !== undefined) return found
      return reportInvalid(report, node, 'value/invalid', {
        message: `${nameOf(node)} is "${node.value}", which is not an allowed value.`,
        hint: didYouMean(node.value, words, `Write ${expected}.`),
        fix: correctValue(node, correctionOf(node.value, words)),
      })
    },
  }
}

export type ListRules = {
  readonly min?: number
  readonly max?: number
  /** Returns the part of an entry that must be unique in the list. */
  readonly uniqueBy?: (item: JsonNode) => JsonNode | undefined
}

/** A list. Invalid entries are reported and omitted. */
export function listOf<Value>(
  entry: Schema<Value>,
  rules: ListRules = {},
): Schema<readonly Value[]> {
  const { min = 0, max = Number.POSITIVE_INFINITY } = rules
  const expected = `a list, each entry ${entry.expected}`
  return {
    json: listJson({
      items: entry.json,
      ...(min > 0 ? { minItems: min } : {}),
      ...(Number.isFinite(max) ? { maxItems: max } : {}),
    }),
    expected,
    types: ['array'],
    read(node, report) {
      if (node.type !== 'array') return wrongType(report, node, expected)
      const { length } = node.items
      if (length < min || length > max) {
        const bounds = length < min ? `at least ${min}` : `at most ${max}`
        reportInvalid(report, node, 'value/invalid', {
          message: `${nameOf(node)} has ${length} entries; expected ${bounds}.`,
          hint: length < min ? 'Add an entry, or remove the key.' : 'Remove some entries.',
        })
      }
      if (rules.uniqueBy !== undefined) reportRepeated(node.items, rules.uniqueBy, report)
      return node.items.flatMap((item) => {
        const value = entry.read(item, report)
        return value === undefined ? [] : [value]
      })
    },
  }
}

/** Returns the JSON Schema of a list, or of a `$ref` to a file that contains it. */
export function listJson(rules: JsonSchema): JsonSchema {
  return { anyOf: [{ type: 'array', ...rules }, { $ref: '#/definitions/part' }] }
}

function reportRepeated(
  items: readonly JsonNode[],
  uniqueBy: (item: JsonNode) => JsonNode | undefined,
  report: Report,
): void {
  const seen = new Map<string, JsonNode>()
  for (const item of items) {
    const part = uniqueBy(item)
    if (part?.type !== 'string') continue
    const earlier = seen.get(part.value)
    if (earlier === undefined) {
      seen.set(part.value, part)
      continue
    }
    reportInvalid(report, part, 'value/duplicate', {
      message: `${nameOf(part)} repeats \`${part.value}\`.`,
      hint: 'Remove one of the two, or merge them.',
      related: [{ message: 'The first one.', place: placeOf(earlier) }],
    })
  }
}

/** An object with arbitrary keys, whose values all have the same schema. */
export function mapOf<Value>(entry: Schema<Value>): Schema<Readonly<Record<string, Value>>> {
  const expected = `an object, each value ${entry.expected}`
  return {
    json: { type: 'object', additionalProperties: entry.json },
    expected,
    types: ['object'],
    read(node, report) {
      if (node.type !== 'object') return wrongType(report, node, expected)
      const values: Record<string, Value> = Object.create(null)
      for (const [key, member] of node.members) {
        const value = entry.read(member.value, report)
        if (value !== undefined) values[key] = value
      }
      return values
    },
  }
}

/**
 * A union of schemas with different JSON types. The type of a value selects exactly one schema, so
 * that a message never lists all alternatives.
 */
export function byType<const Choices extends readonly Schema<unknown>[]>(
  ...choices: Choices
): Schema<ValueOf<Choices[number]>> {
  const expected = choices.map((choice) => choice.expected).join(', or ')
  return {
    json: { anyOf: choices.map((choice) => choice.json) },
    expected,
    types: choices.flatMap((choice) => choice.types),
    read(node, report) {
      const choice = choices.find(({ types }) => types.includes(node.type))
      if (choice === undefined) return wrongType(report, node, expected)
      return choice.read(node, report) as ValueOf<Choices[number]> | undefined
    },
  }
}

type ReportText = { readonly message: string; readonly hint: string }

/** A valid value that is read, but that Octavo does not support yet. */
export function unsupported<Value>(
  schema: Schema<Value>,
  describe: (name: string) => ReportText = pagesAreMissing,
): Schema<Value> {
  return reported(schema, 'value/unsupported', describe)
}

/** A key that is read, but always reported. */
export function reported<Value>(
  schema: Schema<Value>,
  code: DiagnosticCode,
  describe: (name: string) => ReportText,
): Schema<Value> {
  return {
    ...schema,
    read(node, report) {
      report(diagnose(code, placeOfKey(node), describe(nameOf(node))))
      return schema.read(node, report)
    },
  }
}

const pagesAreMissing = (name: string): ReportText => ({
  message: `Octavo does not generate pages from ${name} yet.`,
  hint: 'You can keep the key. Until Octavo supports it, write the pages yourself and list them.',
})

/** A key that has no effect yet, which is reported unless its value is `false`. */
export function withoutEffect<Value>(schema: Schema<Value>, soFar: string): Schema<Value> {
  return {
    ...schema,
    read(node, report) {
      const value = schema.read(node, report)
      if (value === undefined || value === false) return value
      const message = `${nameOf(node)} has no effect yet: ${soFar}.`
      const hint = 'You can keep the key; it will work once Octavo supports it.'
      report(diagnose('value/no-effect', placeOfKey(node), { message, hint }))
      return value
    },
  }
}
