/** The names defined in every expression: the pure part of JavaScript, and React's hooks. */
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { limit } from './methods.ts'
import { toNumber, toText } from './operators.ts'
import { Scope } from './scope.ts'
import {
  Closure,
  fromData,
  isObject,
  Markup,
  Native,
  type NativeCall,
  newObject,
  ownProperty,
  toData,
  type Value,
  type ValueObject,
} from './value.ts'

const text = (value: Value): string => toText(value) ?? ''

/**
 * Returns frozen native functions: all pages of all sites share them, so no page may change them.
 */
function natives(calls: Readonly<Record<string, NativeCall>>): ValueObject {
  return shared(
    Object.entries(calls).map(([name, call]) => [
      name,
      new Native(name, (args, run) => limit(call(args, run), run)),
    ]),
  )
}

function shared(entries: Iterable<readonly [string, Value]>): ValueObject {
  return Object.freeze(newObject(entries))
}

const entriesOf = (value: Value): (readonly [string, Value])[] => {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item] as const)
  return isObject(value) ? Object.entries(value) : []
}

const OBJECT = natives({
  assign: ([target, ...sources], run) => {
    if (!isObject(target) || Object.isFrozen(target)) return run.refuse('changes a read-only value')
    for (const source of sources) for (const [key, value] of entriesOf(source)) target[key] = value
    return target
  },
  entries: ([value]) => entriesOf(value).map(([key, item]) => [key, item]),
  freeze: ([value]) => value,
  fromEntries: ([list]) =>
    newObject(
      (Array.isArray(list) ? list : []).flatMap((pair) =>
        Array.isArray(pair) ? [[text(pair[0]), pair[1]] as const] : [],
      ),
    ),
  keys: ([value]) => entriesOf(value).map(([key]) => key),
  values: ([value]) => entriesOf(value).map(([, item]) => item),
})

const ARRAY = natives({
  from: ([value, callback], run) => {
    const length = isObject(value) ? toNumber(ownProperty(value, 'length')) : 0
    if (length > CONTENT_LIMITS.listLengthMax)
      return run.exceed('creates an array that is too long')
    let items: Value[] = Array.from({ length: length || 0 })
    if (Array.isArray(value)) items = [...value]
    else if (typeof value === 'string') items = [...value]
    return callback === undefined
      ? items
      : items.map((item, index) => run.invoke(callback, [item, index]))
  },
  isArray: ([value]) => Array.isArray(value),
  of: (args) => [...args],
})

const numeric =
  (call: (...args: number[]) => number): NativeCall =>
  (args) =>
    call(...args.map(toNumber))

const MATH = natives({
  abs: numeric(Math.abs),
  ceil: numeric(Math.ceil),
  floor: numeric(Math.floor),
  log: numeric(Math.log),
  log10: numeric(Math.log10),
  log2: numeric(Math.log2),
  max: numeric(Math.max),
  min: numeric(Math.min),
  pow: numeric(Math.pow),
  round: numeric(Math.round),
  sign: numeric(Math.sign),
  sqrt: numeric(Math.sqrt),
  trunc: numeric(Math.trunc),
})

const JSON_FUNCTIONS = natives({
  parse: ([value], run) => {
    try {
      return fromData(JSON.parse(text(value)))
    } catch {
      // Invalid JSON is the author's mistake, reported at the call.
      return run.refuse('parses invalid JSON')
    }
  },
  stringify: ([value, , indent], run) =>
    JSON.stringify(toData(value, run.spend) ?? null, null, Math.min(10, toNumber(indent ?? 0))),
})

const FUNCTIONS = natives({
  Boolean: ([value]) => Boolean(value),
  decodeURIComponent: ([value], run) => {
    try {
      return decodeURIComponent(text(value))
    } catch {
      // An invalid percent escape is the author's mistake, reported at the call.
      return run.refuse('decodes an invalid URI component')
    }
  },
  encodeURI: ([value]) => encodeURI(text(value).toWellFormed()),
  encodeURIComponent: ([value]) => encodeURIComponent(text(value).toWellFormed()),
  isNaN: ([value]) => Number.isNaN(toNumber(value)),
  parseFloat: ([value]) => Number.parseFloat(text(value)),
  parseInt: ([value, radix]) => Number.parseInt(text(value), toNumber(radix ?? 10)),
})

const NUMBER = new Native('Number', ([value]) => toNumber(value), {
  members: natives({
    isFinite: ([value]) => Number.isFinite(value),
    isInteger: ([value]) => Number.isInteger(value),
    isNaN: ([value]) => Number.isNaN(value),
    parseFloat: ([value]) => Number.parseFloat(text(value)),
    parseInt: ([value, radix]) => Number.parseInt(text(value), toNumber(radix ?? 10)),
  }),
})

const STRING = new Native('String', ([value]) => text(value), {
  members: natives({
    fromCharCode: (codes) => String.fromCharCode(...codes.slice(0, 1_000).map(toNumber)),
  }),
})

const nothing: NativeCall = () => undefined
const first: NativeCall = ([value]) => value
const called: NativeCall = ([callback], run) => run.invoke(callback, [])
const initial: NativeCall = ([value], run) => [
  value instanceof Closure ? run.invoke(value, []) : value,
  new Native('set', nothing),
]

/** React hooks during the build: they return the initial state and run no effects. */
const HOOKS: Readonly<Record<string, NativeCall>> = {
  useCallback: first,
  useContext: nothing,
  useDeferredValue: first,
  useEffect: nothing,
  useId: () => 'id',
  useLayoutEffect: nothing,
  useMemo: called,
  useReducer: ([, state]) => [state, new Native('dispatch', nothing)],
  useRef: ([value]) => newObject([['current', value ?? null]]),
  useState: initial,
  useSyncExternalStore: ([, , snapshot], run) =>
    snapshot === undefined ? undefined : run.invoke(snapshot, []),
  useTransition: () => [false, new Native('start', nothing)],
}

/** Names that exist only in a browser. A component that reads one of them must run in a browser. */
export const BROWSER_NAMES: ReadonlySet<string> = new Set(
  `window document navigator localStorage sessionStorage location history screen fetch alert confirm prompt
  setTimeout setInterval clearTimeout clearInterval requestAnimationFrame cancelAnimationFrame queueMicrotask
  MutationObserver IntersectionObserver ResizeObserver XMLHttpRequest WebSocket EventSource CustomEvent Event URL
  URLSearchParams FormData Blob File FileReader crypto performance matchMedia getComputedStyle customElements
  Date Intl Promise console AbortController TextEncoder TextDecoder Image Audio globalThis self Map Set`.split(
    /\s+/,
  ),
)

/** Creates the global scope. Each parser has its own, so that this module has no shared state. */
export function createGlobals(): Scope {
  const scope = new Scope(undefined)
  const hooks = Object.entries(HOOKS).map(
    ([name, call]) => [name, new Native(name, call, { browser: true })] as const,
  )
  const fragment = new Native('Fragment', ([props]) =>
    isObject(props) ? ownProperty(props, 'children') : new Markup([]),
  )
  const functions = Object.entries(FUNCTIONS)
  const react = shared([
    ...hooks,
    ['Fragment', fragment],
    ['memo', new Native('memo', first)],
    ['forwardRef', new Native('forwardRef', first)],
  ])
  const names: readonly (readonly [string, Value])[] = [
    ...hooks,
    ...functions,
    ['Array', ARRAY],
    ['Fragment', fragment],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['JSON', JSON_FUNCTIONS],
    ['Math', shared([...Object.entries(MATH), ['PI', Math.PI], ['E', Math.E]])],
    ['NaN', Number.NaN],
    ['Number', NUMBER],
    ['Object', OBJECT],
    ['React', react],
    ['String', STRING],
    ['undefined', undefined],
  ]
  for (const [name, value] of names) scope.define(name, value, true)
  return scope
}
