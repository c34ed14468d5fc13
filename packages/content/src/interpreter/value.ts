/**
 * The values of expressions. An author's data consists of JavaScript primitives, arrays and objects
 * without a prototype. Everything else is an instance of our own classes, so data cannot imitate
 * it, and our internals cannot be reached from data.
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

/** A function that the author wrote. */
export class Closure {
  readonly syntax: FunctionSyntax
  readonly scope: Scope
  readonly unit: Unit
  /** The first name that the function is assigned to, which is used in messages and for islands. */
  name: string
  constructor(syntax: FunctionSyntax, scope: Scope, unit: Unit, name: string) {
    this.syntax = syntax
    this.scope = scope
    this.unit = unit
    this.name = name
  }
}

/** A native function. `browser` is true if it only makes sense in a browser. */
export class Native {
  readonly name: string
  readonly call: NativeCall
  readonly browser: boolean
  /** Members of the function itself, such as `Number.isNaN`. */
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
/** The interpreter functions that native functions may use. */
export type Caller = {
  readonly invoke: (callee: Value, args: readonly Value[]) => Value
  readonly spend: (steps: number) => void
  readonly refuse: (reason: string) => never
  /** Ends the evaluation because a result would be too large. */
  readonly exceed: (reason: string) => never
}

/** A regular expression as written. It is checked where it is used. */
export class Pattern {
  readonly source: string
  readonly flags: string
  constructor(source: string, flags: string) {
    this.source = source
    this.flags = flags
  }
}

/** Rendered markup: the value of JSX. */
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

/** A name from a failed import. The import is reported, so uses of the name are not. */
export class Missing {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A name whose value could not be computed. Reading it fails with the same problem. */
export class Broken {
  readonly problem: EvaluationProblem
  constructor(problem: EvaluationProblem) {
    this.problem = problem
  }
}

export function isObject(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** Creates an object without a prototype, in which `__proto__` is an ordinary key. */
export function newObject(entries: Iterable<readonly [string, Value]> = []): ValueObject {
  const object: ValueObject = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}

/** Reads an own property, never an inherited one. */
export function ownProperty(object: ValueObject, key: string): Value {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Counts steps. A list can contain the same list many times, so walking it may be slow. */
type Spend = (steps: number) => void

/** Converts a value to data for a prop. Functions are dropped; markup becomes its text. */
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

/** Converts plain JSON to a value. */
export function fromData(data: unknown): Value {
  if (Array.isArray(data)) return data.map(fromData)
  if (typeof data === 'object' && data !== null) {
    return newObject(Object.entries(data).map(([key, item]) => [key, fromData(item)] as const))
  }
  if (typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return data
  return data === null ? null : undefined
}

/** Checks whether the value contains a function, which cannot be sent to a browser as data. */
export function containsFunction(value: Value, spend: Spend): boolean {
  if (value instanceof Closure || value instanceof Native) return true
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return false
  spend(1)
  return (isList ? value : Object.values(value)).some((item) => containsFunction(item, spend))
}
