import type { NodeId } from '../document/tape.ts'
import { textOf } from './compare-rules.ts'
import type { FlatSchema, SchemaFlattener } from './flat-schema.ts'
import type { Comparison } from './schema-comparison.ts'

/**
 * Returns true if one side is a plain schema and the other one a choice between schemas, of which
 * the plain one may be an option.
 */
export function isNewChoice({ old, new: added }: Comparison): boolean {
  const [choice, plain] = old.options.length > 0 ? [old, added] : [added, old]
  if (choice.options.length === 0 || plain.options.length > 0) return false
  return choice.types === undefined && choice.properties.size === 0
}

/**
 * Compares the options of `oneOf` and `anyOf`, which are matched by name, then by content, by type
 * and by order.
 */
export function compareOptions(comparison: Comparison): void {
  const { old, new: added, flatteners, subject, report, reportOld, compare } = comparison
  compareDiscriminators(comparison)
  const isChoice = [old, added].map(({ options }) => options.length > 0)
  if (!isChoice[0] && !isChoice[1]) return
  if (isChoice[0] !== isChoice[1] && !isNewChoice(comparison)) {
    if (isChoice[1])
      report('limit-narrowed', added.options[0], 'must match one of several options now.')
    else
      reportOld('limit-widened', old.options[0], 'need not match one of several options any more.')
    return
  }
  const { pairs, removed, extra } = matchOptions(
    optionsOf(old, flatteners.old),
    optionsOf(added, flatteners.new),
  )
  for (const [before, after] of pairs) compare(before.node, after.node, subject.path)
  const [gone] = removed
  const [more] = extra
  if (gone !== undefined) {
    reportOld('option-removed', gone.node, `has ${count(removed.length)} fewer: ${names(removed)}.`)
  }
  if (more !== undefined) {
    report('option-added', more.node, `has ${count(extra.length)} more: ${names(extra)}.`)
  }
}

type Matched = {
  readonly pairs: readonly (readonly [old: Option, added: Option])[]
  readonly removed: readonly Option[]
  readonly extra: readonly Option[]
}

function matchOptions(old: readonly Option[], added: readonly Option[]): Matched {
  const removed = new Set(old)
  const extra = new Set(added)
  const pairs: [Option, Option][] = []
  const match = (before: Option, after: Option) => {
    pairs.push([before, after])
    removed.delete(before)
    extra.delete(after)
  }
  for (const key of ['key', 'type'] as const) {
    const groups = Map.groupBy(removed, (option) => option[key])
    for (const after of [...extra]) {
      const before = after[key] === undefined ? undefined : groups.get(after[key])?.shift()
      if (before !== undefined) match(before, after)
    }
  }
  // If the same number is left on both sides, options were edited in place.
  if (removed.size === extra.size) {
    const rest = [...extra]
    for (const [index, before] of [...removed].entries()) {
      const after = rest[index]
      if (after !== undefined) match(before, after)
    }
  }
  return { pairs, removed: [...removed], extra: [...extra] }
}

type Option = {
  readonly node: NodeId
  readonly key: string
  readonly name: string
  /** The type of an option without a name; undefined if it has none. */
  readonly type: string | undefined
}

function optionsOf(flat: FlatSchema, flattener: SchemaFlattener): readonly Option[] {
  const { document } = flattener.specification
  const nodes = flat.options.length === 0 ? [flat.node] : flat.options
  return nodes.map((node) => {
    const pointer = flattener.specification.partPointer(flattener.resolve(node))
    const name = pointer?.split('/').at(-1) ?? document.textField(node, 'title')
    const type = document.textField(node, 'type')
    const key = name ?? textOf(document, node) ?? ''
    return {
      node,
      key,
      name: name ?? type ?? 'an unnamed schema',
      type: name === undefined ? type : undefined,
    }
  })
}

function count(many: number): string {
  return many === 1 ? 'one option' : `${many} options`
}

function names(options: readonly Option[]): string {
  return options
    .slice(0, 5)
    .map(({ name }) => `\`${name}\``)
    .join(', ')
}

function compareDiscriminators({ old, new: added, flatteners, report }: Comparison): void {
  const before = old.keywords.get('discriminator')
  const after = added.keywords.get('discriminator')
  if (before === undefined || after === undefined) return
  const was = flatteners.old.specification.document.textField(before, 'propertyName')
  const is = flatteners.new.specification.document.textField(after, 'propertyName')
  if (was !== is)
    report('discriminator-changed', after, `is chosen by \`${is}\`; it was chosen by \`${was}\`.`)
}
