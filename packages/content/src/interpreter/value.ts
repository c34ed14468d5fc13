/**
 * The values of expressions. Data of an author is JavaScript's own primitives, arrays and objects
 * without a prototype; everything else is a class of ours, so no data can pass for it, and nothing of
 * ours can be reached from it.
 */
import type {
  ArrowFunctionExpression,
  FunctionExpression,
  MaybeNamedFunctionDeclaration,
} from 'estree-jsx'
import type { Data, PageNode } from '../tree/page-tree.ts'
import { lineText } from '../tree/plain-text.ts'
import type { EvaluationProblem, Unit } from './problem.ts'
import type { Scope } from './scope.ts'

export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | Value[]
  | ValueObject
  | Closure
  | Native
  | Markup
  | Snippet
  | Missing
  | Broken
  | Pattern

export type ValueObject = { [key: string]: Value }
export type FunctionSyntax =
  | ArrowFunctionExpression
  | FunctionExpression
  | MaybeNamedFunctionDeclaration

/** A function that an author wrote. */
export class Closure {
  readonly syntax: FunctionSyntax
  readonly scope: Scope
  readonly unit: Unit
  /** The name it was given first, for messages and as the name of an island. */
  name: string
  constructor(syntax: FunctionSyntax, scope: Scope, unit: Unit, name: string) {
    this.syntax = syntax
    this.scope = scope
    this.unit = unit
    this.name = name
  }
}

/** A function of ours. `browser` marks what only means something in a browser. */
export class Native {
  readonly name: string
  readonly call: NativeCall
  readonly browser: boolean
  /** What hangs on the function itself, such as `Number.isNaN`. */
  readonly members: ValueObject | undefined
  constructor(
    name: string,
    call: NativeCall,
    more: { readonly browser?: boolean; readonly members?: ValueObject } = {},
  ) {
    this.name = name
    this.call = call
    this.browser = more.browser === true
    this.members = more.members
  }
}
export type NativeCall = (args: readonly Value[], run: Caller) => Value
/** What a function of ours may ask of the interpreter. */
export type Caller = {
  readonly invoke: (callee: Value, args: readonly Value[]) => Value
  readonly spend: (steps: number) => void
  readonly refuse: (reason: string) => never
  /** Ends what would be larger than a limit. */
  readonly exceed: (reason: string) => never
}

/** A regular expression as written. Which ones are used is decided where they are. */
export class Pattern {
  readonly source: string
  readonly flags: string
  constructor(source: string, flags: string) {
    this.source = source
    this.flags = flags
  }
}

/** Rendered markup: what JSX evaluates to. */
export class Markup {
  readonly nodes: readonly PageNode[]
  constructor(nodes: readonly PageNode[]) {
    this.nodes = nodes
  }
}

/** An imported Markdown file: a component whose body is the file. */
export class Snippet {
  readonly render: (props: ValueObject) => readonly PageNode[]
  constructor(render: (props: ValueObject) => readonly PageNode[]) {
    this.render = render
  }
}

/** What an import that failed left behind: it was reported there, and not again at each use. */
export class Missing {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A name whose value could not be computed. Reading it ends the evaluation with the same reason. */
export class Broken {
  readonly problem: EvaluationProblem
  constructor(problem: EvaluationProblem) {
    this.problem = problem
  }
}

export function isObject(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** An object without a prototype: `__proto__` is a key like any other. */
export function newObject(entries: Iterable<readonly [string, Value]> = []): ValueObject {
  const object: ValueObject = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}

/** Reads an own property, and never anything inherited. */
export function ownProperty(object: ValueObject, key: string): Value {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Counts work: the same list may stand in another one any number of times. */
type Spend = (steps: number) => void

/** A value as data for a prop. Functions have no place in data; of markup the words stay. */
export function toData(value: Value, spend: Spend): Data | undefined {
  if (value === null) return null
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'undefined':
      return undefined
    default:
      break
  }
  spend(1)
  if (Array.isArray(value)) return value.map((item) => toData(item, spend) ?? null)
  if (value instanceof Markup) return lineText(value.nodes)
  if (!isObject(value)) return undefined
  const data: Record<string, Data> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    const read = toData(item, spend)
    if (read !== undefined) data[key] = read
  }
  return data
}

/** Plain JSON as a value. */
export function fromData(data: unknown): Value {
  if (Array.isArray(data)) return data.map(fromData)
  if (typeof data === 'object' && data !== null) {
    return newObject(Object.entries(data).map(([key, item]) => [key, fromData(item)] as const))
  }
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return data
  return data === null ? null : undefined
}

/** True if a function hides somewhere in the value: it cannot be shipped as data. */
export function holdsFunction(value: Value, spend: Spend): boolean {
  if (value instanceof Closure || value instanceof Native) return true
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return false
  spend(1)
  return (isList ? value : Object.values(value)).some((item) => holdsFunction(item, spend))
}
