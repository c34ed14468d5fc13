import type { ComponentNode, Data } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'

/** Colours are drawn by SVG: its `fill` needs no inline style, which a strict policy would refuse. */
const COLOR =
  /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/a-z-]{1,60}\))$/i

export function writeColors(writer: ContentWriter, node: ComponentNode): void {
  const isTable = textProp(node.props, 'variant') === 'table'
  writer.put(`<div class="oct-colors${isTable ? ' oct-colors-table' : ''}">`)
  writer.nodes(node.children)
  writer.put('</div>')
}

export function writeColorRow(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-color-row">')
  writer.putTitle(node, 'oct-color-title')
  writer.nodes(node.children)
  writer.put('</div>')
}

export function writeColorItem(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-color">')
  for (const value of colorValues(node.props.value)) {
    const fill = COLOR.test(value) ? value : 'none'
    writer.put(
      `<svg class="oct-swatch" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><path fill="${escapeHtml(fill)}" d="M0 0h1v1H0z"/></svg><code>${escapeHtml(value)}</code>`,
    )
  }
  writer.put('<span>')
  writer.putProp(node, 'name')
  writer.put('</span>')
  writer.nodes(node.children)
  writer.put('</div>')
}

function colorValues(value: Data | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((item) => typeof item === 'string')
}

/** A repository as a link; what it counts is not known when a page is built. */
export function writeRepository(writer: ContentWriter, node: ComponentNode): void {
  const written = textProp(node.props, 'repo') ?? ''
  const name = written.replace(/^https?:\/\/(?:www\.)?github\.com\//, '').replace(/\/$/, '')
  const url = /^[\w.-]+\/[\w.-]+$/.test(name) ? `https://github.com/${name}` : written
  writer.put('<p class="oct-repository"><a')
  if (url !== '') writer.putHref(url)
  writer.put(`>${escapeHtml(name)}</a></p>`)
  writer.nodes(node.children)
}

/** A heading that could not become a heading node. */
export function writeHeading(writer: ContentWriter, node: ComponentNode): void {
  const level = Math.min(6, Math.max(1, Math.round(numberProp(node.props, 'level') ?? 2)))
  const id = textProp(node.props, 'id')
  writer.put(`<h${level}${id === undefined ? '' : ` id="${escapeHtml(writer.uniqueId(id))}"`}>`)
  writer.nodes(node.children)
  writer.put(`</h${level}>`)
}
