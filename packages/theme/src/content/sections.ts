import type { ComponentNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, listProp, textProp } from './content-writer.ts'

/** An entry of a changelog. */
export function writeUpdate(writer: ContentWriter, node: ComponentNode): void {
  const id = writer.uniqueId(slug(textProp(node.props, 'label') ?? ''))
  const link = escapeHtml(id)
  writer.notes?.listTitle({ level: 2, id, text: textProp(node.props, 'label') ?? '' })
  writer.put(`<article class="oct-update" id="${link}"><header>`)
  writer.put(`<p class="oct-update-label"><a href="#${link}">`)
  if (!writer.putProp(node, 'label')) writer.put('#')
  writer.put('</a></p>')
  if (node.props.description !== undefined || node.slots?.description !== undefined) {
    writer.put('<p class="oct-update-about">')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  const tags = listProp(node.props, 'tags')
  if (tags.length > 0) {
    const items = tags.map((tag) => `<li class="oct-pill">${escapeHtml(tag)}</li>`)
    writer.put(`<ul class="oct-update-tags">${items.join('')}</ul>`)
  }
  writer.put('</header><div class="oct-update-body">')
  writer.notes?.updateBegins()
  writer.nodes(node.children)
  writer.notes?.updateEnds()
  writer.put('</div></article>')
}

/** What stands beside the text where there is room. */
export function writePanel(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<aside class="oct-panel">')
  writer.nodes(node.children)
  writer.put('</aside>')
}

/** A text to hand to an assistant. */
export function writePrompt(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<figure class="oct-prompt"><figcaption>')
  writer.putIcon(node.props.icon)
  writer.putProp(node, 'description')
  writer.put('</figcaption><div class="oct-prompt-text" tabindex="0">')
  writer.nodes(node.children)
  writer.put('</div></figure>')
}

/** One of several ways to read the page, such as a language; all are shown, each named. */
export function writeView(writer: ContentWriter, node: ComponentNode): void {
  const title = textProp(node.props, 'title') ?? ''
  writer.put(
    `<section class="oct-view" data-view="${escapeHtml(title)}"><p class="oct-view-title">`,
  )
  writer.putIcon(node.props.icon)
  writer.putProp(node, 'title')
  writer.put('</p>')
  writer.nodes(node.children)
  writer.put('</section>')
}

/** What is meant for agents stands in the Markdown of the page only. */
export function writeVisibility(writer: ContentWriter, node: ComponentNode): void {
  if (textProp(node.props, 'for') !== 'agents') writer.nodes(node.children)
}
