import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { findComponents } from './find-components.ts'

/**
 * Writes one of several variants of a page, for example for one programming language. The page
 * contains all variants with their titles, and a script lets the reader choose one.
 */
export function writeView(writer: ContentWriter, node: ComponentNode): void {
  if (writer.isFirst('View')) putChooser(writer)
  const title = textProp(node.props, 'title') ?? ''
  writer.put(
    `<section class="oct-view" data-view="${escapeHtml(title)}"><p class="oct-view-title">`,
  )
  writer.putIconOf(node)
  writer.putProp(node, 'title')
  writer.put('</p>')
  writer.nodes(node.children)
  writer.put('</section>')
}

function putChooser(writer: ContentWriter): void {
  const views = new Map<string, ComponentNode>()
  for (const view of findComponents(writer.page, 'View')) {
    const title = textProp(view.props, 'title')
    if (title !== undefined && !views.has(title)) views.set(title, view)
  }
  if (views.size < 2) return
  const label = escapeHtml(writer.text.views)
  writer.put(`<div class="oct-views" role="group" aria-label="${label}" hidden data-oct="views">`)
  for (const [title, view] of views) {
    const name = escapeHtml(title)
    writer.put(`<button type="button" aria-pressed="false" data-view="${name}">`)
    writer.putIconOf(view)
    writer.put(`${name}</button>`)
  }
  writer.put('</div>')
}
