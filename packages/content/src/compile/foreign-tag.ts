/** Reports components of other documentation tools and suggests the equivalent Octavo tag. */
import type { MdastNode } from 'satteri'
import { type ForeignComponent, findForeignComponent } from '../foreign/foreign-components.ts'
import { CAN_FIX } from '../foreign/foreign-syntax.ts'
import { Missing, type Value } from '../interpreter/value.ts'
import { offsetOf, spotOf } from '../modules/markdown-file.ts'
import type { TagNode } from './code-places.ts'
import type { Reading } from './reading.ts'

export function reportForeignTag(reading: Reading, node: TagNode, value: Value): void {
  const names = node.attributes.map((one) => (one.type === 'mdxJsxAttribute' ? one.name : '...'))
  const found = findForeignComponent(node.name ?? '', names, value instanceof Missing)
  // A component that the author defined is not foreign, even if its name is that of a foreign one.
  if (node.name === 'Tabs' && node.children.every(hasTitle)) return
  if (found === undefined || (value !== undefined && !(value instanceof Missing))) return
  const spot = spotOf(reading.file, node)
  const fix = findFix(reading, node, found)
  const message = `\`<${node.name}>\` is a component of ${found.tool} that Octavo does not have in this form.`
  reading.page.report(
    'content/foreign-syntax',
    spot,
    fix === undefined
      ? { message, hint: found.hint }
      : { message, hint: `${found.hint} ${CAN_FIX}`, fix },
  )
  reading.page.explain(spot, 1)
}

/**
 * Checks whether a tab has a title. In other tools, the group of tabs may have the titles instead.
 */
function hasTitle(node: MdastNode): boolean {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return true
  const names = node.attributes.map((one) => (one.type === 'mdxJsxAttribute' ? one.name : ''))
  return names.some((name) => name === 'title' || name === 'label' || name === 'value')
}

/**
 * Returns the fix for a tag of another tool: replaces both tags, or moves the text of an attribute
 * into the tag.
 */
function findFix(
  { file }: Reading,
  node: TagNode,
  { write, hasText }: ForeignComponent,
): { find: string; put: string } | undefined {
  const { name, children, position } = node
  const props = readText(node)
  const end = position?.end.offset
  if (props === undefined || end === undefined || name === null || write === undefined)
    return undefined
  const find = file.source.text.slice(spotOf(file, node).offset, offsetOf(file, end))
  const opening = write(props)
  if (opening === undefined || !find.startsWith(`<${name}`)) return undefined
  const [tag = ''] = opening.split(' ', 1)
  if (hasText === true) {
    const text = props.get('text') ?? ''
    const isPlain = children.length === 0 && !/[<{*_`]/.test(text)
    return isPlain ? { find, put: `<${opening}>${text}</${tag}>` } : undefined
  }
  const first = OPENING.exec(find)?.[0]
  if (first === undefined) return undefined
  if (first.length === find.length && first.endsWith('/>')) return { find, put: `<${opening} />` }
  const close = `</${name}>`
  if (!find.endsWith(close)) return undefined
  return { find, put: `<${opening}>${find.slice(first.length, -close.length)}</${tag}>` }
}

/** An opening tag whose attributes are all text. */
const OPENING = /^<[\w.]+(?:\s+[\w-]+(?:="[^"]*"|='[^']*'|=\{\d+\})?)*\s*\/?>/

/** Returns the text attributes of a tag; undefined if one of them is an expression. */
function readText({ attributes }: TagNode): ReadonlyMap<string, string> | undefined {
  const props = new Map<string, string>()
  for (const attribute of attributes) {
    if (attribute.type !== 'mdxJsxAttribute') return undefined
    const { name, value } = attribute
    if (typeof value === 'string') props.set(name, value)
    else if (value !== null && value !== undefined && !/^\d+$/.test(value.value)) return undefined
  }
  return props
}
