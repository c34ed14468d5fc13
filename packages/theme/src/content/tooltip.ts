import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, textProp } from './content-writer.ts'

/**
 * Writes a term with its explanation. The explanation is in the HTML, so that all readers can
 * access it; the stylesheet shows it on hover and focus.
 */
export function writeTooltip(writer: ContentWriter, node: ComponentNode): void {
  const id = writer.uniqueId('tip')
  writer.put(
    `<span class="oct-tooltip"><span class="oct-term" tabindex="0" aria-describedby="${id}">`,
  )
  writer.nodes(node.children)
  writer.put(`</span><span class="oct-tooltip-text" role="tooltip"${writer.idAttribute(id)}>`)
  if (node.props.headline !== undefined || node.slots?.headline !== undefined) {
    writer.put('<strong>')
    writer.putProp(node, 'headline')
    writer.put('</strong> ')
  }
  writer.putProp(node, 'tip')
  const href = textProp(node.props, 'href')
  if (href !== undefined) {
    writer.put(' <a')
    writer.putHref(href)
    writer.put('>')
    if (!writer.putProp(node, 'cta')) writer.putText(href)
    writer.put('</a>')
  }
  writer.put('</span></span>')
}
