/**
 * Reads the data that a configuration module exports, without running it. What cannot be computed
 * is omitted and reported, and the rest is kept.
 */
import type { SourceText } from '@octavo/model'
import type {
  CallExpression,
  Expression,
  ImportDeclaration,
  ObjectExpression,
  Pattern,
  Program,
  SpreadElement,
  Statement,
} from 'estree-jsx'
import type { Data } from '../tree/page-tree.ts'
import { evaluate } from './evaluate.ts'
import { createGlobals } from './globals.ts'
import { parseModule } from './parse-code.ts'
import { bind } from './patterns.ts'
import { EvaluationProblem, type Unit } from './problem.ts'
import { type Context, Run, startOf } from './run.ts'
import { Scope } from './scope.ts'
import { Broken, Closure, fromData, isObject, newObject, toData, type Value } from './value.ts'

export type DataProblem = {
  readonly file: string
  readonly line: number
  /** The keys that lead to the value, such as `presets.0.1.docs`. */
  readonly path: string
  readonly message: string
}

export type ModuleData = {
  readonly data: Data | undefined
  readonly problems: readonly DataProblem[]
}

export type DataSource = {
  readonly source: SourceText
  /** The code without types, and the offsets in the file. */
  readonly code: string
  readonly toOffset: (offset: number) => number
}

/** Returns the file that a module imports: data, or another module. */
export type LoadData = (
  from: string,
  written: string,
) => { readonly json: unknown } | { readonly module: DataSource } | undefined

/** Modules that import each other. */
const IMPORT_DEPTH_MAX = 8

/** Returns the default export of a module as data. */
export function readModuleData(module: DataSource, load: LoadData): ModuleData {
  const reader = new DataReader(load)
  try {
    const value = reader.module(module, [])
    return { data: toData(value, (steps) => reader.run.spend(steps)), problems: reader.problems }
  } catch (error) {
    const isRead = error instanceof EvaluationProblem
    if (!isRead && !(error instanceof RangeError)) throw error
    const message = isRead ? error.message : 'It is nested too deeply'
    const problem = { file: module.source.file, line: 1, path: '', message }
    return { data: undefined, problems: [...reader.problems, problem] }
  }
}

class DataReader {
  readonly problems: DataProblem[] = []
  readonly run = new Run(() => [])
  readonly #load: LoadData

  constructor(load: LoadData) {
    this.#load = load
  }

  module({ source, code, toOffset }: DataSource, stack: readonly string[]): Value {
    const unit: Unit = { source, base: 0, toOffset }
    const context: Context = { run: this.run, scope: moduleScope(), unit }
    const parsed = parseModule(code)
    if (parsed.kind === 'malformed') {
      this.#report({ ...context, path: '' }, parsed.offset, parsed.message)
      return undefined
    }
    const inner = { ...context, path: '', stack: [...stack, source.file] }
    return this.#program(parsed.syntax, inner)
  }

  #program({ body }: Program, at: At): Value {
    let exported: Value
    for (const statement of body)
      if (statement.type === 'FunctionDeclaration' && statement.id !== null)
        at.scope.define(statement.id.name, closureOf(statement, at))
    for (const statement of body) {
      if (statement.type === 'ImportDeclaration') this.#import(statement, at)
      else if (statement.type === 'ExportDefaultDeclaration')
        exported = this.#exported(statement.declaration, at)
      else if (statement.type === 'ExportNamedDeclaration') {
        if (statement.declaration != null) this.#statement(statement.declaration as Statement, at)
      } else if (statement.type === 'ExpressionStatement' && isModuleExports(statement.expression))
        exported = this.#exported(statement.expression.right, at)
      else if (statement.type !== 'ExportAllDeclaration')
        this.#statement(statement as Statement, at)
    }
    return exported
  }

  /** A configuration can be a function, which returns it at its end. */
  #exported(node: object, at: At): Value {
    const syntax = node as Expression & { readonly body?: { readonly type: string } }
    const isFunction = /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(syntax.type)
    if (!isFunction) {
      const value = this.#value(syntax, at)
      return value instanceof Closure ? this.#returned(value.syntax, at) : value
    }
    return this.#returned(syntax as Closure['syntax'], at)
  }

  #returned({ body }: Closure['syntax'], at: At): Value {
    if (body.type !== 'BlockStatement') return this.#value(body, at)
    const inner = { ...at, scope: new Scope(at.scope) }
    let returned: Value
    for (const statement of body.body) {
      if (statement.type === 'ReturnStatement' && statement.argument != null)
        returned = this.#value(statement.argument, inner)
      else this.#statement(statement, inner)
    }
    return returned
  }

  #statement(statement: Statement, at: At): void {
    if (statement.type === 'VariableDeclaration') {
      for (const declarator of statement.declarations) {
        const value = declarator.init == null ? undefined : this.#value(declarator.init, at, false)
        if (declarator.id.type === 'Identifier') at.scope.define(declarator.id.name, value)
        else this.#pattern(declarator.id, value, at)
      }
    } else if (statement.type === 'FunctionDeclaration' && statement.id !== null)
      at.scope.define(statement.id.name, closureOf(statement, at))
  }

  /** Defines the names of `const { a } = …`. */
  #pattern(pattern: Pattern, value: Value, at: At): void {
    const problem = this.run.attempt(() => bind(at, pattern, value))
    // The names stay undefined, which is reported where they are used.
    if (problem instanceof EvaluationProblem && problem.kind === 'limit') throw problem
  }

  #import({ source, specifiers }: ImportDeclaration, at: At): void {
    const written = String(source.value)
    const value = this.#loaded(written, startOf(source), at)
    for (const { type, local } of specifiers)
      if (type === 'ImportDefaultSpecifier' || type === 'ImportNamespaceSpecifier')
        at.scope.define(local.name, value)
  }

  #loaded(written: string, offset: number, at: At): Value {
    const found = /^[./]/.test(written) ? this.#load(at.unit.source.file, written) : undefined
    const missing = new EvaluationProblem('unsupported', `\`${written}\` is code that is not run`, {
      unit: at.unit,
      offset,
    })
    if (found === undefined) return new Broken(missing)
    if ('json' in found) return fromData(found.json)
    const { file } = found.module.source
    if (at.stack.includes(file) || at.stack.length >= IMPORT_DEPTH_MAX) return new Broken(missing)
    return this.module(found.module, at.stack)
  }

  /** `isNeeded` is false for a value that may not be part of the result. */
  #value(node: Expression, at: At, isNeeded = true): Value {
    this.run.enter(at, node)
    const value = this.#read(node, at, isNeeded)
    this.run.leave()
    return value
  }

  #read(node: Expression, at: At, isNeeded: boolean): Value {
    if (node.type === 'ObjectExpression') return this.#object(node, at)
    if (node.type === 'ArrayExpression')
      return node.elements.flatMap((element, index) => {
        const inner = { ...at, path: join(at.path, String(index)) }
        if (element === null) return [undefined]
        if (element.type !== 'SpreadElement') return [this.#value(element, inner)]
        const spread = this.#value(element.argument, inner)
        return Array.isArray(spread) ? spread : []
      })
    if (node.type === 'AwaitExpression') return this.#value(node.argument, at, isNeeded)
    if (node.type === 'CallExpression') {
      const known = this.#call(node, at)
      if (known !== undefined) return known
    }
    const value = this.run.attempt(() => evaluate(at, node))
    if (!(value instanceof EvaluationProblem)) {
      if (!(value instanceof Broken)) return value
      if (isNeeded) this.#report(at, startOf(node), value.problem.message)
      return undefined
    }
    if (value.kind === 'limit') throw value
    if (!isNeeded) return new Broken(value)
    this.#report(at, startOf(node), value.message)
    return undefined
  }

  #object(node: ObjectExpression, at: At): Value {
    const object = newObject()
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.#value((property as SpreadElement).argument, at)
        if (isObject(spread)) Object.assign(object, spread)
        continue
      }
      const { key, computed, value } = property
      const name = computed
        ? this.#value(key as Expression, at)
        : key.type === 'Identifier'
          ? key.name
          : key.type === 'Literal'
            ? String(key.value)
            : undefined
      if (typeof name !== 'string' && typeof name !== 'number') continue
      object[String(name)] = this.#value(value as Expression, {
        ...at,
        path: join(at.path, String(name)),
      })
    }
    return object
  }

  /** Reads the calls that name a file: `require` and paths. */
  #call({ callee, arguments: args }: CallExpression, at: At): Value {
    const texts = args.map((one) => (one.type === 'Literal' ? one.value : undefined))
    const [first] = texts
    if (callee.type === 'Identifier' && callee.name === 'require' && typeof first === 'string')
      return this.#loaded(first, startOf(callee), at)
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier')
      return undefined
    const object = callee.object.type === 'Identifier' ? callee.object.name : ''
    const method = callee.property.name
    if (object === 'require' && method === 'resolve' && typeof first === 'string') return first
    const isPath = object === 'path' && (method === 'resolve' || method === 'join')
    if (!isPath) return undefined
    const parts = texts.filter((one) => typeof one === 'string')
    return parts.length === 0 ? undefined : parts.join('/')
  }

  #report({ unit, path }: Pick<At, 'unit' | 'path'>, offset: number, message: string): void {
    const place = unit.source.position(unit.toOffset(offset))
    this.problems.push({ file: unit.source.file, line: place.line, path, message })
  }
}

type At = Context & { readonly path: string; readonly stack: readonly string[] }

function moduleScope(): Scope {
  const scope = new Scope(createGlobals())
  const names = {
    process: newObject([['env', newObject()]]),
    __dirname: '.',
    __filename: './config',
  }
  for (const [name, value] of Object.entries(names)) scope.define(name, value)
  return new Scope(scope)
}

function closureOf(syntax: Closure['syntax'], { scope, unit }: At): Closure {
  return new Closure(syntax, scope, unit, '')
}

function isModuleExports(
  node: Expression,
): node is Extract<Expression, { type: 'AssignmentExpression' }> {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false
  const { object, property } = node.left
  const name = object.type === 'Identifier' ? object.name : ''
  return name === 'module' && property.type === 'Identifier' && property.name === 'exports'
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
