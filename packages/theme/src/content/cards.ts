import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, flagProp, numberProp, textProp } from './content-writer.ts'
import { sizeAttributes } from './size-attributes.ts'

const COLUMNS_MAX = 4

/** A card. With an address the title is the link, and the stylesheet stretches it over the card. */
export function writeCard(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const href = flagProp(props, 'disabled') ? undefined : textProp(props, 'href')
  const classes = `oct-card${flagProp(props, 'horizontal') ? ' oct-horizontal' : ''}`
  writer.put(`<div class="${classes}">`)
  putPicture(writer, textProp(props, 'img'))
  writer.putIconOf(node)
  writer.put('<div class="oct-card-body">')
  putTitle(writer, node, href)
  if (props.description !== undefined) {
    writer.put('<p>')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  writer.nodes(node.children)
  if (props.cta !== undefined || node.slots?.cta !== undefined) {
    writer.put('<p class="oct-card-cta" aria-hidden="true">')
    writer.putProp(node, 'cta')
    writer.put('</p>')
  }
  writer.put('</div></div>')
}

function putTitle(writer: ContentWriter, node: ComponentNode, href: string | undefined): void {
  const hasTitle = node.props.title !== undefined || node.slots?.title !== undefined
  if (!hasTitle && href === undefined) return
  writer.put('<p class="oct-card-title">')
  if (href !== undefined) {
    writer.put('<a')
    writer.putHref(href)
    if (!hasTitle) writer.put(` aria-label="${escapeHtml(textProp(node.props, 'cta') ?? href)}"`)
    writer.put('>')
  }
  writer.putProp(node, 'title')
  writer.put(href === undefined ? '</p>' : '</a></p>')
}

function putPicture(writer: ContentWriter, img: string | undefined): void {
  const url = img === undefined ? undefined : writer.assetUrl(img)
  if (url === undefined) return
  const size = sizeAttributes({}, writer.imageSize(url))
  writer.put(
    `<img class="oct-card-image" src="${escapeHtml(url)}"${size} alt="" loading="lazy" decoding="async">`,
  )
}

/** A grid of cards or of anything. */
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

/** A picture that leads somewhere. */
export function writeTile(writer: ContentWriter, node: ComponentNode): void {
  const href = textProp(node.props, 'href')
  writer.put('<div class="oct-card oct-tile"><div class="oct-tile-preview">')
  writer.nodes(node.children)
  writer.put('</div><div class="oct-card-body">')
  putTitle(writer, node, href)
  if (node.props.description !== undefined) {
    writer.put('<p>')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  writer.put('</div></div>')
}
