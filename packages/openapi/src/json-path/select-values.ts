/**
 * Selects the values of a document with a JSONPath. The work is counted, because an author's path
 * may select the same value many times.
 */
import { matchesPattern } from '../values/bounded-pattern.ts'
import type { Condition, Operand, Query, Segment, Selector } from './query.ts'

export type Scalar = string | number | boolean | null

/** How to read a document whose values are identified by a `Value`. */
export type Values<Value> = {
  readonly root: Value
  kind(value: Value): 'object' | 'list' | 'scalar'
  entries(value: Value): Iterable<readonly [key: string, value: Value]>
  /** Returns the values of an object, or the items of a list. */
  children(value: Value): readonly Value[]
  field(value: Value, key: string): Value | undefined
  items(value: Value): readonly Value[]
  scalar(value: Value): Scalar
}

/** A selected value, with what contains it. The root has no parent. */
export type Selected<Value> = {
  readonly value: Value
  readonly parent: Value | undefined
  readonly depth: number
}

/** The number of steps of a regular expression that take as long as one other step. */
const STEPS_OF_PATTERN = 10
/** The maximum number of values that one path may select. */
const SELECTED_MAX = 1_000_000

/** Thrown when a path needs more steps than its budget has, or selects too many values. */
export class TooMuchWork extends Error {}

/** The number of values that paths may still look at. */
export class StepBudget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooMuchWork()
  }
}

export class ValueSelector<Value> {
  readonly #values: Values<Value>
  readonly #budget: StepBudget

  constructor(values: Values<Value>, budget: StepBudget) {
    this.#values = values
    this.#budget = budget
  }

  /** Returns the selected values in order. A value may be selected several times. */
  select(query: Query): readonly Selected<Value>[] {
    return this.#run(query, this.#values.root)
  }

  #run({ isRelative, segments }: Query, current: Value): readonly Selected<Value>[] {
    const start = isRelative ? current : this.#values.root
    let selected: readonly Selected<Value>[] = [{ value: start, parent: undefined, depth: 0 }]
    for (const segment of segments) selected = this.#follow(segment, selected)
    return selected
  }

  #follow(
    { isDescendant, selectors }: Segment,
    from: readonly Selected<Value>[],
  ): readonly Selected<Value>[] {
    const found: Selected<Value>[] = []
    for (const selected of from) {
      for (const one of isDescendant ? this.#inside(selected) : [selected]) {
        for (const selector of selectors) this.#apply(selector, one, found)
      }
    }
    return found
  }

  /** Returns a value and all objects and lists inside it, parents first. */
  *#inside(selected: Selected<Value>): Generator<Selected<Value>> {
    const stack = [selected]
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      yield one
      const { value: parent, depth } = one
      const children = this.#values.children(parent)
      this.#budget.spend(children.length + 1)
      for (let at = children.length - 1; at >= 0; at -= 1) {
        const value = children[at] as Value
        if (this.#isContainer(value)) stack.push({ value, parent, depth: depth + 1 })
      }
    }
  }

  #isContainer(value: Value): boolean {
    return this.#values.kind(value) !== 'scalar'
  }

  #apply(selector: Selector, { value, depth }: Selected<Value>, found: Selected<Value>[]): void {
    this.#budget.spend()
    const add = (child: Value | undefined) => {
      if (child === undefined) return
      this.#budget.spend()
      if (found.length >= SELECTED_MAX) throw new TooMuchWork()
      found.push({ value: child, parent: value, depth: depth + 1 })
    }
    switch (selector.is) {
      case 'name':
        add(this.#values.field(value, selector.name))
        break
      case 'index':
        add(this.#values.items(value).at(selector.index))
        break
      case 'slice':
        for (const item of this.#slice(selector, value)) add(item)
        break
      case 'wildcard':
        for (const child of this.#values.children(value)) add(child)
        break
      case 'filter':
        for (const child of this.#values.children(value)) {
          if (this.#holds(selector.condition, child)) add(child)
        }
    }
  }

  *#slice(
    { start, end, step }: Extract<Selector, { is: 'slice' }>,
    value: Value,
  ): Generator<Value | undefined> {
    const items = this.#values.items(value)
    const { length } = items
    const bound = (index: number) => (index < 0 ? length + index : index)
    if (step > 0) {
      const last = Math.min(bound(end ?? length), length)
      for (let at = Math.max(bound(start ?? 0), 0); at < last; at += step) yield items[at]
    } else if (step < 0) {
      const last = Math.max(end === undefined ? -1 : bound(end), -1)
      const first = Math.min(bound(start ?? length - 1), length - 1)
      for (let at = first; at > last; at += step) yield items[at]
    }
  }

  #holds(condition: Condition, current: Value): boolean {
    this.#budget.spend()
    switch (condition.is) {
      case 'or':
        return condition.conditions.some((one) => this.#holds(one, current))
      case 'and':
        return condition.conditions.every((one) => this.#holds(one, current))
      case 'not':
        return !this.#holds(condition.condition, current)
      case 'exists':
        return this.#run(condition.query, current).length > 0
      case 'comparison':
        return this.#compares(condition, current)
      case 'match':
      case 'search':
        return this.#matches(condition, current)
    }
  }

  #compares(
    { left, sign, right }: Extract<Condition, { is: 'comparison' }>,
    current: Value,
  ): boolean {
    const a = this.#operand(left, current)
    const b = this.#operand(right, current)
    switch (sign) {
      case '==':
        return this.#isEqual(a, b)
      case '!=':
        return !this.#isEqual(a, b)
      case '<':
        return isLess(a, b)
      case '>':
        return isLess(b, a)
      case '<=':
        return isLess(a, b) || this.#isEqual(a, b)
      case '>=':
        return isLess(b, a) || this.#isEqual(a, b)
    }
  }

  #operand(operand: Operand, current: Value): Compared<Value> {
    switch (operand.is) {
      case 'literal':
        return { scalar: operand.value }
      case 'query':
        return this.#compared(this.#run(operand.query, current)[0]?.value)
      case 'length':
        return this.#length(this.#operand(operand.of, current))
      case 'count':
        return { scalar: this.#run(operand.of, current).length }
      case 'value': {
        const [only, ...others] = this.#run(operand.of, current)
        return this.#compared(others.length === 0 ? only?.value : undefined)
      }
    }
  }

  #compared(value: Value | undefined): Compared<Value> {
    if (value === undefined) return 'nothing'
    return this.#isContainer(value) ? { container: value } : { scalar: this.#values.scalar(value) }
  }

  #length(compared: Compared<Value>): Compared<Value> {
    if (compared === 'nothing') return 'nothing'
    if ('container' in compared) return { scalar: this.#values.children(compared.container).length }
    const { scalar } = compared
    return typeof scalar === 'string' ? { scalar: [...scalar].length } : 'nothing'
  }

  #isEqual(a: Compared<Value>, b: Compared<Value>): boolean {
    this.#budget.spend()
    if (a === 'nothing' || b === 'nothing') return a === b
    if ('scalar' in a || 'scalar' in b) {
      return 'scalar' in a && 'scalar' in b && a.scalar === b.scalar
    }
    const values = this.#values
    const [one, other] = [a.container, b.container]
    if (values.kind(one) !== values.kind(other)) return false
    if (values.kind(one) === 'list') {
      const [items, others] = [values.items(one), values.items(other)]
      return (
        items.length === others.length &&
        items.every((item, at) => this.#isEqual(this.#compared(item), this.#compared(others[at])))
      )
    }
    return (
      values.children(one).length === values.children(other).length &&
      [...values.entries(one)].every(([key, value]) =>
        this.#isEqual(this.#compared(value), this.#compared(values.field(other, key))),
      )
    )
  }

  #matches(
    { is, text, pattern }: Extract<Condition, { is: 'match' | 'search' }>,
    current: Value,
  ): boolean {
    const [subject, written] = [text, pattern].map((one) => textOf(this.#operand(one, current)))
    if (subject === undefined || written === undefined) return false
    const dotted = withoutLineEnds(written)
    const allows = (steps: number) => {
      this.#budget.spend(steps / STEPS_OF_PATTERN)
      return true
    }
    // As the standard requires, an invalid pattern matches no text.
    return matchesPattern(is === 'match' ? `^(?:${dotted})$` : dotted, subject, allows) ?? false
  }
}

type Compared<Value> = { readonly scalar: Scalar } | { readonly container: Value } | 'nothing'

function textOf<Value>(compared: Compared<Value>): string | undefined {
  const scalar = compared !== 'nothing' && 'scalar' in compared ? compared.scalar : undefined
  return typeof scalar === 'string' ? scalar : undefined
}

function isLess<Value>(a: Compared<Value>, b: Compared<Value>): boolean {
  if (a === 'nothing' || b === 'nothing' || !('scalar' in a) || !('scalar' in b)) return false
  const [one, other] = [a.scalar, b.scalar]
  if (typeof one === 'number' && typeof other === 'number') return one < other
  return typeof one === 'string' && typeof other === 'string' && compareCharacters(one, other) < 0
}

/** Compares texts by their Unicode characters, as the standard requires. */
function compareCharacters(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (const [at, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Replaces each dot outside of brackets: in RFC 9485, it matches no line end but all others. */
function withoutLineEnds(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\./g, (part) =>
    part === '.' ? '[^\\n\\r]' : part,
  )
}
