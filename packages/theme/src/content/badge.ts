import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'

const COLORS = new Set(
  'gray blue green yellow orange red purple white surface white-destructive surface-destructive'.split(
    ' ',
  ),
)
const SIZES = new Set(['xs', 'sm', 'lg'])

/** Writes a short label in a box. Default values add no class. */
export function writeBadge(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const color = textProp(props, 'color') ?? 'gray'
  const size = textProp(props, 'size') ?? 'md'
  let classes = 'oct-badge'
  if (COLORS.has(color) && color !== 'gray') classes += ` oct-badge-${color}`
  if (SIZES.has(size)) classes += ` oct-badge-${size}`
  if (textProp(props, 'shape') === 'pill') classes += ' oct-round'
  if (flagProp(props, 'stroke')) classes += ' oct-stroke'
  if (flagProp(props, 'disabled')) classes += ' oct-disabled'
  const own = textProp(props, 'className')
  writer.notes.useClasses(own ?? '')
  writer.put(`<span class="${classes}${own === undefined ? '' : ` ${escapeHtml(own)}`}">`)
  writer.putIconOf(node)
  writer.nodes(node.children)
  writer.put('</span>')
}
