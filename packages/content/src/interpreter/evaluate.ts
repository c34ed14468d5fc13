/**
 * A pure interpreter of expressions. It walks the syntax tree and computes with its own values, so
 * JavaScript never runs an author's code. Steps, depth and sizes are limited.
 */
import type {
  Expression,
  MemberExpression,
  ObjectExpression,
  SimpleCallExpression,
  SpreadElement,
  Super,
  TemplateLiteral,
  UnaryExpression,
} from 'estree-jsx'
import { call, invoke } from './call.ts'
import { BROWSER_NAMES } from './globals.ts'
import { evaluateJsx } from './jsx.ts'
import { limit, methodOf } from './methods.ts'
import { applyBinary, toNumber, toText, typeOf, UNSUPPORTED } from './operators.ts'
import { assign } from './patterns.ts'
import { type Context, fail, writtenText } from './run.ts'
import {
  Broken,
  Closure,
  isObject,
  Native,
  newObject,
  ownProperty,
  Pattern,
  type Value,
  type ValueObject,
} from './value.ts'

/** Returns the value of an expression. Throws an `EvaluationProblem` on failure. */
export function evaluate(context: Context, node: Expression): Value {
  context.run.enter(context, node)
  const value = evaluateNode(context, node)
  context.run.leave()
  return value
}

function evaluateNode(context: Context, node: Expression): Value {
  switch (node.type) {
    case 'Literal':
      return literal(context, node)
    case 'TemplateLiteral':
      return template(context, node)
    case 'Identifier':
      return readName(context, node, node.name)
    case 'MemberExpression':
      return readMember(context, node).value
    case 'ChainExpression':
      return evaluate(context, node.expression)
    case 'CallExpression':
      return callExpression(context, node as SimpleCallExpression)
    case 'ObjectExpression':
      return objectExpression(context, node)
    case 'ArrayExpression':
      return limit(listOf(context, node.elements), callerOf(context, node))
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return new Closure(
        node,
        context.scope,
        context.unit,
        'id' in node ? (node.id?.name ?? '') : '',
      )
    case 'ConditionalExpression':
      return evaluate(context, evaluate(context, node.test) ? node.consequent : node.alternate)
    case 'LogicalExpression': {
      const left = evaluate(context, node.left)
      if (node.operator === '&&') return left ? evaluate(context, node.right) : left
      if (node.operator === '||') return left ? left : evaluate(context, node.right)
      return left ?? evaluate(context, node.right)
    }
    case 'BinaryExpression':
      return binary(context, node)
    case 'UnaryExpression':
      return unary(context, node)
    case 'AssignmentExpression':
      return assignment(context, node)
    case 'UpdateExpression': {
      const before = toNumber(evaluate(context, node.argument as Expression))
      const after = node.operator === '++' ? before + 1 : before - 1
      assign(
        context,
        node.argument as Expression & { type: 'Identifier' | 'MemberExpression' },
        after,
      )
      return node.prefix ? after : before
    }
    case 'SequenceExpression':
      return node.expressions.reduce<Value>((_, part) => evaluate(context, part), undefined)
    case 'JSXElement':
    case 'JSXFragment':
      return evaluateJsx(context, node)
    case 'NewExpression':
      return refuseNew(context, node)
    default:
      return fail('unsupported', `\`${describe(node.type)}\` is not evaluated at build time`, {
        context,
        node,
      })
  }
}

function refuseNew(context: Context, node: Expression & { type: 'NewExpression' }): never {
  const name = rootName(node.callee)
  const isKnown = BROWSER_NAMES.has(name) || BROWSER_CLASSES.has(name)
  const kind = isKnown && context.scope.find(name) === undefined ? 'browser' : 'unsupported'
  return fail(kind, `\`new ${name}\` is not evaluated at build time`, { context, node })
}

/** Returns `Intl` for `Intl.NumberFormat`; empty if an expression is not a name with members. */
function rootName(node: Expression | Super): string {
  if (node.type === 'MemberExpression') return rootName(node.object)
  return node.type === 'Identifier' ? node.name : ''
}

/**
 * Checks for a method that browsers have and the interpreter does not, such as `toLocaleString()`.
 */
function hasInBrowser(object: Expression | Super, subject: Value, key: string): boolean {
  if (object.type === 'Identifier' && object.name === 'Math') return Object.hasOwn(Math, key)
  const prototype = prototypeOf(subject)
  return prototype !== undefined && key !== 'constructor' && Object.hasOwn(prototype, key)
}

function prototypeOf(value: Value): object | undefined {
  if (typeof value === 'string') return String.prototype
  if (typeof value === 'number') return Number.prototype
  return Array.isArray(value) ? Array.prototype : undefined
}

/** Built-in classes of JavaScript, which every browser has. */
const BROWSER_CLASSES: ReadonlySet<string> = new Set(
  'Array Error RegExp WeakMap WeakSet'.split(' '),
)

function describe(type: string): string {
  const known: Readonly<Record<string, string>> = {
    ImportExpression: 'import()',
    AwaitExpression: 'await',
    ThisExpression: 'this',
    TaggedTemplateExpression: 'a tagged template',
    ClassExpression: 'class',
    YieldExpression: 'yield',
    MetaProperty: 'import.meta',
  }
  return known[type] ?? type
}

function literal(context: Context, node: Expression & { type: 'Literal' }): Value {
  if ('regex' in node && node.regex !== undefined && node.regex !== null) {
    return new Pattern(node.regex.pattern, node.regex.flags)
  }
  const { value } = node
  if (typeof value === 'bigint' || value instanceof RegExp || value === undefined) {
    return fail('unsupported', 'BigInt literals such as `1n` are not evaluated at build time', {
      context,
      node,
    })
  }
  return value
}

function template(context: Context, node: TemplateLiteral): Value {
  let text = node.quasis[0]?.value.cooked ?? ''
  for (const [index, expression] of node.expressions.entries()) {
    const part = toText(evaluate(context, expression))
    if (part === undefined)
      fail('unsupported', 'JSX cannot be used in a string', { context, node: expression })
    text += part + (node.quasis[index + 1]?.value.cooked ?? '')
  }
  return limit(text, callerOf(context, node))
}

/** Returns the interpreter functions that a native function may use, for a call at `node`. */
export function callerOf(context: Context, node: Expression) {
  return {
    invoke: (callee: Value, args: readonly Value[]) => invoke(context, callee, { args, node }),
    spend: (steps: number) => context.run.spend(steps, context, node),
    refuse: (reason: string): never =>
      fail('unsupported', `The expression ${reason}`, { context, node }),
    exceed: (reason: string): never => fail('limit', `The expression ${reason}`, { context, node }),
  }
}

/** Looks up a name. Browser globals and unknown names fail with different kinds of problems. */
function readName(context: Context, node: Expression | MemberExpression, name: string): Value {
  const scope = context.scope.find(name)
  if (scope !== undefined) {
    const value = scope.get(name)
    if (value instanceof Broken) throw value.problem
    return value
  }
  if (BROWSER_NAMES.has(name)) {
    return fail('browser', `\`${name}\` exists only in a browser`, { context, node })
  }
  return fail('undefined-name', `\`${name}\` is not defined`, { context, node })
}

type Member = { readonly subject: Value; readonly key: string; readonly value: Value }

function readMember(context: Context, node: MemberExpression): Member {
  if (node.object.type === 'Super')
    return fail('unsupported', '`super` is not supported', { context, node })
  const subject = evaluate(context, node.object)
  const key = memberKey(context, node)
  if (subject === undefined || subject === null) {
    if (node.optional || isOptional(node.object)) return { subject, key, value: undefined }
    const written = writtenText(context, node.object)
    const hint = written === undefined ? {} : { hint: missing(written) }
    return fail('unsupported', `Cannot read \`${key}\` of an undefined value`, {
      context,
      node,
      ...hint,
    })
  }
  return { subject, key, value: readProperty(subject, key) }
}

function missing(written: string): string {
  return `\`${written}\` is undefined. Define it, or correct the name.`
}

function isOptional(node: Expression | Super): boolean {
  if (node.type === 'MemberExpression') return node.optional || isOptional(node.object)
  return node.type === 'CallExpression' && (node.optional || isOptional(node.callee))
}

/** Returns the key of a member expression such as `a.b`, `a['b']` or `a[0]`. */
export function memberKey(context: Context, node: MemberExpression): string {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : ''
  if (node.property.type === 'PrivateIdentifier') return ''
  return toText(evaluate(context, node.property)) ?? ''
}

/** Returns an own property or an allowed method, never a property of a prototype. */
export function readProperty(subject: Value, key: string): Value {
  if (isObject(subject)) return ownProperty(subject, key)
  if (Array.isArray(subject) || typeof subject === 'string') {
    if (key === 'length') return subject.length
    if (/^\d{1,9}$/.test(key)) return subject[Number(key)]
  }
  if (subject instanceof Native && subject.members !== undefined)
    return ownProperty(subject.members, key)
  return methodOf(subject, key)
}

function callExpression(context: Context, node: SimpleCallExpression): Value {
  if (node.callee.type === 'Super')
    return fail('unsupported', '`super` is not supported', { context, node })
  if (node.callee.type === 'MemberExpression') {
    const { subject, key, value } = readMember(context, node.callee)
    if (
      value === undefined &&
      (node.optional || (isOptional(node.callee) && (subject ?? undefined) === undefined))
    )
      return undefined
    if (value === undefined) {
      const kind = hasInBrowser(node.callee.object, subject, key) ? 'browser' : 'unsupported'
      return fail(kind, `\`.${key}()\` is not evaluated at build time`, {
        context,
        node,
        hint: 'Write the result directly, or move it into a component in a `.jsx` file and import it.',
      })
    }
    return call(context, { callee: value, args: listOf(context, node.arguments), node })
  }
  const callee = evaluate(context, node.callee)
  if ((callee === undefined || callee === null) && node.optional) return undefined
  return call(context, { callee, args: listOf(context, node.arguments), node })
}

function listOf(context: Context, nodes: readonly (Expression | SpreadElement | null)[]): Value[] {
  const list: Value[] = []
  for (const node of nodes) {
    if (node === null) list.push(undefined)
    else if (node.type !== 'SpreadElement') list.push(evaluate(context, node))
    else for (const item of spreadItems(context, node)) list.push(item)
  }
  return list
}

function spreadItems(context: Context, node: SpreadElement): readonly Value[] {
  const value = evaluate(context, node.argument)
  if (typeof value === 'string') return [...value]
  if (!Array.isArray(value)) return fail('unsupported', '`...` needs an array', { context, node })
  context.run.spend(value.length >> 2, context, node)
  return value
}

function objectExpression(context: Context, node: ObjectExpression): ValueObject {
  const object = newObject()
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const value = evaluate(context, property.argument)
      if (isObject(value)) for (const [key, item] of Object.entries(value)) object[key] = item
      continue
    }
    if (property.kind !== 'init')
      fail('unsupported', 'Getters and setters are not supported', { context, node: property })
    const key = propertyKey(context, property)
    const value = evaluate(context, property.value as Expression)
    if (value instanceof Closure && value.name === '') value.name = key
    object[key] = value
  }
  return object
}

function propertyKey(
  context: Context,
  property: {
    readonly key:
      | ObjectExpression['properties'][number]
      | Expression
      | { readonly type: 'PrivateIdentifier' }
    readonly computed: boolean
  },
): string {
  const { key } = property
  if (!property.computed && key.type === 'Identifier') return key.name
  return toText(evaluate(context, key as Expression)) ?? ''
}

function binary(context: Context, node: Expression & { type: 'BinaryExpression' }): Value {
  if (node.left.type === 'PrivateIdentifier')
    return fail('unsupported', 'Private names (`#`) are not supported', { context, node })
  const left = evaluate(context, node.left)
  const value = applyBinary(node.operator, left, evaluate(context, node.right))
  if (value === UNSUPPORTED)
    return fail('unsupported', `\`${node.operator}\` does not work with these values`, {
      context,
      node,
    })
  return limit(value, callerOf(context, node))
}

function unary(context: Context, node: UnaryExpression): Value {
  if (node.operator === 'typeof' && node.argument.type === 'Identifier') {
    const { name } = node.argument
    const scope = context.scope.find(name)
    if (scope !== undefined) return typeOf(scope.get(name))
    const { frame } = context.run
    if (frame !== undefined && BROWSER_NAMES.has(name)) frame.needsBrowser = true
    return 'undefined'
  }
  const value = evaluate(context, node.argument)
  switch (node.operator) {
    case '!':
      return !value
    case '-':
      return -toNumber(value)
    case '+':
      return toNumber(value)
    case '~':
      return ~toNumber(value)
    case 'typeof':
      return typeOf(value)
    case 'void':
      return undefined
    default:
      return fail('unsupported', `\`${node.operator}\` is not evaluated at build time`, {
        context,
        node,
      })
  }
}

function assignment(context: Context, node: Expression & { type: 'AssignmentExpression' }): Value {
  if (node.operator === '=') {
    const value = evaluate(context, node.right)
    assign(context, node.left, value)
    return value
  }
  const before = evaluate(context, node.left as Expression)
  const operator = node.operator.slice(0, -1)
  if (operator === '&&' && !before) return before
  if (operator === '||' && before) return before
  if (operator === '??' && before !== null && before !== undefined) return before
  const right = evaluate(context, node.right)
  const value = ['&&', '||', '??'].includes(operator) ? right : applyBinary(operator, before, right)
  if (value === UNSUPPORTED)
    return fail('unsupported', `\`${node.operator}\` does not work with these values`, {
      context,
      node,
    })
  assign(context, node.left, limit(value, callerOf(context, node)))
  return value
}
