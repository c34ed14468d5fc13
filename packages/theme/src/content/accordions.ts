import type { ComponentNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'

/**
 * Writes a collapsible section. The ID is on its body: browsers then open the `details` element for
 * a link to it, without a script.
 */
export function writeAccordion(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const id = writer.uniqueId(textProp(props, 'id') ?? slug(textProp(props, 'title') ?? ''))
  const open = flagProp(props, 'defaultOpen') ? ' open' : ''
  writer.put(`<details class="oct-accordion"${open}><summary>`)
  writer.putIconOf(node)
  writer.put('<span class="oct-accordion-title">')
  if (!writer.putProp(node, 'title')) writer.put('…')
  writer.put('</span>')
  if (props.description !== undefined || node.slots?.description !== undefined) {
    writer.put('<span class="oct-accordion-about">')
    writer.putProp(node, 'description')
    writer.put('</span>')
  }
  writer.put(`</summary><div class="oct-accordion-body"${writer.idAttribute(id)}>`)
  writer.nodes(node.children)
  writer.put('</div></details>')
}

export function writeAccordionGroup(writer: ContentWriter, node: ComponentNode): void {
  writer.putTitle(node, 'oct-group-title')
  writer.put('<div class="oct-accordions">')
  writer.nodes(node.children)
  writer.put('</div>')
}

/** Writes the nested fields of an object, which readers can collapse. */
export function writeExpandable(writer: ContentWriter, node: ComponentNode): void {
  const open = flagProp(node.props, 'defaultOpen') ? ' open' : ''
  writer.put(`<details class="oct-expandable"${open}><summary>`)
  if (!writer.putProp(node, 'title') && !writer.putProp(node, 'summary')) {
    writer.putText(writer.text.showMore)
  }
  writer.put('</summary><div>')
  writer.nodes(node.children)
  writer.put('</div></details>')
}
