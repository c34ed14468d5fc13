import type { TextValue } from './text-values.ts'

/** The maximum number of brackets in one name. */
const DEPTH_MAX = 20

type Draft = Map<string, Draft | TextValue[]>

/**
 * Reads names such as `filter[role]`, `items[0][name]` and `tags[]`, as many clients write objects
 * and lists in queries and forms. A name without brackets is a field; a repeated one is a list.
 */
export function readBrackets(
  pairs: readonly (readonly [name: string, value: TextValue])[],
): ReadonlyMap<string, TextValue> {
  const root: Draft = new Map()
  for (const [name, value] of pairs) add(root, keysOf(name), value)
  return new Map([...root].map(([key, draft]) => [key, finish(draft)]))
}

/** Returns the keys of a name: `a` and `b` for `a[b]`, and the name itself if it has no valid brackets. */
export function keysOf(name: string): readonly string[] {
  const [, start, rest] = /^([^[]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (start === undefined || rest === undefined) return [name]
  const keys = [...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)
  return keys.length > DEPTH_MAX ? [name] : [start, ...keys]
}

function add(root: Draft, keys: readonly string[], value: TextValue): void {
  let at = root
  for (const key of keys.slice(0, -1)) {
    const next = at.get(key)
    if (next instanceof Map) at = next
    else {
      const created: Draft = new Map()
      at.set(key, created)
      at = created
    }
  }
  const last = keys.at(-1) ?? ''
  const before = at.get(last)
  if (Array.isArray(before)) before.push(value)
  else at.set(last, [value])
}

function finish(draft: Draft | readonly TextValue[]): TextValue {
  if (!(draft instanceof Map)) return oneOrList(draft)
  const keys = [...draft.keys()]
  const values = [...draft.values()]
  // `tags[]` is a list of all its values.
  const [only] = values
  if (keys.length === 1 && keys[0] === '' && only !== undefined) {
    const items = only instanceof Map ? [finish(only)] : only
    return { kind: 'list', items }
  }
  if (keys.every((key, index) => key === String(index))) {
    return { kind: 'list', items: values.map(finish) }
  }
  return {
    kind: 'object',
    fields: new Map(keys.map((key, index) => [key, finish(values[index] ?? [])])),
  }
}

function oneOrList(values: readonly TextValue[]): TextValue {
  const [first] = values
  const list: TextValue = { kind: 'list', items: values }
  if (first === undefined || values.length > 1) return list
  return first.kind === 'text' ? { ...first, readings: [...first.readings, list] } : first
}
