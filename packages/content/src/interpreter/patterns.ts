import type { Expression, Pattern, Property } from 'estree-jsx'
import { evaluate, memberKey, readProperty } from './evaluate.ts'
import { type Context, fail } from './run.ts'
import { Closure, isObject, newObject, type Value } from './value.ts'

/** Binds the names of a pattern to values: `a`, `{ a, b: c = 1, ...rest }`, `[a, ...rest]`. */
export function bind(context: Context, pattern: Pattern, value: Value): void {
  place(context, pattern, value, (name, part) => {
    if (part instanceof Closure && part.name === '') part.name = name
    context.scope.define(name, part)
  })
}

/** Assigns to an existing name, to a member, or to a pattern of names and members. */
export function assign(context: Context, target: Pattern | Expression, value: Value): void {
  place(context, target, value, (name, part) => {
    const scope = context.scope.find(name)
    if (scope === undefined)
      fail('undefined-name', `\`${name}\` is not defined`, { context, node: target })
    if (!scope.assign(name, part))
      fail('unsupported', `\`${name}\` cannot be changed`, { context, node: target })
  })
}

type SetName = (name: string, value: Value) => void

function place(context: Context, target: Pattern | Expression, value: Value, set: SetName): void {
  context.run.enter(context, target)
  placePart(context, target, value, set)
  context.run.leave()
}

function placePart(
  context: Context,
  target: Pattern | Expression,
  value: Value,
  set: SetName,
): void {
  switch (target.type) {
    case 'Identifier':
      set(target.name, value)
      return
    case 'AssignmentPattern':
      place(
        context,
        target.left,
        value === undefined ? evaluate(context, target.right) : value,
        set,
      )
      return
    case 'ObjectPattern':
      placeObject(context, target, value, set)
      return
    case 'ArrayPattern':
      placeList(context, target, value, set)
      return
    case 'MemberExpression':
      placeMember(context, target, value)
      return
    default:
      fail('unsupported', 'Invalid assignment target', { context, node: target })
  }
}

function placeObject(
  context: Context,
  target: Pattern & { type: 'ObjectPattern' },
  value: Value,
  set: SetName,
): void {
  if (value === undefined || value === null) {
    fail('unsupported', 'An undefined or null value cannot be destructured', {
      context,
      node: target,
    })
  }
  const taken = new Set<string>()
  for (const property of target.properties) {
    if (property.type === 'RestElement') {
      const rest = isObject(value) ? Object.entries(value).filter(([key]) => !taken.has(key)) : []
      place(context, property.argument, newObject(rest), set)
      continue
    }
    const key = patternKey(context, property)
    taken.add(key)
    place(context, property.value, readProperty(value, key), set)
  }
}

function patternKey(
  context: Context,
  property: Pick<Property, 'computed'> & { readonly key: Property['key'] },
): string {
  if (!property.computed && property.key.type === 'Identifier') return property.key.name
  return String(evaluate(context, property.key as Expression))
}

function placeList(
  context: Context,
  target: Pattern & { type: 'ArrayPattern' },
  value: Value,
  set: SetName,
): void {
  if (!Array.isArray(value))
    fail('unsupported', 'A value that is not an array cannot be destructured as one', {
      context,
      node: target,
    })
  for (const [index, element] of target.elements.entries()) {
    if (element === null) continue
    if (element.type === 'RestElement') place(context, element.argument, value.slice(index), set)
    else place(context, element, value[index], set)
  }
}

function placeMember(
  context: Context,
  target: Pattern & { type: 'MemberExpression' },
  value: Value,
): void {
  if (target.object.type === 'Super')
    fail('unsupported', '`super` is not supported', { context, node: target })
  const subject = evaluate(context, target.object)
  const key = memberKey(context, target)
  // `Object.isFrozen` is also true for strings and numbers.
  if (typeof subject === 'object' && Object.isFrozen(subject)) {
    fail('unsupported', 'A value that all pages share cannot be changed', { context, node: target })
  }
  if (isObject(subject)) subject[key] = value
  else if (Array.isArray(subject) && /^\d{1,5}$/.test(key)) subject[Number(key)] = value
  else fail('unsupported', `\`${key}\` cannot be set here`, { context, node: target })
}
