/** Parts of a home page that are put into columns: figures, previews and lists of links. */
import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'

/** Writes a large number with its unit and what it counts. */
export function writeStat(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const href = textProp(props, 'href')
  const unit = textProp(props, 'unit')
  writer.put('<div class="oct-stat"><p class="oct-stat-value">')
  writer.putProp(node, 'value')
  if (unit !== undefined) writer.put(` <small>${escapeHtml(unit)}</small>`)
  writer.put('</p><p class="oct-stat-label">')
  if (href === undefined) writer.putProp(node, 'label')
  else {
    writer.put('<a')
    writer.putHref(href)
    writer.put('>')
    writer.putProp(node, 'label')
    writer.put('</a>')
  }
  writer.put('</p>')
  writer.nodes(node.children)
  writer.put('</div>')
}

/** Writes a numbered pane that shows real parts of a page, such as code or a callout. */
export function writePreview(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<figure class="oct-preview"><figcaption class="oct-preview-head">')
  writer.putTitle(node, 'oct-preview-title')
  if (textProp(node.props, 'text') !== undefined) {
    writer.put('<p>')
    writer.putMarkdownProp(node, 'text')
    writer.put('</p>')
  }
  writer.put('</figcaption><div class="oct-preview-pane">')
  writer.nodes(node.children)
  writer.put('</div></figure>')
}

/** Writes a list of links below a title with an icon. */
export function writeLinkList(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-link-list"><div class="oct-link-list-head">')
  writer.putIconOf(node)
  writer.putTitle(node, 'oct-link-list-title')
  writer.put('</div>')
  writer.nodes(node.children)
  writer.put('</div>')
}
