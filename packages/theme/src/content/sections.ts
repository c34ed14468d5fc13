import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, textProp } from './content-writer.ts'

/** What stands beside the text where there is room. */
export function writePanel(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<aside class="oct-panel">')
  writer.nodes(node.children)
  writer.put('</aside>')
}

/** What is meant for agents stands in the Markdown of the page only. */
export function writeVisibility(writer: ContentWriter, node: ComponentNode): void {
  if (textProp(node.props, 'for') !== 'agents') writer.nodes(node.children)
}
