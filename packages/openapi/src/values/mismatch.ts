import type { DiagnosticText, Fix } from '@octavo/model'
import { describeKind } from '../document/json-type.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'

/** A difference between a value and its schema. */
export type Mismatch = {
  readonly kind: 'type' | 'choice' | 'rule'
  /** The value, or the key of a property, in the document of the value. */
  readonly node: NodeId
  /** The keyword that is not satisfied, in the specification. */
  readonly rule: NodeId
  /** Returns what follows the name of the value in a message, and the rest of the diagnostic. */
  readonly text: () => MismatchText
}

export type MismatchText = Pick<DiagnosticText, 'message' | 'hint' | 'fix'>

/** Collects the differences of one value. */
export class Mismatches {
  readonly list: Mismatch[] = []
  /** False if a part was not checked, so that there may be more differences. */
  isSure = true

  get fits(): boolean {
    return this.list.length === 0
  }

  add(kind: Mismatch['kind'], node: NodeId, rule: NodeId, text: Mismatch['text']): void {
    this.list.push({ kind, node, rule, text })
  }
}

const SHOWN_MAX = 60

/** Returns the start of a text, for messages. */
export function shorten(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: '`true` or `false`',
  integer: 'an integer',
  null: '`null`',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** Describes a value of the wrong type. Has a fix if only quotes are missing or too many. */
export function wrongType(
  document: SpecDocument,
  node: NodeId,
  { types, nullHint }: { readonly types: readonly string[]; readonly nullHint: string },
): MismatchText {
  const kind = document.kind(node)
  const isNumber = kind === KIND.number
  const found = isNumber ? `the number ${shorten(document.text(node))}` : describeKind(kind)
  const names = types.filter((type) => type !== 'null' || types.length === 1)
  const wanted = names.map((type) => TYPE_NAMES[type] ?? type).join(' or ')
  const put = otherNotation(document, node, types)
  const fix = put === undefined ? undefined : replaceScalar(document, node, put)
  const message = `is ${found}, but the schema requires ${wanted}.`
  if (put === undefined) {
    const hint = kind === KIND.null ? nullHint : `Write ${wanted}, or correct \`type\`.`
    return { message, hint }
  }
  const hint =
    kind === KIND.string
      ? `Write \`${put}\` without quotes, or correct \`type\`.`
      : `Put the value in quotes: \`${put}\`.`
  return { message, hint, fix }
}

/** Returns the same value in the notation of another type: with quotes, or without. */
function otherNotation(
  document: SpecDocument,
  node: NodeId,
  types: readonly string[],
): string | undefined {
  const kind = document.kind(node)
  if (kind <= KIND.array || kind === KIND.null) return undefined
  const text = document.text(node)
  if (text.length > SHOWN_MAX) return undefined
  if (kind !== KIND.string) return types.includes('string') ? `"${text}"` : undefined
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return undefined
  if (types.includes('number')) return text
  return types.includes('integer') && !text.includes('.') ? text : undefined
}

/** Returns the fix that replaces a scalar, if it is written in the file as it is read. */
export function replaceScalar(document: SpecDocument, node: NodeId, put: string): Fix | undefined {
  const start = document.offset(node)
  const isQuoted = start < document.tape.start(node)
  const end = document.tape.end(node) + (isQuoted ? 1 : 0)
  const find = document.source.slice(start, end)
  const isPlain = (isQuoted ? find.slice(1, -1) : find) === document.text(node)
  return isPlain ? { find, put, distance: 0 } : undefined
}
