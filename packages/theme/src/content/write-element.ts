import type { Attributes, ElementNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { isSafeAddress, isSafeImage } from '../markup/safe-address.ts'
import type { ContentWriter } from './content-writer.ts'
import { frameAttributes, videoAttributes } from './embeds.ts'
import type { PageLoad } from './page-notes.ts'
import { sizeAttributes } from './size-attributes.ts'
import { withWideColumns } from './wide-columns.ts'

const VOID_TAGS = new Set('area br col hr img input source track wbr'.split(' '))
/** Tags that are never written, because they run code or affect the page around them. */
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
      writeLinked(writer, children)
      writer.put('</a>')
      return
    case 'input':
      writeAny(writer, { ...node, attributes: inputAttributes(writer, attributes ?? {}) })
      return
    case 'button':
      if (attributes?.['data-oct'] === 'try' || attributes?.['data-signed-in'] !== undefined)
        writer.notes.useFeature('playground')
      writeAny(writer, node)
      return
    case 'video':
      writeAny(writer, { ...node, attributes: videoAttributes(attributes ?? {}, writer.isFramed) })
      return
    case 'iframe':
      writeAny(writer, { ...node, attributes: frameAttributes(attributes ?? {}) })
      return
    case 'style':
      // The parser already rejects `<`. Escaping it here ensures that no text can end the element.
      writer.put(`<style>${textOf(children).replaceAll('<', '\\3c ')}</style>`)
      return
    case 'img':
      writeImage(writer, attributes ?? {})
      return
    case 'table':
      // A wide table has its own scrollbar, so that it does not widen the page.
      writer.put('<div class="oct-table" tabindex="0">')
      writeAny(writer, withWideColumns(node))
      writer.put('</div>')
      return
    default:
      writeAny(writer, node)
  }
}

/** Returns the text of a stylesheet, without children that are not text. */
function textOf(children: ElementNode['children']): string {
  return children.filter((child) => typeof child === 'string').join('')
}

/** Labels the checkbox of a task, so that screen readers announce more than "not checked". */
function inputAttributes({ text }: ContentWriter, attributes: Attributes): Attributes {
  const isTask = attributes.type === 'checkbox' && attributes.disabled !== undefined
  return isTask ? { 'aria-label': text.check, ...attributes } : attributes
}

function writeLinked(writer: ContentWriter, children: ElementNode['children']): void {
  const { isLinked } = writer
  writer.isLinked = true
  writer.nodes(children)
  writer.isLinked = isLinked
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
  if (attributes !== undefined) writeAttributes(writer, tag, attributes)
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

/**
 * Attributes whose URLs a browser loads automatically. URLs in styles are files of the site:
 * `content` rejects all others.
 */
const LOADS: ReadonlyMap<string, PageLoad['kind']> = new Map([
  ['img src', 'images'],
  ['img srcset', 'images'],
  ['image href', 'images'],
  ['image xlink:href', 'images'],
  ['iframe src', 'frames'],
  ['video src', 'media'],
  ['video poster', 'images'],
  ['audio src', 'media'],
  ['source src', 'media'],
  ['source srcset', 'images'],
  ['track src', 'media'],
])

function writeAttributes(writer: ContentWriter, tag: string, attributes: Attributes): void {
  for (const name in attributes) {
    const written = writeAttribute(writer, name, attributes[name])
    const kind = LOADS.get(`${tag} ${name}`)
    if (written === undefined || kind === undefined) continue
    for (const url of addressesIn(name, written)) writer.notes.addLoad(kind, url)
  }
}

function addressesIn(name: string, value: string): readonly string[] {
  if (name !== 'srcset') return [value]
  return value.split(',').map((part) => part.trim().split(/\s/)[0] ?? '')
}

/** Writes an attribute and returns the written value, if there is one. */
function writeAttribute(
  writer: ContentWriter,
  name: string,
  value: string | true | undefined,
): string | undefined {
  const lower = name.toLowerCase()
  if (value === undefined || !ATTRIBUTE.test(name) || REFUSED_ATTRIBUTES.has(lower))
    return undefined
  if (value === true) {
    writer.put(` ${name}`)
    return undefined
  }
  let written = value
  if (lower === 'src' || lower === 'poster') {
    const url = writer.assetUrl(value)
    if (url === undefined) return undefined
    written = url
  } else if (ADDRESS_ATTRIBUTES.has(lower) && !isSafeAddress(value)) return undefined
  else if (lower === 'id') writer.notes.addId(value)
  else if (lower === 'class') writer.notes.useClasses(value)
  else if (lower === 'srcset' && !value.split(',').every((part) => isSafeImage(part.trim())))
    return undefined
  writer.put(` ${name}="${escapeHtml(written)}"`)
  return written
}

function writeLinkAttributes(writer: ContentWriter, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name]
    if (name === 'href' && typeof value === 'string') writer.putHref(value)
    // `putHref` sets `rel` itself, so that other sites cannot access this page through
    // `window.opener`.
    else if (name !== 'rel') writeAttribute(writer, name, value)
  }
}

/** Images within this many characters of HTML are probably visible without scrolling. */
const TOP_LENGTH_MAX = 2_000
/** Images smaller than this are icons in the text and need not be enlarged. */
const ZOOMED_PIXELS_MIN = 100

/** Writes an image: the first one near the top loads immediately, the others lazily. */
export function writeImage(writer: ContentWriter, attributes: Attributes): void {
  const { actions, actionsplacement, nozoom, ...written } = attributes
  const canDownload = /\bdownload\b/.test(String(actions ?? ''))
  if (canDownload) beginActions(writer, actionsplacement)
  writer.put('<img')
  writeAttributes(writer, 'img', written)
  if (written.alt === undefined) writer.put(' alt=""')
  if (isZoomed(writer, attributes)) writer.put(' data-oct="zoom"')
  if (written.loading === undefined) {
    const isFirst = writer.isFirst('image') && writer.html.length < TOP_LENGTH_MAX
    const isSeen = isFirst && !/(?:^|\s)hidden(?:\s|$)/.test(String(written.class ?? ''))
    writer.put(isSeen ? ' fetchpriority="high"' : ' loading="lazy"')
  }
  const address = typeof written.src === 'string' ? writer.assetUrl(written.src) : undefined
  if (address !== undefined) writer.put(sizeAttributes(written, writer.imageSize(address)))
  writer.put(written.decoding === undefined ? ' decoding="async">' : '>')
  if (canDownload) endActions(writer, written.src)
}

function isZoomed(writer: ContentWriter, { nozoom, width, height }: Attributes): boolean {
  if (writer.isLinked || nozoom !== undefined) return false
  return ![width, height].some(
    (size) =>
      typeof size === 'string' && Number.parseFloat(size) < ZOOMED_PIXELS_MIN && !/%/.test(size),
  )
}

function beginActions(writer: ContentWriter, placement: string | true | undefined): void {
  const isKnown = /^(?:top|bottom)-(?:left|center|right)$/.test(String(placement))
  const place = isKnown ? String(placement) : 'bottom-center'
  writer.put(`<span class="oct-image" data-placement="${place}">`)
}

function endActions(writer: ContentWriter, src: string | true | undefined): void {
  const url = typeof src === 'string' ? writer.assetUrl(src) : undefined
  if (url !== undefined && !writer.isLinked) {
    const label = escapeHtml(writer.text.download)
    writer.put(
      `<a class="oct-download" href="${escapeHtml(url)}" download aria-label="${label}"></a>`,
    )
  }
  writer.put('</span>')
}
