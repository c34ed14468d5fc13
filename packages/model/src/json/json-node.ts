import type { Place } from '../diagnostics/diagnostic.ts'
import type { SourceText } from './source-text.ts'

/**
 * A value of a JSON or YAML text with its position. Nodes know their parent, so place and pointer
 * are computed from the node alone, and only when needed.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull

type Standing = {
  readonly source: SourceText
  readonly start: number
  /** Set by the container. Undefined for the root. */
  parent: JsonObject | JsonArray | undefined
  key: string | number
}

export type JsonObject = Standing & {
  readonly type: 'object'
  /** A map, so that `__proto__` is an ordinary key. */
  readonly members: Map<string, JsonMember>
}
type JsonMember = { readonly keyStart: number; readonly source: SourceText; value: JsonNode }
export type JsonArray = Standing & { readonly type: 'array'; readonly items: JsonNode[] }
export type JsonString = Standing & { readonly type: 'string'; readonly value: string }
type JsonNumber = Standing & {
  readonly type: 'number'
  readonly value: number
  /** The text as written: for YAML's `version: 1.10`, the author means the text. */
  readonly text: string
}
type JsonBoolean = Standing & {
  readonly type: 'boolean'
  readonly value: boolean
  readonly text: string
}
type JsonNull = Standing & { readonly type: 'null' }

/** Returns the start of the value. */
export function placeOf(node: JsonNode): Place {
  return placeAt(node.source, node.start, pointerOf(node))
}

/** Returns the place of the value's key; for an item or the root, that of the value. */
export function placeOfKey(node: JsonNode): Place {
  const member = memberOf(node)
  if (member === undefined) return placeOf(node)
  return placeAt(member.source, member.keyStart, pointerOf(node))
}

/** Returns the place of a key of an object; without that key, the start of the object. */
export function placeOfMember(object: JsonObject, key: string): Place {
  const member = object.members.get(key)
  if (member === undefined) return placeOf(object)
  return placeAt(member.source, member.keyStart, `${pointerOf(object)}/${escapePointer(key)}`)
}

/** Like `placeOfMember`, for a node that may not be an object. */
export function placeOfKeyIn(node: JsonNode, key: string): Place {
  return node.type === 'object' ? placeOfMember(node, key) : placeOf(node)
}

export function placeAt(source: SourceText, offset: number, pointer: string): Place {
  return { file: source.file, ...source.position(offset), pointer }
}

function memberOf(node: JsonNode): JsonMember | undefined {
  if (node.parent?.type !== 'object') return undefined
  return node.parent.members.get(String(node.key))
}

/** Returns the RFC 6901 pointer within the node's own file. */
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

/** Returns the type in an author's words: "a list", "an object", …. */
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
