import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { comparable } from '../values/schema-rules.ts'
import type { ChangeRule } from './change-rules.ts'
import { isTrue, type Limit } from './flat-schema.ts'
import type { Comparison } from './schema-comparison.ts'

type Documents = { readonly old: SpecDocument; readonly new: SpecDocument }

/** Compares the rules for one value: types, enums, limits and texts. */
export function compareRules(comparison: Comparison, documents: Documents): void {
  compareTypes(comparison)
  compareValues(comparison)
  compareLimits(comparison, documents)
  compareTexts(comparison, documents)
}

function compareTypes(comparison: Comparison): void {
  const { old, new: added, report } = comparison
  if (old.types !== undefined || added.types !== undefined) {
    const isWider = covers(added.types, old.types)
    const isNarrower = covers(old.types, added.types)
    const node = added.keywords.get('type')
    const text = `is ${printTypes(added.types)}; it was ${printTypes(old.types)}.`
    if (!isWider && !isNarrower) report('type-changed', node, text)
    else if (!isNarrower) report('type-widened', node, text)
    else if (!isWider) report('type-narrowed', node, text)
  }
  compareNull(comparison)
}

/** Compares whether a value can be null. */
export function compareNull({ old, new: added, report }: Comparison): void {
  // A schema without any type has no opinion on null.
  const isOpen = [old, added].some(
    ({ types, options, isNullable }) => types === undefined && options.length === 0 && !isNullable,
  )
  if (isOpen || old.isNullable === added.isNullable) return
  const node = added.keywords.get('type')
  if (old.isNullable) report('null-refused', node, 'can no longer be `null`.')
  else report('null-allowed', node, 'can now be `null`.')
}

/** Returns true if every value of `inner` is also one of `outer`. */
function covers(outer: ReadonlySet<string> | undefined, inner: ReadonlySet<string> | undefined) {
  if (outer === undefined) return true
  if (inner === undefined) return false
  return [...inner].every((type) => outer.has(type) || (type === 'integer' && outer.has('number')))
}

function printTypes(types: ReadonlySet<string> | undefined): string {
  return types === undefined ? 'of any type' : `\`${[...types].join('` or `')}\``
}

/** The number of values that a message lists. */
const LISTED_MAX = 5

function compareValues({ old, new: added, report, reportOld }: Comparison): void {
  const list = added.keywords.get('enum') ?? added.keywords.get('const')
  if (old.values === undefined && added.values !== undefined) {
    report('value-removed', list, `only allows ${printValues([...added.values.keys()])} now.`)
  } else if (old.values !== undefined && added.values === undefined) {
    report('value-added', undefined, 'now allows values that its enum did not list.')
  } else if (old.values !== undefined && added.values !== undefined) {
    const before = old.values
    const after = added.values
    const removed = [...before.keys()].filter((text) => !after.has(text))
    const more = [...after.keys()].filter((text) => !before.has(text))
    if (removed.length > 0) {
      reportOld(
        'value-removed',
        before.get(removed[0] ?? ''),
        `no longer allows ${printValues(removed)}.`,
      )
    }
    if (more.length > 0)
      report('value-added', after.get(more[0] ?? ''), `now allows ${printValues(more)}.`)
  }
}

function printValues(texts: readonly string[]): string {
  const listed = texts.slice(0, LISTED_MAX).map((text) => `\`${text.slice(0, 60)}\``)
  const more = texts.length - listed.length
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const LEAST = ['minLength', 'minItems', 'minProperties', 'minContains']
const MOST = ['maxLength', 'maxItems', 'maxProperties', 'maxContains']
/** Rules that only allow less; a change to another value cannot be ordered. */
const UNORDERED = ['pattern', 'format', 'multipleOf']
const CONDITIONS = [
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['prefixItems', 'contentSchema', 'contentMediaType', 'contentEncoding'],
]
/** Formats that allow every number of their type. */
const OPEN_FORMATS = new Set(['"int64"', '"float"', '"double"'])

function compareLimits(comparison: Comparison, documents: Documents): void {
  const { old, new: added, report } = comparison
  compareLimit(comparison, 'minimum', [negative(old.lower), negative(added.lower)])
  compareLimit(comparison, 'maximum', [old.upper, added.upper])
  const limit = (side: 'old' | 'new', key: string): Limit | undefined => {
    const node = comparison[side].keywords.get(key)
    if (node === undefined || documents[side].kind(node) !== KIND.number) return undefined
    const value = Number(documents[side].text(node))
    // A minimum of 0 is the same as no minimum.
    return value === 0 && key.startsWith('min') ? undefined : { value, isExclusive: false }
  }
  for (const key of LEAST) {
    compareLimit(comparison, key, [negative(limit('old', key)), negative(limit('new', key))])
  }
  for (const key of MOST) compareLimit(comparison, key, [limit('old', key), limit('new', key)])
  for (const key of [...UNORDERED, ...CONDITIONS]) {
    const before = textOf(documents.old, old.keywords.get(key))
    const after = textOf(documents.new, added.keywords.get(key))
    if (before === after) continue
    const shown = UNORDERED.includes(key) ? `: ${after ?? 'none'}, it was ${before ?? 'none'}` : ''
    const rule = ruleOf(limitText(before), limitText(after))
    report(rule, added.keywords.get(key), `has another \`${key}\`${shown}.`)
  }
  const wasUnique = isTrue(documents.old, old.keywords.get('uniqueItems'))
  const unique = added.keywords.get('uniqueItems')
  const isUnique = isTrue(documents.new, unique)
  if (isUnique && !wasUnique) report('limit-narrowed', unique, 'must have unique items now.')
  if (wasUnique && !isUnique) report('limit-widened', unique, 'may have equal items now.')
}

function limitText(text: string | undefined): string | undefined {
  return text === undefined || OPEN_FORMATS.has(text) ? undefined : text
}

function ruleOf(before: string | undefined, after: string | undefined): ChangeRule {
  if (before === after) return 'described'
  if (before === undefined) return 'limit-narrowed'
  return after === undefined ? 'limit-widened' : 'limit-changed'
}

type Limits = readonly [old: Limit | undefined, added: Limit | undefined]

function negative(limit: Limit | undefined): Limit | undefined {
  return limit && { ...limit, value: -limit.value }
}

/** Compares two upper limits. Lower limits are passed as negative numbers. */
function compareLimit({ new: added, report }: Comparison, key: string, [old, now]: Limits): void {
  if (old?.value === now?.value && old?.isExclusive === now?.isExclusive) return
  const node = added.keywords.get(key)
  const print = (limit: Limit | undefined) =>
    limit === undefined
      ? 'none'
      : `${Math.abs(limit.value)}${limit.isExclusive ? ' (exclusive)' : ''}`
  const text = `has another \`${key}\`: ${print(now)}, it was ${print(old)}.`
  const isNarrower =
    old === undefined ||
    (now !== undefined && (now.value < old.value || (now.value === old.value && now.isExclusive)))
  report(isNarrower ? 'limit-narrowed' : 'limit-widened', node, text)
}

function compareTexts({ old, new: added, report }: Comparison, documents: Documents): void {
  const differs = (key: string) =>
    textOf(documents.old, old.keywords.get(key)) !== textOf(documents.new, added.keywords.get(key))
  const before = old.texts.map((node) => textOf(documents.old, node)).toSorted()
  const after = added.texts.map((node) => textOf(documents.new, node)).toSorted()
  if (before.join() !== after.join()) {
    const node = added.texts.find((text) => !before.includes(textOf(documents.new, text)))
    report('described', node, 'has another description.')
  }
  const example = ['example', 'examples'].find(differs)
  if (example !== undefined)
    report('example-changed', added.keywords.get(example), 'has another example.')
  if (differs('default'))
    report('default-changed', added.keywords.get('default'), 'has another default.')
  const wasDeprecated = isTrue(documents.old, old.keywords.get('deprecated'))
  const deprecated = added.keywords.get('deprecated')
  if (wasDeprecated === isTrue(documents.new, deprecated)) return
  report(
    'deprecated',
    deprecated,
    wasDeprecated ? 'is no longer deprecated.' : 'is now deprecated.',
  )
}

/** Returns a text that is equal for equal values. */
export function textOf(document: SpecDocument, node: NodeId | undefined): string | undefined {
  if (node === undefined) return undefined
  // Most values are strings, which are equal if their texts are.
  if (document.kind(node) === KIND.string) return `"${document.text(node)}"`
  return comparable(document.value(node))
}
