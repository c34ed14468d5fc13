import { didYouMean } from '@octavo/model'
import { KIND, type NodeId } from '../document/tape.ts'
import { matchesPattern } from './bounded-pattern.ts'
import { Mismatches } from './mismatch.ts'
import { checkLength, PATTERN_STEPS } from './scalar-rules.ts'
import { comparable, type SchemaRules } from './schema-rules.ts'
import type { ValueContext } from './value-context.ts'

/** Checks the properties of an object. */
export function checkObject(
  value: NodeId,
  { keywords }: SchemaRules,
  context: ValueContext,
  found: Mismatches,
): void {
  const { document } = context.specification
  const entries = context.values.entries(value)
  if (!context.spend(entries.length)) return
  checkLength(value, { keywords, length: entries.length, unit: 'property' }, context, found)
  const properties = keywords.get('properties')
  const patterns = document.entries(keywords.get('patternProperties'))
  const additional = keywords.get('additionalProperties')
  const names = keywords.get('propertyNames')
  for (const [name, item] of entries) {
    if (names !== undefined) context.check(item - 1, names, found)
    const property = document.field(properties, name)
    if (property !== undefined) {
      checkDirection(item, { name, property }, context, found)
      context.check(item, property, found)
    }
    let isKnown = property !== undefined
    for (const [pattern, schema] of patterns) {
      if (!context.spend(PATTERN_STEPS + pattern.length)) return
      const isMatch = matchesPattern(pattern, name)
      if (isMatch === undefined) found.isSure = false
      if (isMatch === true) context.check(item, schema, found)
      isKnown ||= isMatch !== false
    }
    if (isKnown || additional === undefined) continue
    if (document.kind(additional) !== KIND.false) context.check(item, additional, found)
    else {
      found.add('rule', item - 1, additional, () => ({
        message: 'is a property that the schema does not allow.',
        hint: didYouMean(
          name,
          document.entries(properties, 2_000).map(([known]) => known),
          'Remove it, add it to `properties`, or allow `additionalProperties`.',
        ),
      }))
    }
  }
  checkRequired(value, { keywords, names: new Set(entries.map(([name]) => name)) }, context, found)
}

/** Reports a read-only property in a request, or a write-only one in a response. */
function checkDirection(
  item: NodeId,
  { name, property }: { readonly name: string; readonly property: NodeId },
  { reader, direction }: ValueContext,
  found: Mismatches,
): void {
  if (direction === undefined) return
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly'
  if (!reader.isFlagged(property, flag)) return
  const other = direction === 'request' ? 'response' : 'request'
  found.add('rule', item - 1, property, () => ({
    message: `is ${flag === 'readOnly' ? 'read-only' : 'write-only'}, so a ${direction} must not contain it.`,
    hint: `Remove \`${name}\`, or remove \`${flag}\` if it is not only part of a ${other}.`,
  }))
}

type Present = {
  readonly keywords: SchemaRules['keywords']
  readonly names: ReadonlySet<string>
}

function checkRequired(
  value: NodeId,
  { keywords, names }: Present,
  context: ValueContext,
  found: Mismatches,
): void {
  const { specification, direction, reader } = context
  const { document } = specification
  const properties = keywords.get('properties')
  const require = (list: NodeId | undefined) => {
    if (list === undefined || document.kind(list) !== KIND.array) return
    for (const item of document.items(list)) {
      if (!context.spend(1)) return
      const name = document.text(item)
      if (document.kind(item) !== KIND.string || names.has(name)) continue
      const property = document.field(properties, name)
      const isFlagged = (flag: 'readOnly' | 'writeOnly') =>
        property !== undefined && reader.isFlagged(property, flag)
      // Without a direction, the value may be of the one in which the property is not present.
      if (direction !== 'response' && isFlagged('readOnly')) continue
      if (direction !== 'request' && isFlagged('writeOnly')) continue
      found.add('rule', value, item, () => ({
        message: `has no \`${name}\`, which the schema requires.`,
        hint: `Add \`${name}\`, or remove it from \`required\`.`,
      }))
    }
  }
  require(keywords.get('required'))
  for (const [name, list] of document.entries(keywords.get('dependentRequired'))) {
    if (names.has(name)) require(list)
  }
  for (const [name, schema] of document.entries(keywords.get('dependentSchemas'))) {
    if (names.has(name)) context.check(value, schema, found)
  }
}

/** Checks the items of a list. */
export function checkArray(
  value: NodeId,
  { keywords }: SchemaRules,
  context: ValueContext,
  found: Mismatches,
): void {
  const { document } = context.specification
  const items = context.values.items(value)
  if (!context.spend(items.length)) return
  checkLength(value, { keywords, length: items.length, unit: 'item' }, context, found)
  const first = document.items(keywords.get('prefixItems'))
  const rest = keywords.get('items')
  for (const [index, item] of items.entries()) {
    const schema = first[index] ?? rest
    if (schema !== undefined) context.check(item, schema, found)
  }
  checkContains(value, { keywords, items }, context, found)
  const unique = keywords.get('uniqueItems')
  if (unique === undefined || document.kind(unique) !== KIND.true) return
  if (!context.spend(context.values.tape.next(value) - value)) return
  const seen = new Set<string>()
  for (const item of items) {
    const written = comparable(context.values.value(item))
    if (seen.has(written)) {
      found.add('rule', item, unique, () => ({
        message: 'appears twice in a list whose items must be unique.',
        hint: 'Remove one of the two, or remove `uniqueItems`.',
      }))
    }
    seen.add(written)
  }
}

type Items = { readonly keywords: SchemaRules['keywords']; readonly items: readonly NodeId[] }

function checkContains(
  value: NodeId,
  { keywords, items }: Items,
  context: ValueContext,
  found: Mismatches,
): void {
  const schema = keywords.get('contains')
  if (schema === undefined) return
  const { document } = context.specification
  const limit = (key: string, otherwise: number) => {
    const node = keywords.get(key)
    return node === undefined ? otherwise : Number(document.text(node))
  }
  let surely = 0
  let perhaps = 0
  for (const item of items) {
    const tried = new Mismatches()
    context.check(item, schema, tried)
    if (tried.fits) perhaps += 1
    if (tried.fits && tried.isSure) surely += 1
  }
  if (
    perhaps >= limit('minContains', 1) &&
    !(surely > limit('maxContains', Number.POSITIVE_INFINITY))
  ) {
    return
  }
  found.add('rule', value, schema, () => ({
    message: `has ${surely} items that match \`contains\`, which the schema does not allow.`,
    hint: 'Change the items, or correct `contains`.',
  }))
}
