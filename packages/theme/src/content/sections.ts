import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, textProp } from './content-writer.ts'

/** Writes content that is shown next to the text if there is room. */
export function writePanel(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<aside class="oct-panel">')
  writer.nodes(node.children)
  writer.put('</aside>')
}

/** Writes the children, except content for agents, which is only in the page's Markdown. */
export function writeVisibility(writer: ContentWriter, node: ComponentNode): void {
  if (textProp(node.props, 'for') !== 'agents') writer.nodes(node.children)
}
