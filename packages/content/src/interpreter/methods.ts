/** The methods of strings, numbers and lists that an expression may call. All are pure. */
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { joinTexts, toNumber, toText } from './operators.ts'
import { type Caller, Closure, Native, Pattern, type Value } from './value.ts'

type Method<Subject> = (subject: Subject, args: readonly Value[], run: Caller) => Value

/** Returns a method that is bound to its value; undefined if the value does not have it. */
export function methodOf(value: Value, name: string): Native | undefined {
  if (typeof value === 'string') return bind(TEXT_METHODS, value, name)
  if (Array.isArray(value)) return bind(LIST_METHODS, value, name)
  if (typeof value === 'number') return bind(NUMBER_METHODS, value, name)
  if (value instanceof Pattern) return bind(PATTERN_METHODS, value, name)
  return undefined
}

function bind<Subject>(
  methods: Readonly<Record<string, Method<Subject>>>,
  subject: Subject,
  name: string,
) {
  if (!Object.hasOwn(methods, name)) return undefined
  const method = methods[name]
  if (method === undefined) return undefined
  return new Native(name, (args, run) => limit(method(subject, args, run), run))
}

/** Rejects a string or list that is larger than the limits. */
export function limit(value: Value, run: Caller): Value {
  if (typeof value === 'string') {
    if (value.length > CONTENT_LIMITS.textLengthMax) run.exceed('creates a string that is too long')
    run.spend(value.length >> 6)
  }
  if (Array.isArray(value)) {
    if (value.length > CONTENT_LIMITS.listLengthMax) run.exceed('creates an array that is too long')
    run.spend(value.length >> 2)
  }
  return value
}

const text = (value: Value): string => toText(value) ?? ''
const optional = (value: Value): number | undefined =>
  value === undefined ? undefined : toNumber(value)

function repeatable(subject: string, count: number, run: Caller): number {
  if (!(count >= 0) || subject.length * count > CONTENT_LIMITS.textLengthMax) {
    return run.exceed('creates a string that is too long')
  }
  return count
}

const TEXT_METHODS: Readonly<Record<string, Method<string>>> = {
  at: (subject, [index]) => subject.at(toNumber(index)),
  charAt: (subject, [index]) => subject.charAt(toNumber(index)),
  charCodeAt: (subject, [index]) => subject.charCodeAt(toNumber(index)),
  concat: (subject, args, run) =>
    joinTexts([subject, ...args], '') ??
    run.refuse('joins values that are not strings, or the result is too long'),
  endsWith: (subject, [part]) => subject.endsWith(text(part)),
  includes: (subject, [part]) => subject.includes(text(part)),
  indexOf: (subject, [part, from]) => subject.indexOf(text(part), optional(from)),
  lastIndexOf: (subject, [part]) => subject.lastIndexOf(text(part)),
  localeCompare: (subject, [other]) =>
    subject === text(other) ? 0 : subject < text(other) ? -1 : 1,
  match: (subject, [pattern], run) => {
    const found = regExp(pattern, subject, run, '')
    const match = subject.match(found)
    return match === null ? null : [...match]
  },
  padEnd: (subject, [length, fill], run) =>
    subject.padEnd(repeatable(' ', toNumber(length), run), fill === undefined ? ' ' : text(fill)),
  padStart: (subject, [length, fill], run) =>
    subject.padStart(repeatable(' ', toNumber(length), run), fill === undefined ? ' ' : text(fill)),
  repeat: (subject, [count], run) => subject.repeat(repeatable(subject, toNumber(count), run)),
  replace: (subject, [find, put], run) => replace(subject, { find, put, run, all: false }),
  replaceAll: (subject, [find, put], run) => replace(subject, { find, put, run, all: true }),
  slice: (subject, [start, end]) => subject.slice(optional(start), optional(end)),
  split: (subject, [separator], run) => {
    run.spend(subject.length >> 3)
    if (separator === undefined) return [subject]
    return separator instanceof Pattern
      ? subject.split(regExp(separator, subject, run, ''))
      : subject.split(text(separator))
  },
  startsWith: (subject, [part]) => subject.startsWith(text(part)),
  substr: (subject, [start, length]) => {
    const from =
      toNumber(start) < 0 ? Math.max(0, subject.length + toNumber(start)) : toNumber(start)
    return subject.slice(from, length === undefined ? undefined : from + toNumber(length))
  },
  substring: (subject, [start, end]) => subject.substring(toNumber(start), optional(end)),
  toLocaleLowerCase: (subject) => subject.toLowerCase(),
  toLocaleUpperCase: (subject) => subject.toUpperCase(),
  toLowerCase: (subject) => subject.toLowerCase(),
  toString: (subject: string) => subject,
  toUpperCase: (subject) => subject.toUpperCase(),
  trim: (subject) => subject.trim(),
  trimEnd: (subject) => subject.trimEnd(),
  trimStart: (subject) => subject.trimStart(),
  valueOf: (subject: string) => subject,
}

type Replacement = {
  readonly find: Value
  readonly put: Value
  readonly run: Caller
  readonly all: boolean
}

function replace(subject: string, { find, put, run, all }: Replacement): string {
  run.spend(subject.length >> 3)
  const pattern = find instanceof Pattern ? regExp(find, subject, run, all ? 'g' : '') : text(find)
  let length = 0
  const by = (...match: readonly unknown[]): string => {
    const parts = match.filter((part) => typeof part === 'string' || typeof part === 'number')
    const isCalled = put instanceof Closure || put instanceof Native
    const replaced = isCalled ? text(run.invoke(put, parts)) : text(put)
    length += replaced.length
    if (length > CONTENT_LIMITS.textLengthMax) run.exceed('creates a string that is too long')
    return replaced
  }
  return all ? subject.replaceAll(pattern, by) : subject.replace(pattern, by)
}

/** Maximum length of a string that an author's regular expression may be applied to. */
const PATTERN_SUBJECT_MAX = 10_000

/**
 * Compiles an author's regular expression. It runs in the build process, so it must not backtrack:
 * groups are rejected, and so is more than one quantifier per alternative.
 */
function regExp(pattern: Value, subject: string, run: Caller, extraFlags: string): RegExp {
  if (!(pattern instanceof Pattern)) return run.refuse('needs a regular expression')
  const bare = pattern.source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x')
  const quantifiers = bare.split('|').map((part) => (part.match(/[*+?{]/g) ?? []).length)
  if (
    /[()]/.test(bare) ||
    quantifiers.some((count) => count > 1) ||
    subject.length > PATTERN_SUBJECT_MAX
  ) {
    return run.refuse('uses a regular expression that is not evaluated at build time')
  }
  const flags = [...new Set(`${pattern.flags}${extraFlags}`)].filter((flag) =>
    'gimsu'.includes(flag),
  )
  try {
    return new RegExp(pattern.source, flags.join(''))
  } catch {
    // The parser checks the pattern, but not in combination with every flag.
    return run.refuse('uses an invalid regular expression')
  }
}

const isTrue = (value: Value): boolean => Boolean(value)

function each(list: readonly Value[], callback: Value, run: Caller): readonly Value[] {
  return list.map((item, index) => {
    run.spend(1)
    return run.invoke(callback, [item, index, list as Value[]])
  })
}

function find(list: readonly Value[], callback: Value, run: Caller): number {
  return list.findIndex((item, index) => isTrue(run.invoke(callback, [item, index])))
}

function flatten(list: readonly Value[], depth: number): Value[] {
  const flat: Value[] = []
  for (const item of list) {
    if (!Array.isArray(item)) flat.push(item)
    else for (const inner of depth > 1 ? flatten(item, depth - 1) : item) flat.push(inner)
  }
  return flat
}

function changeable(list: Value[], run: Caller): Value[] {
  return Object.isFrozen(list) ? run.refuse('changes a value that all pages share') : list
}

function sorted(list: readonly Value[], callback: Value, run: Caller): Value[] {
  run.spend(list.length * 4)
  if (callback === undefined)
    return list.toSorted((a, b) => (text(a) < text(b) ? -1 : Number(text(a) > text(b))))
  return list.toSorted((a, b) => toNumber(run.invoke(callback, [a, b])))
}

const LIST_METHODS: Readonly<Record<string, Method<Value[]>>> = {
  at: (list, [index]) => list.at(toNumber(index)),
  concat: (list, args) => list.concat(...args.map((item) => (Array.isArray(item) ? item : [item]))),
  entries: (list) => list.map((item, index) => [index, item]),
  every: (list, [callback], run) =>
    list.every((item, index) => isTrue(run.invoke(callback, [item, index]))),
  filter: (list, [callback], run) =>
    list.filter((item, index) => isTrue(run.invoke(callback, [item, index, list]))),
  find: (list, [callback], run) => list[find(list, callback, run)],
  findIndex: (list, [callback], run) => find(list, callback, run),
  flat: (list, [depth]) => flatten(list, Math.min(optional(depth) ?? 1, 10)),
  flatMap: (list, [callback], run) => flatten(each(list, callback, run), 1),
  forEach: (list, [callback], run) => void each(list, callback, run),
  includes: (list, [item]) => list.includes(item),
  indexOf: (list, [item]) => list.indexOf(item),
  join: (list, [separator], run) =>
    joinTexts(list, separator === undefined ? ',' : text(separator)) ??
    run.refuse('joins values that are not strings, or the result is too long'),
  keys: (list) => list.map((_, index) => index),
  lastIndexOf: (list, [item]) => list.lastIndexOf(item),
  map: (list, [callback], run) => [...each(list, callback, run)],
  pop: (list, _, run) => changeable(list, run).pop(),
  push: (list, args, run) => changeable(list, run).push(...args),
  reduce: (list, [callback, ...start], run) => {
    const [first, ...rest] = start.length > 0 ? [start[0], ...list] : list
    return rest.reduce<Value>((sum, item, index) => run.invoke(callback, [sum, item, index]), first)
  },
  reverse: (list, _, run) => changeable(list, run).reverse(),
  shift: (list, _, run) => changeable(list, run).shift(),
  slice: (list, [start, end]) => list.slice(optional(start), optional(end)),
  some: (list, [callback], run) =>
    list.some((item, index) => isTrue(run.invoke(callback, [item, index]))),
  sort: (list, [callback], run) => {
    const order = sorted(list, callback, run)
    changeable(list, run).splice(0, list.length, ...order)
    return list
  },
  toReversed: (list) => list.toReversed(),
  toSorted: (list, [callback], run) => sorted(list, callback, run),
  toString: (list: Value[]) => toText(list) ?? '',
  unshift: (list, args, run) => changeable(list, run).unshift(...args),
  values: (list) => [...list],
}

const PATTERN_METHODS: Readonly<Record<string, Method<Pattern>>> = {
  test: (pattern, [subject], run) => regExp(pattern, text(subject), run, '').test(text(subject)),
}

const NUMBER_METHODS: Readonly<Record<string, Method<number>>> = {
  toFixed: (value, [digits]) => value.toFixed(Math.min(20, Math.max(0, optional(digits) ?? 0))),
  toLocaleString: (value: number) => value.toLocaleString('en-US'),
  toString: (value: number) => String(value),
  valueOf: (value: number) => value,
}
