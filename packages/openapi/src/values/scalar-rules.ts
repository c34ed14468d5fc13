import { correctionOf, didYouMean } from '@octavo/model'
import { KIND, type NodeId } from '../document/tape.ts'
import { matchesPattern } from './bounded-pattern.ts'
import { hasFormat, isInRange } from './formats.ts'
import { type Mismatches, type MismatchText, replaceScalar, shorten } from './mismatch.ts'
import { type Bound, comparable, type SchemaRules } from './schema-rules.ts'
import type { ValueContext } from './value-context.ts'

/** The steps that a match of a pattern counts as. */
export const PATTERN_STEPS = 200
/** The number of characters that count as one step. */
const CHARACTERS_PER_STEP = 64

/** Checks lengths, pattern and format of a string. */
export function checkText(
  value: NodeId,
  { keywords }: SchemaRules,
  context: ValueContext,
  found: Mismatches,
): void {
  const document = context.specification.document
  const text = context.values.text(value)
  if (!context.spend(text.length / CHARACTERS_PER_STEP)) return
  const format = keywords.get('format')
  const name = format === undefined ? undefined : document.text(format)
  // A file has no text that an example could show, and a placeholder is replaced before use.
  if (name === 'binary' || PLACEHOLDER.test(text)) return
  checkLength(value, { keywords, length: countCharacters(text), unit: 'character' }, context, found)
  if (format !== undefined && name !== undefined && !hasFormat(text, name)) {
    found.add('rule', value, format, () => ({
      message: `is \`${shorten(text)}\`, which is not a valid \`${name}\`.`,
      hint: `Write ${FORMAT_HINTS.get(name) ?? `a valid \`${name}\``}, or correct \`format\`.`,
    }))
  }
  const pattern = keywords.get('pattern')
  if (pattern === undefined || document.kind(pattern) !== KIND.string) return
  const written = document.text(pattern)
  if (!context.spend(PATTERN_STEPS + written.length)) return
  const isMatch = matchesPattern(written, text)
  if (isMatch === undefined) found.isSure = false
  if (isMatch !== false) return
  found.add('rule', value, pattern, () => ({
    message: `is \`${shorten(text)}\`, which does not match the pattern \`${shorten(written)}\`.`,
    hint: 'Write a value that matches, or correct `pattern`.',
  }))
}

const PLACEHOLDER = /\{\{[^{}]*\}\}/

const FORMAT_HINTS: ReadonlyMap<string, string> = new Map([
  ['date', 'a date such as `2026-01-31`'],
  ['date-time', 'a time with its zone, such as `2026-01-31T12:00:00Z`'],
  ['email', 'an address such as `ada@example.com`'],
  ['ipv4', 'an address such as `192.0.2.1`'],
  ['ipv6', 'an address such as `2001:db8::1`'],
  ['uri', 'a URL such as `https://example.com`'],
  ['uuid', 'a UUID such as `3c90c3cc-0d44-4b50-8888-8dd25736052a`'],
])

/** Counts characters as JSON Schema does, where an emoji is one. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0
  return text.length - pairs
}

type Length = {
  readonly keywords: SchemaRules['keywords']
  readonly length: number
  readonly unit: 'character' | 'item' | 'property'
}

const LENGTH_KEYWORDS = {
  character: ['minLength', 'maxLength'],
  item: ['minItems', 'maxItems'],
  property: ['minProperties', 'maxProperties'],
} as const

/** Checks the length of a string, a list or an object. */
export function checkLength(
  value: NodeId,
  { keywords, length, unit }: Length,
  { specification: { document } }: ValueContext,
  found: Mismatches,
): void {
  const [min, max] = LENGTH_KEYWORDS[unit]
  for (const key of [min, max]) {
    const rule = keywords.get(key)
    if (rule === undefined || document.kind(rule) !== KIND.number) continue
    const limit = Number(document.text(rule))
    if (key === min ? length >= limit : length <= limit) continue
    found.add('rule', value, rule, () => ({
      message: `has ${countOf(length, unit)}, but the schema requires at ${key === min ? 'least' : 'most'} ${limit}.`,
      hint: `Change the value, or correct \`${key}\`.`,
    }))
  }
}

function countOf(count: number, unit: Length['unit']): string {
  const many = unit === 'property' ? 'properties' : `${unit}s`
  return `${count === 0 ? 'no' : count} ${count === 1 ? unit : many}`
}

/** Checks bounds and format of a number. */
export function checkNumber(
  value: NodeId,
  { keywords, bounds }: SchemaRules,
  { specification: { document }, values }: ValueContext,
  found: Mismatches,
): void {
  const text = values.text(value)
  const number = Number(text)
  for (const { keyword, kind, limit } of bounds) {
    if (isWithin(number, kind, limit)) continue
    found.add('rule', value, keyword, () => ({
      message: `is ${shorten(text)}, but the schema requires ${BOUND_NAMES[kind]} ${limit}.`,
      hint: `Change the value, or correct the limit.`,
    }))
  }
  const format = keywords.get('format')
  const name = format === undefined ? '' : document.text(format)
  if (format === undefined || isInRange(text, name)) return
  found.add('rule', value, format, () => ({
    message: `is ${shorten(text)}, which does not fit into \`${name}\`.`,
    hint: 'Write a smaller number, or correct `format`.',
  }))
}

const BOUND_NAMES: Readonly<Record<Bound['kind'], string>> = {
  least: 'at least',
  most: 'at most',
  above: 'more than',
  below: 'less than',
  multiple: 'a multiple of',
}

function isWithin(number: number, kind: Bound['kind'], limit: number): boolean {
  switch (kind) {
    case 'least':
      return number >= limit
    case 'most':
      return number <= limit
    case 'above':
      return number > limit
    case 'below':
      return number < limit
    case 'multiple': {
      const times = number / limit
      // Binary fractions are not exact: 0.3 / 0.1 is not 3.
      return (
        !(limit > 0) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
      )
    }
  }
}

/** Checks `enum` and `const`. */
export function checkFixed(
  value: NodeId,
  { keywords }: SchemaRules,
  context: ValueContext,
  found: Mismatches,
): void {
  const { values, reader, specification } = context
  const { document } = specification
  const list = keywords.get('enum')
  const only = keywords.get('const')
  if (list === undefined && only === undefined) return
  if (!context.spend(values.tape.next(value) - value)) return
  const written = comparable(values.value(value))
  if (
    list !== undefined &&
    document.kind(list) === KIND.array &&
    !reader.values(list).has(written)
  ) {
    found.add('choice', value, list, () => notListed(value, list, context))
  }
  if (only === undefined || comparable(document.value(only)) === written) return
  found.add('choice', value, only, () => ({
    message: `is ${code(written)}, but the schema only allows ${code(comparable(document.value(only)))}.`,
    hint: 'Write this value, or correct `const`.',
  }))
}

/** The number of allowed values that a hint lists. */
const LISTED_MAX = 5
/** The number of allowed values that are compared with a misspelled one. */
const COMPARED_MAX = 2_000

function notListed(
  value: NodeId,
  list: NodeId,
  { values, specification: { document } }: ValueContext,
): MismatchText {
  const items = document.items(list, COMPARED_MAX)
  const listed = items.slice(0, LISTED_MAX).map((item) => code(comparable(document.value(item))))
  const more = document.items(list).length - listed.length
  const otherwise = `Write one of ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}, or add the value to \`enum\`.`
  const isText = values.kind(value) === KIND.string
  const text = values.text(value)
  const names = items
    .filter((item) => document.kind(item) === KIND.string)
    .map((item) => document.text(item))
  const correct = isText && text.length > 0 ? correctionOf(text, names) : undefined
  const quote = values.source[values.offset(value)] ?? ''
  const put = /["']/.test(quote) ? `${quote}${correct}${quote}` : correct
  const shown =
    values.kind(value) <= KIND.array ? 'has a value' : `is ${code(comparable(values.value(value)))}`
  return {
    message: `${shown}, which the \`enum\` of the schema does not list.`,
    hint: isText ? didYouMean(text, names, otherwise) : otherwise,
    fix:
      put === undefined || correct === undefined || !/^[\w-]+$/.test(correct)
        ? undefined
        : replaceScalar(values, value, put),
  }
}

function code(text: string): string {
  return `\`${shorten(text)}\``
}
