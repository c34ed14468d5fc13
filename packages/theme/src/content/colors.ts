/**
 * Color palettes. The swatches are SVG, so that `fill` sets their color without an inline style.
 */
import type { ComponentNode, Data } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { safeColor } from './safe-color.ts'

export function writeColors(writer: ContentWriter, node: ComponentNode): void {
  const isTable = textProp(node.props, 'variant') === 'table'
  writer.put(`<div class="oct-colors${isTable ? ' oct-colors-table' : ''}">`)
  writer.nodes(node.children)
  writer.put('</div>')
}

export function writeColorRow(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-color-row">')
  writer.putTitle(node, 'oct-color-title')
  writer.put('<div class="oct-color-items">')
  writer.nodes(node.children)
  writer.put('</div></div>')
}

/** Writes one color, or a color for light pages and one for dark pages. */
export function writeColorItem(writer: ContentWriter, node: ComponentNode): void {
  const values = colorValues(node.props.value)
  writer.put('<div class="oct-color"><span class="oct-swatch">')
  for (const value of values) {
    const fill = escapeHtml(safeColor(value) ?? 'none')
    writer.put(
      `<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path fill="${fill}" d="M0 0h1v1H0z"/></svg>`,
    )
  }
  writer.put('</span><span class="oct-color-name">')
  writer.putProp(node, 'name')
  writer.put('</span><span class="oct-color-values">')
  // Each value is in an element of its own, so that one click selects all of it.
  for (const value of values) writer.put(`<code>${escapeHtml(value)}</code>`)
  writer.put('</span>')
  writer.nodes(node.children)
  writer.put('</div>')
}

function colorValues(value: Data | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((item) => typeof item === 'string')
}
