import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { hasIcon } from './has-icon.ts'
import { toneStyle } from './safe-color.ts'

const KINDS = ['note', 'warning', 'info', 'tip', 'check', 'danger'] as const
type CalloutKind = (typeof KINDS)[number]

/** Writes a callout. It is labeled with its type for readers who cannot see its color. */
export function writeCallout(writer: ContentWriter, node: ComponentNode): void {
  const kind = calloutKind(node)
  const label = escapeHtml(writer.text[kind])
  const tone = toneStyle(node.props.color)
  writer.put(`<aside class="oct-callout oct-${kind}" role="note" aria-label="${label}"${tone}>`)
  putMark(writer, node)
  writer.put('<div>')
  writer.putTitle(node, 'oct-callout-title')
  writer.nodes(node.children)
  writer.put('</div></aside>')
}

function calloutKind({ name, props }: ComponentNode): CalloutKind {
  const wanted = (name === 'Callout' ? (textProp(props, 'type') ?? '') : name).toLowerCase()
  return KINDS.find((kind) => kind === wanted) ?? 'note'
}

/** Writes the author's icon or emoji; without one, the stylesheet shows the icon of the type. */
function putMark(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<span class="oct-callout-mark" aria-hidden="true">')
  if (hasIcon(node)) writer.putIconOf(node)
  else writer.putIcon(node.props.emoji)
  writer.put('</span>')
}

/** Writes a message above a part of a page. */
export function writeBanner(writer: ContentWriter, node: ComponentNode): void {
  const tone = toneStyle(node.props.background)
  writer.put(`<aside class="oct-callout oct-info" role="note"${tone}><div>`)
  writer.putTitle(node, 'oct-callout-title')
  writer.nodes(node.children)
  writer.put('</div></aside>')
}
