import type { Attributes, ElementNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { isSafeAddress, isSafeImage } from '../safe-address.ts'
import type { ContentWriter } from './content-writer.ts'
import { sizeAttributes } from './size-attributes.ts'

const VOID_TAGS = new Set('area br col hr img input source track wbr'.split(' '))
/** Never written, whatever a tree says: they run something or change the page around them. */
const REFUSED_TAGS = new Set(
  'applet base embed foreignobject frame frameset html head body link math meta noscript object script style template plaintext xmp'.split(
    ' ',
  ),
)
const TAG = /^[a-zA-Z][a-zA-Z\d]*$/
const ATTRIBUTE = /^(?!on)[a-z][\w:.-]*$/i
const REFUSED_ATTRIBUTES = new Set(['srcdoc', 'formaction', 'action', 'ping', 'background'])
const ADDRESS_ATTRIBUTES = new Set(['href', 'src', 'cite', 'poster', 'xlink:href'])

export function writeElement(writer: ContentWriter, node: ElementNode): void {
  const { tag, attributes, children } = node
  switch (tag) {
    case 'a':
      writer.put('<a')
      if (attributes !== undefined) writeLinkAttributes(writer, attributes)
      writer.put('>')
      writer.nodes(children)
      writer.put('</a>')
      return
    case 'img':
      writeImage(writer, attributes ?? {})
      return
    case 'table':
      // A wide table scrolls by itself instead of widening the page.
      writer.put('<div class="oct-table" tabindex="0">')
      writeAny(writer, node)
      writer.put('</div>')
      return
    default:
      writeAny(writer, node)
  }
}

function writeAny(writer: ContentWriter, { tag, attributes, children }: ElementNode): void {
  if (attributes === undefined && COMMON_TAGS.has(tag)) {
    writer.put(`<${tag}>`)
    writer.nodes(children)
    writer.put(`</${tag}>`)
    return
  }
  if (!TAG.test(tag) || REFUSED_TAGS.has(tag.toLowerCase())) {
    writer.nodes(children)
    return
  }
  writer.put(`<${tag}`)
  if (attributes !== undefined) writeAttributes(writer, attributes)
  writer.put('>')
  if (VOID_TAGS.has(tag)) return
  writer.nodes(children)
  writer.put(`</${tag}>`)
}

const COMMON_TAGS = new Set(
  'p li ul ol code strong em td th tr thead tbody table blockquote div span del sup sub kbd'.split(
    ' ',
  ),
)

function writeAttributes(writer: ContentWriter, attributes: Attributes): void {
  for (const name in attributes) writeAttribute(writer, name, attributes[name])
}

function writeAttribute(
  writer: ContentWriter,
  name: string,
  value: string | true | undefined,
): void {
  const lower = name.toLowerCase()
  if (value === undefined || !ATTRIBUTE.test(name) || REFUSED_ATTRIBUTES.has(lower)) return
  if (value === true) {
    writer.put(` ${name}`)
    return
  }
  let written = value
  if (lower === 'src' || lower === 'poster') {
    const url = writer.assetUrl(value)
    if (url === undefined) return
    written = url
  } else if (ADDRESS_ATTRIBUTES.has(lower) && !isSafeAddress(value)) return
  else if (lower === 'srcset' && !value.split(',').every((part) => isSafeImage(part.trim()))) return
  writer.put(` ${name}="${escapeHtml(written)}"`)
}

function writeLinkAttributes(writer: ContentWriter, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name]
    if (name === 'href' && typeof value === 'string') writer.putHref(value)
    // What another site opens must not get hold of this page; `putHref` says so.
    else if (name !== 'rel') writeAttribute(writer, name, value)
  }
}

/** An image: not loaded before it is near, and never wider than the page. */
export function writeImage(writer: ContentWriter, attributes: Attributes): void {
  writer.put('<img')
  let hasAlt = false
  let loads = false
  for (const name in attributes) {
    if (name === 'alt') hasAlt = true
    if (name === 'loading') loads = true
    if (name === 'nozoom') {
      writer.put(' data-nozoom')
      continue
    }
    if (name === 'actions' || name === 'actionsplacement') continue
    writeAttribute(writer, name, attributes[name])
  }
  const address = typeof attributes.src === 'string' ? writer.assetUrl(attributes.src) : undefined
  if (address !== undefined) writer.put(sizeAttributes(attributes, writer.imageSize(address)))
  if (!hasAlt) writer.put(' alt=""')
  writer.put(loads ? ' decoding="async">' : ' loading="lazy" decoding="async">')
}
