import type { ComponentNode } from '@octavo/content'
import { type ContentWriter, numberProp } from './content-writer.ts'

const COLUMNS_MAX = 4

/** Writes a grid of cards or other content. */
export function writeColumns(writer: ContentWriter, node: ComponentNode): void {
  const written = ['cols', 'Cols', 'col', 'columns']
    .map((name) => numberProp(node.props, name))
    .find((value) => value !== undefined)
  const count = Math.min(COLUMNS_MAX, Math.max(1, Math.round(written ?? 2)))
  writer.put(`<div class="oct-columns oct-columns-${count}">`)
  writer.nodes(node.children)
  writer.put('</div>')
}

export function writeColumn(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-column">')
  writer.nodes(node.children)
  writer.put('</div>')
}
