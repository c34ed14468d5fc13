/**
 * Builds a JSON tree from nodes of another tree. The author's own nodes are used for single values,
 * so a problem in a converted file is still reported where the author wrote it.
 */
import type { JsonArray, JsonNode, JsonObject, JsonString } from '../json/json-node.ts'

/** Creates an object; members whose value is undefined are omitted. */
export function objectNode(
  like: JsonNode,
  members: Readonly<Record<string, JsonNode | undefined>>,
): JsonObject {
  const object: JsonObject = { type: 'object', members: new Map(), ...positionOf(like) }
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue
    object.members.set(key, { keyStart: value.start, source: value.source, value })
  }
  return object
}

export function arrayNode(like: JsonNode, items: readonly JsonNode[]): JsonArray {
  return { type: 'array', items: [...items], ...positionOf(like) }
}

export function stringNode(like: JsonNode, value: string): JsonString {
  return { type: 'string', value, ...positionOf(like) }
}

export function booleanNode(like: JsonNode, value: boolean): JsonNode {
  return { type: 'boolean', value, text: String(value), ...positionOf(like) }
}

function positionOf(like: JsonNode) {
  const { source, start, parent, key } = like
  return { source, start, parent, key }
}

/** Returns a member's value; undefined if the node is not an object. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.type === 'object' ? node.members.get(key)?.value : undefined
}

/** Returns the items of a list; empty for any other node. */
export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === 'array' ? node.items : []
}

/** Returns the value of a string node; undefined for any other node. */
export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? node.value : undefined
}
