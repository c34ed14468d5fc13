/**
 * Checks values whose parts arrived as text: parameters and form fields. Text has no type, so `5` is
 * a string until the schema refuses a string there; then what else the text can mean is tried, in
 * order. A value is refused only if nothing that it can mean fits.
 */
import { escapeToken, parseFragment } from '../document/pointer.ts'
import { readJson } from '../document/read-json.ts'
import { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Mismatch } from '../values/mismatch.ts'
import { ValueChecker } from '../values/value-checker.ts'
import { MOCK_LIMITS } from './mock-limits.ts'

/** A value of a request. `readings` are what a text can mean apart from a string. */
export type TextValue =
  | { readonly kind: 'text'; readonly text: string; readonly readings: readonly TextValue[] }
  /** A number, a boolean or any other value, as JSON. */
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'list'; readonly items: readonly TextValue[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, TextValue> }

export type CheckedValue = {
  readonly document: SpecDocument
  readonly mismatches: readonly Mismatch[]
}

/** Returns a text that can also be a number, a boolean, null, or one of the other readings. */
export function textValue(text: string, others: readonly TextValue[] = []): TextValue {
  const isPlain = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(text)
  const readings = isPlain ? [{ kind: 'json', json: text } as const, ...others] : others
  return { kind: 'text', text, readings }
}

/** Returns the reading of a text as JSON, if it is an object or a list. */
export function jsonReading(text: string): readonly TextValue[] {
  const isJson = /^\s*[[{]/.test(text) && readJson(text, MOCK_LIMITS).kind === 'read'
  return isJson ? [{ kind: 'json', json: text }] : []
}

/** The number of times that readings are tried. Each may show texts inside of it. */
const ROUNDS_MAX = 16

export function checkTextValue(
  specification: Specification,
  schema: NodeId,
  value: TextValue,
): CheckedValue {
  const chosen = new Map<string, number>()
  let best = checkChosen(specification, schema, { value, chosen })
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { document, mismatches } = best
    let hasChosen = false
    for (const { kind, node } of mismatches) {
      if (kind === 'rule') continue
      const pointer = document.pointer(node)
      if (chooseNext({ value, chosen }, pointer, kind)) hasChosen = true
    }
    if (!hasChosen) return best
    best = checkChosen(specification, schema, { value, chosen })
  }
  return best
}

/** A printed value has no more parts than its request has bytes. */
const PRINTED_LIMITS = {
  depthMax: MOCK_LIMITS.depthMax * 2,
  nodesMax: MOCK_LIMITS.bodyBytesMax * 2,
}

type Chosen = { readonly value: TextValue; readonly chosen: Map<string, number> }

function checkChosen(
  specification: Specification,
  schema: NodeId,
  { value, chosen }: Chosen,
): CheckedValue {
  const text = print(value, '', chosen)
  const json = readJson(text, PRINTED_LIMITS)
  if (json.kind !== 'read') throw new Error('A printed value is valid JSON.')
  const document = new SpecDocument({ file: '', text, tape: json.tape })
  return { document, mismatches: checkValue(specification, { document, schema }) }
}

/** Returns the differences between the root of a document and a schema of the specification. */
export function checkValue(
  specification: Specification,
  { document, schema }: { readonly document: SpecDocument; readonly schema: NodeId },
): readonly Mismatch[] {
  const checker = new ValueChecker(specification, MOCK_LIMITS.valueStepsMax)
  return checker.differences({ document, node: document.root }, schema, 'request')
}

/**
 * Chooses the next reading of the text at a pointer, or first readings of the texts inside of it.
 * After the last reading, the text is a string again. Returns false if nothing is left to try.
 */
function chooseNext({ value, chosen }: Chosen, pointer: string, kind: Mismatch['kind']): boolean {
  const at = valueAt(value, pointer, chosen)
  if (at === undefined) return false
  const current = readingOf(at, pointer, chosen)
  if (chooseInside(current, pointer, chosen)) return true
  if (at.kind !== 'text') return false
  const now = chosen.get(pointer) ?? 0
  // A number that an enum does not list is a better explanation than a string.
  const isSettled = kind === 'choice' && current.kind === 'json'
  if (isSettled || now > at.readings.length) return false
  chosen.set(pointer, now + 1)
  return at.readings.length > 0
}

function chooseInside(value: TextValue, pointer: string, chosen: Map<string, number>): boolean {
  let hasChosen = false
  for (const [key, item] of partsOf(value)) {
    const at = `${pointer}/${escapeToken(key)}`
    if (item.kind !== 'text' || item.readings.length === 0 || chosen.has(at)) continue
    chosen.set(at, 1)
    hasChosen = true
  }
  return hasChosen
}

function valueAt(
  root: TextValue,
  pointer: string,
  chosen: ReadonlyMap<string, number>,
): TextValue | undefined {
  let value: TextValue | undefined = root
  let at = ''
  for (const token of parseFragment(`#${pointer.replaceAll('%', '%25')}`) ?? []) {
    if (value === undefined) return undefined
    const parts: readonly (readonly [string, TextValue])[] = partsOf(readingOf(value, at, chosen))
    value = parts.find(([key]) => key === token)?.[1]
    at += `/${escapeToken(token)}`
  }
  return value
}

/** Returns the chosen reading of a text, and any other value itself. */
function readingOf(
  value: TextValue,
  pointer: string,
  chosen: ReadonlyMap<string, number>,
): TextValue {
  if (value.kind !== 'text') return value
  return value.readings[(chosen.get(pointer) ?? 0) - 1] ?? value
}

function partsOf(value: TextValue): readonly (readonly [key: string, value: TextValue])[] {
  if (value.kind === 'list') return value.items.map((item, index) => [String(index), item] as const)
  return value.kind === 'object' ? [...value.fields] : []
}

function print(written: TextValue, pointer: string, chosen: ReadonlyMap<string, number>): string {
  const value = readingOf(written, pointer, chosen)
  const inside = (key: string, item: TextValue) =>
    print(item, `${pointer}/${escapeToken(key)}`, chosen)
  switch (value.kind) {
    case 'text':
      return JSON.stringify(value.text)
    case 'json':
      return value.json
    case 'list':
      return `[${value.items.map((item, index) => inside(String(index), item)).join(',')}]`
    case 'object':
      return `{${[...value.fields].map(([key, item]) => `${JSON.stringify(key)}:${inside(key, item)}`).join(',')}}`
  }
}
