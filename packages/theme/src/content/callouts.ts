import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import type { InterfaceText } from '../interface-text.ts'
import { type ContentWriter, textProp } from './content-writer.ts'

const KINDS = ['note', 'warning', 'info', 'tip', 'check', 'danger'] as const
type CalloutKind = (typeof KINDS)[number]

/** A callout: named after what it is, for those who do not see its colour. */
export function writeCallout(writer: ContentWriter, node: ComponentNode): void {
  const kind = calloutKind(node)
  const label = escapeHtml(labelOf(kind, writer.text))
  writer.put(`<aside class="oct-callout oct-${kind}" role="note" aria-label="${label}">`)
  const { icon, emoji } = node.props
  const own = writer.icons.render(icon ?? emoji, { type: textProp(node.props, 'iconType') })
  if (own !== '') writer.put(`<span class="oct-callout-own">${own}</span>`)
  else writer.put('<span class="oct-callout-icon" aria-hidden="true"></span>')
  writer.put('<div>')
  writer.putTitle(node, 'oct-callout-title')
  writer.nodes(node.children)
  writer.put('</div></aside>')
}

function calloutKind({ name, props }: ComponentNode): CalloutKind {
  const wanted = (name === 'Callout' ? (textProp(props, 'type') ?? '') : name).toLowerCase()
  return KINDS.find((kind) => kind === wanted) ?? 'note'
}

function labelOf(kind: CalloutKind, text: InterfaceText): string {
  return text[kind]
}

export function writeBanner(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<aside class="oct-callout oct-info" role="note"><div>')
  writer.putTitle(node, 'oct-callout-title')
  writer.nodes(node.children)
  writer.put('</div></aside>')
}
