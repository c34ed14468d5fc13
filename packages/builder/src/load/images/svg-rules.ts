import { isInlineImage, schemeOf, withoutSkippedCharacters } from '@octavo/model'

/**
 * The allowlist for SVG images. Everything that is not allowed could run code or load from other
 * hosts.
 */
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml'

const SVG_TAGS = new Set(
  `a altGlyph animate animateColor animateMotion animateTransform circle clipPath color-profile cursor
  defs desc discard ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
  feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG
  feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
  feSpecularLighting feSpotLight feTile feTurbulence filter font font-face font-face-format
  font-face-name font-face-src foreignObject g glyph glyphRef hatch hatchpath hkern image line
  linearGradient marker mask mesh meshgradient meshpatch meshrow metadata missing-glyph mpath path
  pattern polygon polyline radialGradient rect set solidcolor stop style svg switch symbol text
  textPath title tref tspan use view vkern`.split(/\s+/),
)

/**
 * HTML elements that are allowed inside `foreignObject`, because diagram tools write labels this
 * way.
 */
const HTML_TAGS = new Set(
  `b br center code del div em font h1 h2 h3 h4 h5 h6 hr i img li mark ol p pre s section small span
  strike strong sub sup table tbody td th thead tr u ul`.split(/\s+/),
)

export function isAllowedTag(namespace: string | undefined, name: string): boolean {
  if (namespace === SVG_NAMESPACE) return SVG_TAGS.has(name)
  if (namespace === HTML_NAMESPACE) return HTML_TAGS.has(name)
  // Drawing tools add metadata in other namespaces, which browsers ignore.
  return namespace !== 'http://www.w3.org/1998/Math/MathML'
}

const REFUSED_ATTRIBUTES = new Set(
  'action background data formaction ping poster srcdoc srcset'.split(' '),
)
const LINK_SCHEMES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'http',
  'https',
  'mailto',
])

/** References in `value` must already be expanded. */
export function isAllowedAttribute(tag: string, attribute: string, value: string): boolean {
  const name = attribute.slice(attribute.indexOf(':') + 1).toLowerCase()
  if (name.startsWith('on') || REFUSED_ATTRIBUTES.has(name)) return false
  if (attribute === 'xml:base') return false
  const seen = withoutSkippedCharacters(value)
  if (name === 'href' || name === 'src') return isAllowedAddress(tag, seen)
  if (name === 'attributename') return !/(?:^|:)(?:href|src|on\w*)$/i.test(seen)
  return !hasOutsideUrl(value)
}

function isAllowedAddress(tag: string, address: string): boolean {
  if (address === '' || address.startsWith('#')) return true
  switch (tag) {
    case 'a':
      return LINK_SCHEMES.has(schemeOf(address))
    case 'image':
    case 'feImage':
    case 'img':
      return isInlineImage(address)
    default:
      return false
  }
}

const OUTSIDE_URL = /(?:url|src|image)\s*\(\s*["']?\s*(?!\s*["']?\s*(?:#|data:))/i
const OUTSIDE_URLS = /(?:url|src|image)\(\s*(?!\s*["']?\s*(?:#|data:))[^)]*\)/gi
const IMPORTS = /@import[^;{}]*;?/gi

/** Checks whether CSS loads from other hosts, even if the URL contains escapes. */
export function hasOutsideUrl(css: string): boolean {
  const plain = unescapeCss(css)
  return OUTSIDE_URL.test(plain) || /@import/i.test(plain)
}

/** Returns the styles without the URLs that a browser would load. */
export function withoutOutsideUrls(css: string): string {
  const rest = css.replaceAll(IMPORTS, '').replaceAll(OUTSIDE_URLS, 'none')
  return hasOutsideUrl(rest) ? '' : rest
}

function unescapeCss(css: string): string {
  if (!css.includes('\\')) return css
  return css.replaceAll(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_, hex?: string, sign?: string) => {
    if (hex === undefined) return sign ?? ''
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
