/**
 * Compares pairs of schemas. Each pair is compared once in each direction, however often it is
 * reached, so the time is linear; cycles end where they began.
 */
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { comparable } from '../values/schema-rules.ts'
import type { Direction } from '../values/value-context.ts'
import type { Found, Subject } from './api-change.ts'
import { compareOptions, isNewChoice } from './compare-options.ts'
import { compareNull, compareRules } from './compare-rules.ts'
import { type FlatSchema, isTrue, SchemaFlattener } from './flat-schema.ts'
import type { Comparison, Report } from './schema-comparison.ts'

/** A pair of schemas with what is known of it. */
type Pair = {
  readonly old: NodeId
  readonly new: NodeId
  readonly subject: Subject
  readonly found: Found[]
  /** The operations that use the pair itself, and the pairs that contain it. */
  readonly operations: Set<string>
  readonly within: Set<Pair>
}

/** The number of steps to find the operations that changes affect. */
const STEPS_MAX = 5_000_000

export class SchemaComparer {
  readonly #flatteners: Comparison['flatteners']
  readonly #size: number
  readonly #pairs: Record<Direction, Map<number, Pair>> = {
    request: new Map(),
    response: new Map(),
  }
  readonly #waiting: Pair[] = []
  #steps = STEPS_MAX

  constructor(old: Specification, added: Specification) {
    this.#flatteners = { old: new SchemaFlattener(old), new: new SchemaFlattener(added) }
    this.#size = added.document.tape.length
  }

  /** Compares two schemas that an operation uses directly. */
  add(old: NodeId, added: NodeId, subject: Subject): void {
    this.#pair(old, added, subject).operations.add(subject.operation)
    for (let pair = this.#waiting.shift(); pair !== undefined; pair = this.#waiting.shift()) {
      this.#compare(pair)
    }
  }

  /** Returns all changes, with the operations that they affect. */
  *changes(): Generator<{ readonly found: Found; readonly operations: readonly string[] }> {
    for (const pairs of Object.values(this.#pairs)) {
      for (const pair of pairs.values()) {
        if (pair.found.length === 0) continue
        const operations = this.#operationsOf(pair)
        for (const found of pair.found) yield { found, operations }
      }
    }
  }

  #pair(old: NodeId, added: NodeId, subject: Subject): Pair {
    const pairs = this.#pairs[subject.direction]
    const ends = {
      old: this.#flatteners.old.resolve(old),
      new: this.#flatteners.new.resolve(added),
    }
    const key = ends.old * this.#size + ends.new
    const known = pairs.get(key)
    if (known !== undefined) return known
    const pair = {
      ...ends,
      subject,
      found: [],
      operations: new Set<string>(),
      within: new Set<Pair>(),
    }
    pairs.set(key, pair)
    this.#waiting.push(pair)
    return pair
  }

  #compare(pair: Pair): void {
    const { subject, found } = pair
    const reportAt =
      (side: Found['side']): Report =>
      (rule, node, text, own = subject) =>
        found.push({ rule, subject: own, text, node: node ?? pair[side], side })
    const comparison: Comparison = {
      old: this.#flatteners.old.flatten(pair.old),
      new: this.#flatteners.new.flatten(pair.new),
      flatteners: this.#flatteners,
      subject,
      report: reportAt('new'),
      reportOld: reportAt('old'),
      compare: (old, added, path) =>
        void this.#pair(old, added, { ...subject, path }).within.add(pair),
    }
    const documents = {
      old: this.#flatteners.old.specification.document,
      new: this.#flatteners.new.specification.document,
    }
    if (isNewChoice(comparison)) compareNull(comparison)
    else {
      compareRules(comparison, documents)
      compareProperties(comparison)
      compareInner(comparison)
    }
    compareOptions(comparison)
  }

  #operationsOf(pair: Pair): readonly string[] {
    const operations = new Set<string>()
    const seen = new Set([pair])
    for (const one of seen) {
      for (const operation of one.operations) operations.add(operation)
      this.#steps -= 1
      if (this.#steps > 0) for (const outer of one.within) seen.add(outer)
    }
    return operations.size > 0 ? [...operations] : [pair.subject.operation]
  }
}

function compareProperties(comparison: Comparison): void {
  const { old, new: added, flatteners, subject, report, reportOld, compare } = comparison
  const hidden = subject.direction === 'request' ? 'readOnly' : 'writeOnly'
  const visible = (flat: FlatSchema, side: 'old' | 'new') => {
    const { document } = flatteners[side].specification
    const isHidden = (node: NodeId) =>
      isTrue(
        document,
        flatteners[side].flatten(flatteners[side].resolve(node)).keywords.get(hidden),
      )
    return new Map([...flat.properties].filter(([, node]) => !isHidden(node)))
  }
  const before = visible(old, 'old')
  const after = visible(added, 'new')
  for (const [name, node] of before) {
    const own = { ...subject, path: joinPath(subject.path, name) }
    const other = after.get(name)
    if (other === undefined) {
      const wasDeprecated = isDeprecated(flatteners.old, node)
      const rule = wasDeprecated ? 'deprecated-removed' : 'property-removed'
      if (!added.properties.has(name)) reportOld(rule, node - 1, 'was removed.', own)
      else
        report(
          'property-removed',
          added.properties.get(name),
          hidden === 'readOnly' ? 'is now read-only.' : 'is now write-only.',
          own,
        )
      continue
    }
    compare(node, other, own.path)
    const wasRequired = old.required.has(name)
    if (wasRequired === added.required.has(name)) continue
    if (wasRequired) report('property-optional', other - 1, 'is no longer required.', own)
    else report('property-required', other - 1, 'is now required.', own)
  }
  for (const [name, node] of after) {
    if (before.has(name)) continue
    const own = { ...subject, path: joinPath(subject.path, name) }
    const isRequired = added.required.has(name)
    report(
      isRequired ? 'property-added-required' : 'property-added',
      node - 1,
      isRequired ? 'is new and required.' : 'is new.',
      own,
    )
  }
  // Names that are required without being described.
  for (const name of added.required) {
    if (added.properties.has(name) || old.properties.has(name) || old.required.has(name)) continue
    report('property-required', added.keywords.get('required'), 'is now required.', {
      ...subject,
      path: joinPath(subject.path, name),
    })
  }
}

function isDeprecated(flattener: SchemaFlattener, node: NodeId): boolean {
  const { document } = flattener.specification
  return isTrue(document, flattener.flatten(flattener.resolve(node)).keywords.get('deprecated'))
}

/** Compares the schemas of items and of other properties. */
function compareInner({ old, new: added, subject, flatteners, report, compare }: Comparison): void {
  const items = [old.keywords.get('items'), added.keywords.get('items')] as const
  if (items[0] !== undefined && items[1] !== undefined)
    compare(items[0], items[1], `${subject.path}[]`)
  const before = old.keywords.get('additionalProperties')
  const after = added.keywords.get('additionalProperties')
  const oldDocument = flatteners.old.specification.document
  const newDocument = flatteners.new.specification.document
  const wasClosed = before !== undefined && oldDocument.text(before) === 'false'
  const isClosed = after !== undefined && newDocument.text(after) === 'false'
  if (isClosed && !wasClosed)
    report('additional-refused', after, 'no longer allows other properties.')
  else if (wasClosed && !isClosed)
    report('additional-allowed', after, 'now allows other properties.')
  else if (oldDocument.isObject(before) && newDocument.isObject(after)) {
    compare(before, after, joinPath(subject.path, '*'))
  } else if (
    newDocument.isObject(after) &&
    !oldDocument.isObject(before) &&
    comparable(newDocument.value(after)) !== '{}'
  ) {
    report('limit-narrowed', after, 'has a schema for other properties now.')
  } else if (
    oldDocument.isObject(before) &&
    !newDocument.isObject(after) &&
    comparable(oldDocument.value(before)) !== '{}'
  ) {
    report('limit-widened', after, 'has no schema for other properties any more.')
  }
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
