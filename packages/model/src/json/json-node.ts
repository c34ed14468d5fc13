import type { Fix, Place } from '../diagnostics/diagnostic.ts'
import { correctionOf } from '../text/nearest.ts'
import type { SourceText } from './source-text.ts'

/**
 * A value in a JSON or YAML document, with its position. Nodes know their parent, so that place and
 * pointer can be computed from the node alone, and only when they are needed.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull

type NodePosition = {
  readonly source: SourceText
  readonly start: number
  /** The object or list that contains the value; undefined for the root. */
  parent: JsonObject | JsonArray | undefined
  key: string | number
}

export type JsonObject = NodePosition & {
  readonly type: 'object'
  /** Members are in a map, so that `__proto__` is an ordinary key. */
  readonly members: Map<string, JsonMember>
}
type JsonMember = { readonly keyStart: number; readonly source: SourceText; value: JsonNode }
export type JsonArray = NodePosition & { readonly type: 'array'; readonly items: JsonNode[] }
export type JsonString = NodePosition & { readonly type: 'string'; readonly value: string }
type JsonNumber = NodePosition & {
  readonly type: 'number'
  readonly value: number
  /** The number as written: with `version: 1.10` in YAML, the author means the text `1.10`. */
  readonly text: string
}
type JsonBoolean = NodePosition & {
  readonly type: 'boolean'
  readonly value: boolean
  readonly text: string
}
type JsonNull = NodePosition & { readonly type: 'null' }

/** Returns the place where a value starts. */
export function placeOf(node: JsonNode): Place {
  return placeAt(node.source, node.start, pointerOf(node))
}

/**
 * Returns the place of a value's key. For an item of a list or the root, returns the place of the
 * value.
 */
export function placeOfKey(node: JsonNode): Place {
  const member = memberOf(node)
  if (member === undefined) return placeOf(node)
  return placeAt(member.source, member.keyStart, pointerOf(node))
}

/**
 * Returns the place of a key in an object, or the start of the object if it does not have the key.
 */
export function placeOfMember(object: JsonObject, key: string): Place {
  const member = object.members.get(key)
  if (member === undefined) return placeOf(object)
  return placeAt(member.source, member.keyStart, `${pointerOf(object)}/${escapePointer(key)}`)
}

/** Like `placeOfMember`, but also accepts a node that is not an object. */
export function placeOfKeyIn(node: JsonNode, key: string): Place {
  return node.type === 'object' ? placeOfMember(node, key) : placeOf(node)
}

export function placeAt(source: SourceText, offset: number, pointer: string): Place {
  return { file: source.file, ...source.position(offset), pointer }
}

/** Returns a fix that replaces the word at an offset and keeps its quotes. */
export function replaceWord(
  { text }: SourceText,
  offset: number,
  { word, put }: { readonly word: string; readonly put: string },
): Fix | undefined {
  const found = [`"${word}"`, `'${word}'`, word].find((written) => text.startsWith(written, offset))
  return found === undefined ? undefined : { find: found, put: found.replace(word, () => put) }
}

/** Returns a fix that renames a key, unless the object already has a key with the new name. */
export function renameKey(object: JsonObject, key: string, put: string): Fix | undefined {
  const member = object.members.get(key)
  const first = [...object.members.keys()].find((other) => correctionOf(other, [put]) === put)
  if (member === undefined || first !== key || object.members.has(put)) return undefined
  return replaceWord(member.source, member.keyStart, { word: key, put })
}

function memberOf(node: JsonNode): JsonMember | undefined {
  if (node.parent?.type !== 'object') return undefined
  return node.parent.members.get(String(node.key))
}

/** Returns the RFC 6901 pointer to a node in its own file. */
function pointerOf(node: JsonNode): string {
  let pointer = ''
  for (let at: JsonNode | undefined = node; at?.parent !== undefined; at = at.parent) {
    pointer = `/${escapePointer(String(at.key))}${pointer}`
  }
  return pointer
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the path of a value as authors write it: `footer.links[2].href`. */
export function describePath(node: JsonNode): string {
  let path = ''
  for (let at: JsonNode | undefined = node; at?.parent !== undefined; at = at.parent) {
    if (typeof at.key === 'number') path = `[${at.key}]${path}`
    else path = `${/^[\w$-]+$/.test(at.key) ? `.${at.key}` : `["${at.key}"]`}${path}`
  }
  return path.startsWith('.') ? path.slice(1) : path
}

/** Returns the type of a value as messages name it, such as "a list" or "an object". */
export function describeType(node: JsonNode): string {
  switch (node.type) {
    case 'object':
      return 'an object'
    case 'array':
      return 'a list'
    case 'string':
      return 'a string'
    case 'number':
      return 'a number'
    case 'boolean':
      return `\`${node.value}\``
    case 'null':
      return '`null`'
  }
}

/** Returns the plain value, with null-prototype objects. */
export function toValue(node: JsonNode): unknown {
  switch (node.type) {
    case 'object': {
      const value: Record<string, unknown> = Object.create(null)
      for (const [key, member] of node.members) value[key] = toValue(member.value)
      return value
    }
    case 'array':
      return node.items.map(toValue)
    case 'null':
      return null
    default:
      return node.value
  }
}
