import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { Closure, isObject, Markup, Missing, Native, Snippet, type Value } from './value.ts'

/** The result if an operator does not support its operands. */
export const UNSUPPORTED = Symbol('unsupported')

/** Converts a value to text as `String()` and templates do; undefined if it has no text form. */
export function toText(value: Value): string | undefined {
  if (Array.isArray(value)) return joinTexts(value, ',')
  if (isObject(value)) return '[object Object]'
  if (typeof value === 'object' && value !== null) return undefined
  return String(value)
}

/** Joins a list as text; undefined if an item has no text form or the result is too long. */
export function joinTexts(list: readonly Value[], separator: string): string | undefined {
  const parts: string[] = []
  let length = 0
  for (const item of list) {
    const part = item === null || item === undefined ? '' : toText(item)
    if (part === undefined) return undefined
    length += part.length + separator.length
    if (length > CONTENT_LIMITS.textLengthMax) return undefined
    parts.push(part)
  }
  return parts.join(separator)
}

export function toNumber(value: Value): number {
  if (value === null) return 0
  if (typeof value === 'object') return Number.NaN
  return Number(value)
}

export function typeOf(value: Value): string {
  if (value instanceof Closure || value instanceof Native || value instanceof Snippet)
    return 'function'
  if (value instanceof Missing) return 'undefined'
  if (value instanceof Markup) return 'object'
  return typeof value
}

function looselyEqual(a: Value, b: Value): boolean {
  if ((a === null || a === undefined) && (b === null || b === undefined)) return true
  if (a === null || b === null || typeof a === 'object' || typeof b === 'object') return a === b
  // biome-ignore lint/suspicious/noDoubleEquals: the author's `==` has the same meaning.
  return a == b
}

/** Applies a binary operator to two primitives. Returns `UNSUPPORTED` for an unknown operator. */
export function applyBinary(
  operator: string,
  left: Value,
  right: Value,
): Value | typeof UNSUPPORTED {
  switch (operator) {
    case '+': {
      if (typeof left === 'number' && typeof right === 'number') return left + right
      const isText =
        typeof left === 'string' ||
        typeof right === 'string' ||
        Array.isArray(left) ||
        Array.isArray(right)
      if (!isText) return toNumber(left) + toNumber(right)
      const a = toText(left)
      const b = toText(right)
      return a === undefined || b === undefined ? UNSUPPORTED : a + b
    }
    case '-':
      return toNumber(left) - toNumber(right)
    case '*':
      return toNumber(left) * toNumber(right)
    case '/':
      return toNumber(left) / toNumber(right)
    case '%':
      return toNumber(left) % toNumber(right)
    case '**':
      return toNumber(left) ** toNumber(right)
    case '===':
      return left === right
    case '!==':
      return left !== right
    case '==':
      return looselyEqual(left, right)
    case '!=':
      return !looselyEqual(left, right)
    case '<':
    case '>':
    case '<=':
    case '>=':
      return compare(operator, left, right)
    case 'in':
      return isObject(right) && Object.hasOwn(right, toText(left) ?? '')
    case '&':
      return toNumber(left) & toNumber(right)
    case '|':
      return toNumber(left) | toNumber(right)
    case '^':
      return toNumber(left) ^ toNumber(right)
    case '<<':
      return toNumber(left) << toNumber(right)
    case '>>':
      return toNumber(left) >> toNumber(right)
    case '>>>':
      return toNumber(left) >>> toNumber(right)
    default:
      return UNSUPPORTED
  }
}

function compare(operator: '<' | '>' | '<=' | '>=', left: Value, right: Value): boolean {
  const [a, b] =
    typeof left === 'string' && typeof right === 'string'
      ? [left, right]
      : [toNumber(left), toNumber(right)]
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}
