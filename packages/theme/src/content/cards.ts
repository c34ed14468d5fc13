import type { ComponentNode, Props } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { isExternal } from '../markup/safe-address.ts'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'
import { hasIcon } from './has-icon.ts'
import { toneStyle } from './safe-color.ts'
import { sizeAttributes } from './size-attributes.ts'
import { drawTileArt, isTileArt } from './tile-art.ts'

const TONES = new Set(['info', 'warning', 'note', 'tip', 'check', 'danger'])

/**
 * Writes a card. The stylesheet stretches its link over the whole card. The link is the title, or
 * the call to action if there is no title, or else an empty link labeled by the card's text.
 */
export function writeCard(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  const href = flagProp(props, 'disabled') ? undefined : textProp(props, 'href')
  writer.put(`<div class="${cardClasses(props)}"${toneStyle(props.color)}>`)
  putPicture(writer, textProp(props, 'img'))
  // A card with a type has the icon of that type, unless the author sets a different icon.
  if (hasIcon(node) || TONES.has(textProp(props, 'type') ?? '')) {
    writer.put('<span class="oct-card-icon">')
    writer.putIconOf(node)
    writer.put('</span>')
  }
  const hasTitle = has(node, 'title')
  const hasCall = has(node, 'cta')
  const id = href !== undefined && !hasTitle && !hasCall ? writer.uniqueId('card') : undefined
  writer.put(`<div class="oct-card-body"${id === undefined ? '' : writer.idAttribute(id)}>`)
  if (hasTitle) putLine(writer, node, { name: 'title', href })
  putDescription(writer, node)
  writer.nodes(node.children)
  if (hasCall) putLine(writer, node, { name: 'cta', href: hasTitle ? undefined : href })
  writer.put('</div>')
  if (href !== undefined && id !== undefined) {
    writer.put('<a class="oct-card-link"')
    putTarget(writer, href, props)
    writer.put(` aria-labelledby="${escapeHtml(id)}"></a>`)
  }
  writer.put('</div>')
}

function cardClasses(props: Props): string {
  const href = textProp(props, 'href')
  const type = textProp(props, 'type') ?? ''
  let classes = 'oct-card'
  if (flagProp(props, 'horizontal')) classes += ' oct-horizontal'
  if (TONES.has(type)) classes += ` oct-toned oct-${type}`
  if (flagProp(props, 'disabled')) return `${classes} oct-disabled`
  // External links have an arrow, unless the author decides otherwise.
  const arrow = props.arrow === undefined ? isExternal(href ?? '') : flagProp(props, 'arrow')
  return arrow && href !== undefined ? `${classes} oct-arrow` : classes
}

function has({ props, slots }: ComponentNode, name: string): boolean {
  return (props[name] !== undefined && props[name] !== '') || slots?.[name] !== undefined
}

type Line = { readonly name: 'title' | 'cta'; readonly href: string | undefined }

function putLine(writer: ContentWriter, node: ComponentNode, { name, href }: Line): void {
  writer.put(`<p class="oct-card-${name}">`)
  if (href !== undefined) {
    writer.put('<a class="oct-card-link"')
    putTarget(writer, href, node.props)
    writer.put('>')
  }
  writer.putProp(node, name)
  writer.put(href === undefined ? '</p>' : '</a></p>')
}

function putTarget(writer: ContentWriter, href: string, props: Props): void {
  writer.putHref(href)
  if (flagProp(props, 'newTab')) writer.put(' target="_blank"')
}

function putDescription(writer: ContentWriter, node: ComponentNode): void {
  if (!has(node, 'description')) return
  writer.put('<p>')
  writer.putProp(node, 'description')
  writer.put('</p>')
}

function putPicture(writer: ContentWriter, img: string | undefined): void {
  const url = img === undefined ? undefined : writer.imageUrl(img)
  if (url === undefined) return
  const size = sizeAttributes({}, writer.imageSize(url))
  writer.put(
    `<img class="oct-card-image" src="${escapeHtml(url)}"${size} alt="" loading="lazy" decoding="async">`,
  )
}

/** Writes a linked image, or one of our drawings, with a title. */
export function writeTile(writer: ContentWriter, node: ComponentNode): void {
  const href = textProp(node.props, 'href')
  const art = textProp(node.props, 'art')
  const kind = isTileArt(art) ? ' oct-tile-drawn' : ''
  writer.put(`<div class="oct-card oct-tile${kind}"><div class="oct-tile-preview">`)
  if (isTileArt(art)) writer.put(drawTileArt(art))
  const { isLinked } = writer
  // The image is part of the link.
  writer.isLinked = true
  writer.nodes(node.children)
  writer.isLinked = isLinked
  writer.put('</div><div class="oct-card-body">')
  if (has(node, 'title')) putLine(writer, node, { name: 'title', href })
  putDescription(writer, node)
  writer.put('</div>')
  if (href !== undefined && !has(node, 'title')) {
    writer.put('<a class="oct-card-link"')
    writer.putHref(href)
    writer.put(` aria-label="${escapeHtml(textProp(node.props, 'description') ?? href)}"></a>`)
  }
  writer.put('</div>')
}
