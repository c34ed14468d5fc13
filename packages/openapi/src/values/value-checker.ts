/**
 * Checks values against schemas of a specification, without copying either. Every difference that
 * it reports is real. What it cannot decide within its limits is not reported: references that are
 * broken, `unevaluated…`, formats without an exact definition, and patterns without a bound.
 */
import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { checkChoice, checkCondition, checkNot } from './choice-rules.ts'
import { type Mismatch, Mismatches, wrongType } from './mismatch.ts'
import { checkArray, checkObject } from './object-rules.ts'
import { checkFixed, checkNumber, checkText } from './scalar-rules.ts'
import { SchemaReader, type SchemaRules } from './schema-rules.ts'
import type { Direction, ValueContext } from './value-context.ts'

/** The maximum number of schemas that apply to a value through each other. */
const HOPS_MAX = 100

const UNDECIDED = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef']

export class ValueChecker {
  readonly #specification: Specification
  readonly #reader: SchemaReader
  readonly #oneStepsMax: number
  /** The steps that are left for all values, and for the current one. */
  #left: number = OPENAPI_LIMITS.exampleStepsMax
  #leftNow = 0

  constructor(
    specification: Specification,
    oneStepsMax: number = OPENAPI_LIMITS.oneExampleStepsMax,
  ) {
    this.#specification = specification
    this.#oneStepsMax = oneStepsMax
    this.#reader = new SchemaReader(specification)
  }

  /** Returns the differences between a value, which may be in another document, and its schema. */
  differences(
    value: { readonly document: SpecDocument; readonly node: NodeId },
    schema: NodeId,
    direction?: Direction,
  ): readonly Mismatch[] {
    this.#leftNow = Math.min(this.#left, this.#oneStepsMax)
    const context: ValueContext = {
      specification: this.#specification,
      values: value.document,
      reader: this.#reader,
      direction,
      check: (node, inner, found) => this.#check({ node, context, hops: 0 }, inner, found),
      spend: (steps) => this.#spend(steps),
    }
    const found = new Mismatches()
    this.#check({ node: value.node, context, hops: 0 }, schema, found)
    // Options that were not compared completely may match.
    return this.#leftNow > 0 ? found.list : []
  }

  #spend(steps: number): boolean {
    this.#left -= steps
    this.#leftNow -= steps
    return this.#leftNow > 0
  }

  #check(value: Checked, schema: NodeId, found: Mismatches): void {
    const { document } = this.#specification
    const kind = document.kind(schema)
    if (kind === KIND.true) return
    if (kind === KIND.false) {
      found.add('type', value.node, schema, () => ({
        message: 'is present, but its schema is `false`, which allows no value.',
        hint: 'Remove the value, or correct the schema.',
      }))
      return
    }
    if (kind !== KIND.object || value.hops > HOPS_MAX || !this.#spend(1)) {
      found.isSure = false
      return
    }
    const rules = this.#reader.rules(schema)
    const { keywords, target } = rules
    if (target === 'broken' || UNDECIDED.some((key) => keywords.has(key))) found.isSure = false
    if (this.#isNullable(rules) && value.context.values.kind(value.node) === KIND.null) return
    const check = (inner: NodeId, into: Mismatches) =>
      this.#check({ ...value, hops: value.hops + 1 }, inner, into)
    if (target !== undefined && target !== 'broken') check(target, found)
    if (keywords.size === 0 || !this.#checkType(value, rules, found)) return
    this.#checkOwn(value, rules, found)
    this.#checkApplied(value, rules, check, found)
  }

  #isNullable({ keywords }: SchemaRules): boolean {
    const { document } = this.#specification
    const flag = keywords.get('nullable') ?? keywords.get('x-nullable')
    return flag !== undefined && document.kind(flag) === KIND.true
  }

  #checkType(
    { node, context }: Checked,
    { types, keywords }: SchemaRules,
    found: Mismatches,
  ): boolean {
    const type = typeOf(context.values, node)
    if (types === undefined || types.includes(type)) return true
    if (type === 'integer' && types.includes('number')) return true
    const nullHint =
      this.#specification.version === '3.0'
        ? 'Add `nullable: true` to the schema, or write a value.'
        : 'Add `"null"` to `type`, or write a value.'
    const rule = keywords.get('type') ?? node
    found.add('type', node, rule, () => wrongType(context.values, node, { types, nullHint }))
    return false
  }

  #checkOwn({ node, context }: Checked, rules: SchemaRules, found: Mismatches): void {
    checkFixed(node, rules, context, found)
    switch (context.values.kind(node)) {
      case KIND.string:
        checkText(node, rules, context, found)
        return
      case KIND.number:
        checkNumber(node, rules, context, found)
        return
      case KIND.array:
        checkArray(node, rules, context, found)
        return
      case KIND.object:
        checkObject(node, rules, context, found)
        return
    }
  }

  /** Checks the schemas that apply to the same value. */
  #checkApplied(
    { node, context }: Checked,
    rules: SchemaRules,
    check: (schema: NodeId, found: Mismatches) => void,
    found: Mismatches,
  ): void {
    const { keywords } = rules
    const { document } = this.#specification
    for (const part of document.items(keywords.get('allOf'))) check(part, found)
    for (const key of ['oneOf', 'anyOf'] as const) {
      const list = keywords.get(key)
      if (list !== undefined) checkChoice(node, { rules, key, list }, { context, check }, found)
    }
    const not = keywords.get('not')
    if (not !== undefined) checkNot(node, not, check, found)
    const condition = keywords.get('if')
    if (condition !== undefined) checkCondition(rules, condition, check, found)
  }
}

type Checked = {
  readonly node: NodeId
  readonly context: ValueContext
  /** The number of schemas that led from the value to this one. */
  readonly hops: number
}

function typeOf(document: SpecDocument, node: NodeId): string {
  switch (document.kind(node)) {
    case KIND.object:
      return 'object'
    case KIND.array:
      return 'array'
    case KIND.string:
      return 'string'
    case KIND.number:
      return Number.isInteger(Number(document.text(node))) ? 'integer' : 'number'
    case KIND.null:
      return 'null'
    default:
      return 'boolean'
  }
}
