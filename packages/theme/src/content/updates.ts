import type { ComponentNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, listProp, textProp } from './content-writer.ts'
import { findComponents } from './find-components.ts'

/** Writes a changelog entry. */
export function writeUpdate(writer: ContentWriter, node: ComponentNode): void {
  if (writer.isFirst('Update')) putFilter(writer)
  const id = writer.uniqueId(slug(textProp(node.props, 'label') ?? ''))
  writer.notes.listTitle(node, { level: 2, id, text: textProp(node.props, 'label') ?? '' })
  const link = escapeHtml(id)
  const tags = listProp(node.props, 'tags')
  const data = tags.length === 0 ? '' : ` data-tags="${escapeHtml(JSON.stringify(tags))}"`
  writer.put(`<article class="oct-update"${writer.idAttribute(id)}${data}><header>`)
  writer.put(`<p class="oct-update-label"><a class="oct-update-link" href="#${link}">`)
  if (!writer.putProp(node, 'label')) writer.put('#')
  writer.put('</a></p>')
  if (node.props.description !== undefined || node.slots?.description !== undefined) {
    writer.put('<p class="oct-update-about">')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  if (tags.length > 0) {
    const items = tags.map((tag) => `<li class="oct-pill">${escapeHtml(tag)}</li>`)
    writer.put(`<ul class="oct-update-tags">${items.join('')}</ul>`)
  }
  writer.put('</header><div class="oct-update-body">')
  writer.notes.enterUpdate()
  writer.nodes(node.children)
  writer.notes.leaveUpdate()
  writer.put('</div></article>')
}

/**
 * Writes a button for each tag on the page. The buttons are hidden until their script has loaded.
 */
function putFilter(writer: ContentWriter): void {
  const updates = findComponents(writer.page, 'Update')
  const tags = new Set(updates.flatMap(({ props }) => listProp(props, 'tags')))
  if (tags.size === 0) return
  const label = escapeHtml(writer.text.filterByTag)
  writer.put(`<div class="oct-tags" role="group" aria-label="${label}" hidden data-oct="tags">`)
  for (const tag of tags) {
    const name = escapeHtml(tag)
    writer.put(`<button type="button" aria-pressed="false" data-tag="${name}">${name}</button>`)
  }
  writer.put('</div>')
}
