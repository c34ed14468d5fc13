/**
 * Prints a drawing of the diagram library as part of a page: only shapes and text, in the colors of
 * the site. Everything else is omitted, since it may come from the author's labels.
 */
import { xmlTokens } from '../../source/images/xml-tokens.ts'

const TAGS = new Set(
  'svg g defs marker path rect circle ellipse line polyline polygon text tspan'.split(' '),
)
const ATTRIBUTES = new Set(
  `viewBox x y x1 y1 x2 y2 dx dy cx cy r rx ry d points transform width height markerWidth markerHeight
  refX refY orient fill stroke stroke-width stroke-dasharray stroke-linejoin stroke-linecap
  marker-start marker-end text-anchor dominant-baseline font-size font-weight font-style opacity
  id`.split(/\s+/),
)
const EMPTY_VALUE = /^\s*$/
const VALUE = /^[\w\s.,#()%+-]*$/
const REFERENCE = /^url\(#([\w-]+)\)$/
/** Text of 13 pixels is still read at this scale. */
const READABLE_SCALE = 0.7
/** The colors of the library, and ours. */
const COLORS: Readonly<Record<string, string>> = {
  '--bg': '--oct-page',
  '--fg': '--oct-strong',
  '--_text': '--oct-strong',
  '--_text-sec': '--oct-text',
  '--_text-muted': '--oct-text',
  '--_text-faint': '--oct-muted',
  '--_line': '--oct-muted',
  '--_arrow': '--oct-muted',
  '--_node-fill': '--oct-sunken',
  '--_node-stroke': '--oct-primary',
  '--_group-fill': '--oct-page',
  '--_group-hdr': '--oct-page',
  '--_inner-stroke': '--oct-line',
  '--_key-badge': '--oct-sunken',
}

/**
 * Returns undefined if the drawing is not well-formed. `id` makes the ids of the drawing unique on
 * the page.
 */
export function printDrawing(drawn: string, id: string): string | undefined {
  const parts: string[] = []
  /** The nesting depth inside an omitted element; 0 outside of one. */
  let omitted = 0
  for (const token of xmlTokens(drawn)) {
    if (token.kind === 'broken') return undefined
    if (token.kind === 'open') {
      if (omitted > 0 || !TAGS.has(token.name)) {
        if (!token.isEmpty) omitted += 1
      } else parts.push(`<${token.name}${printAttributes(token, id)}${token.isEmpty ? '/' : ''}>`)
    } else if (token.kind === 'close') {
      if (omitted > 0) omitted -= 1
      else parts.push(`</${token.name}>`)
    } else if (token.kind === 'text' && omitted === 0) {
      const text = drawn.slice(token.start, token.end)
      if (text.trim() !== '') parts.push(text)
    }
  }
  return parts.join('')
}

type OpenTag = {
  readonly name: string
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}

function printAttributes({ name, attributes }: OpenTag, id: string): string {
  const printed = attributes.map(({ name: attribute, value }) => {
    if (!ATTRIBUTES.has(attribute) || EMPTY_VALUE.test(value)) return ''
    if (name === 'svg' && attribute === 'height') return ''
    if (name === 'svg' && attribute === 'width') return printSize(Number.parseFloat(value) || 0)
    const safe = attribute === 'id' ? `${value}-${id}` : safeValue(value, id)
    return safe === undefined || !VALUE.test(safe) ? '' : ` ${attribute}="${safe}"`
  })
  return printed.join('')
}

/**
 * The drawing is as wide as its container, within limits: not larger than drawn, and not so small
 * that its text cannot be read. It is then scrolled.
 */
function printSize(width: number): string {
  const [largest, smallest] = [width, width * READABLE_SCALE].map(Math.ceil)
  return ` style="max-inline-size:${largest}px;min-inline-size:${smallest}px"`
}

function safeValue(value: string, id: string): string | undefined {
  const [, target] = REFERENCE.exec(value) ?? []
  if (target !== undefined) return `url(#${target}-${id})`
  const [, color] = /^var\((--[\w-]+)\)$/.exec(value) ?? []
  if (color !== undefined) return COLORS[color] && `var(${COLORS[color]})`
  if (value.includes('url(')) return undefined
  // More digits would only make the page larger.
  return value.replaceAll(/-?\d+\.\d{2,}/g, (number) =>
    String(Math.round(Number(number) * 10) / 10),
  )
}
