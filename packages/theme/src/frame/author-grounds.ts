/**
 * Computes text colors for the banner and the call to action if an author's stylesheet sets their
 * background. Such a stylesheet was written for a theme with other text colors.
 */
import { BLACK, parseHex, printHex, type Rgb, WHITE } from '../looks/color.ts'
import { textColorOn } from '../looks/readable-color.ts'

type Grounds = { readonly light: Rgb | undefined; readonly dark: Rgb | undefined }

const COMMENT = /\/\*.*?\*\//gs
const RULE = /([^{}]*)\{([^{}]*)\}/g
/** Selectors start with the color scheme: a dark page, a light page, or both. */
const SCHEME = String.raw`^(?:html|body|:root|div)?(\.dark|:not\(\.dark\))?\s*`
/** Matches the banner, but not elements inside it. */
const BANNER = new RegExp(`${SCHEME}(?:div)?#banner$`)
/** Matches the call to action, or the layer behind its label. */
const ACTION = new RegExp(
  String.raw`${SCHEME}(?:li)?#topbar-cta-button(?:[\s>]+(?:a|span|\.group|\.absolute)(?:\.group|\.absolute)*)+$`,
)
const GROUND = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)/gi
const COLOR = /^(#[\da-f]{3,6}|rgba?\([^)]*\)|white|black)(?:\s*!important)?\s*$/i

/**
 * Returns rules that the author's own colors override; returns an empty string if no background is
 * set.
 */
export function authorGroundStyles(css: string): string {
  const banner = textOn(groundsIn(css, BANNER))
  const action = textOn(groundsIn(css, ACTION))
  return [
    banner === undefined ? '' : `#banner{color:${banner}}`,
    action === undefined ? '' : `#topbar-cta-button{--oct-on-button:${action}}`,
  ].join('')
}

function textOn({ light, dark }: Grounds): string | undefined {
  const [day, night] = [light ?? dark, dark ?? light]
  if (day === undefined || night === undefined) return undefined
  return `light-dark(${printHex(textColorOn(day))},${printHex(textColorOn(night))})`
}

/**
 * Returns the backgrounds of a part. Later rules override earlier ones; rules for dark pages only
 * apply to dark pages.
 */
function groundsIn(css: string, part: RegExp): Grounds {
  let [light, both, dark]: (Rgb | undefined)[] = []
  for (const [, selectors = '', block = ''] of css.replaceAll(COMMENT, '').matchAll(RULE)) {
    const ground = groundIn(block)
    if (ground === undefined) continue
    for (const selector of selectors.split(',')) {
      const [found, scheme] = part.exec(selector.trim()) ?? []
      if (found === undefined) continue
      if (scheme === undefined) both = ground
      else if (scheme === '.dark') dark = ground
      else light = ground
    }
  }
  return { light: light ?? both, dark: dark ?? both }
}

function groundIn(block: string): Rgb | undefined {
  const [, value = ''] = [...block.matchAll(GROUND)].at(-1) ?? []
  const [, color = ''] = COLOR.exec(value.trim()) ?? []
  if (/^white$/i.test(color)) return WHITE
  if (/^black$/i.test(color)) return BLACK
  return parseHex(color) ?? parseRgb(color)
}

/**
 * Parses an opaque color. The result of a transparent color would depend on the unknown color
 * behind it.
 */
function parseRgb(color: string): Rgb | undefined {
  const [red, green, blue, alpha = 1] = [...color.matchAll(/[\d.]+/g)].map(Number)
  if (red === undefined || green === undefined || blue === undefined || alpha < 1) return undefined
  return [red, green, blue]
}
