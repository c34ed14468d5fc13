/** Components that stand in a line of text. */
import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, flagProp, numberProp, textProp } from './content-writer.ts'

const BADGE_COLORS = new Set(
  'gray blue green yellow orange red purple white surface white-destructive surface-destructive'.split(
    ' ',
  ),
)

export function writeBadge(writer: ContentWriter, node: ComponentNode): void {
  const wanted = textProp(node.props, 'color') ?? 'gray'
  const color = BADGE_COLORS.has(wanted) ? wanted : 'gray'
  const stroke = flagProp(node.props, 'stroke') ? ' oct-stroke' : ''
  writer.put(`<span class="oct-badge oct-badge-${color}${stroke}">`)
  writer.putIconOf(node)
  writer.nodes(node.children)
  writer.put('</span>')
}

export function writeIcon(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  writer.putIcon(props.icon ?? props.src ?? props.name, {
    type: textProp(props, 'iconType'),
    library: textProp(props, 'iconLibrary') ?? textProp(props, 'library'),
    color: textProp(props, 'color'),
    size: numberProp(props, 'size'),
    className: textProp(props, 'className') ?? textProp(props, 'class'),
    style: textProp(props, 'style'),
  })
  writer.nodes(node.children)
}

/**
 * A word and what it means. The explanation is in the page, so that everyone can read it; the
 * stylesheet shows it when the word is pointed at or focused.
 */
export function writeTooltip(writer: ContentWriter, node: ComponentNode): void {
  const id = escapeHtml(writer.uniqueId('tip'))
  writer.put(
    `<span class="oct-tooltip"><span class="oct-term" tabindex="0" aria-describedby="${id}">`,
  )
  writer.nodes(node.children)
  writer.put(`</span><span class="oct-tooltip-text" role="tooltip" id="${id}">`)
  if (node.props.headline !== undefined) {
    writer.put('<strong>')
    writer.putProp(node, 'headline')
    writer.put('</strong> ')
  }
  writer.putProp(node, 'tip')
  const href = textProp(node.props, 'href')
  if (href !== undefined) {
    writer.put(' <a')
    writer.putHref(href)
    writer.put(`>${escapeHtml(textProp(node.props, 'cta') ?? href)}</a>`)
  }
  writer.put('</span></span>')
}

export function writeLink(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const href = textProp(props, 'href') ?? textProp(props, 'to') ?? textProp(props, 'path')
  writer.put('<a')
  if (href !== undefined) writer.putHref(href)
  writer.put('>')
  writer.nodes(node.children)
  writer.put('</a>')
}

export function writeLatex(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<code class="oct-math">')
  writer.nodes(node.children)
  writer.put('</code>')
}
