/** Fixes that rename a tag or one of its attributes. */
import type { Fix } from '@octavo/model'
import { readTag } from '../markdown/read-tag.ts'
import type { Spot } from '../page-state.ts'

/**
 * Returns the fix that renames the opening and the closing tag. `end` is the offset of the
 * element's end.
 */
export function renameTag(
  { source, offset }: Spot,
  { name, put, end }: { readonly name: string; readonly put: string; readonly end: number },
): Fix | undefined {
  const { text } = source
  const opening = readTag(text, offset)
  if (opening === undefined || !text.startsWith(`<${name}`, offset)) return undefined
  const first = { find: `<${name}`, put: `<${put}` }
  if (opening.endsWith('/>')) return first
  const closing = /<\/([\w.:-]+)\s*>$/.exec(text.slice(offset, end))
  if (closing?.[1] !== name) return undefined
  return { ...first, closing: { find: `</${name}`, put: `</${put}`, distance: closing.index } }
}

const ATTRIBUTE = /\s([\w:-]+)(?=[\s=/>])|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}/g

/** Returns the fix that renames an attribute in an opening tag. */
export function renameAttribute(
  { source, offset }: Spot,
  { name, put }: { readonly name: string; readonly put: string },
): Fix | undefined {
  const tag = readTag(source.text, offset)
  const found = [...(tag ?? '').matchAll(ATTRIBUTE)].find(([, attribute]) => attribute === name)
  return found && { find: name, put, distance: found.index + 1 }
}
