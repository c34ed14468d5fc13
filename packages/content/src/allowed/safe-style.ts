/** The safe declarations of a `style`, and those that were rejected. */
export type SafeStyle = { readonly text: string; readonly refused: readonly string[] }

const PROPERTY = /^(?:--[\w-]+|-?[a-z][a-z-]*)$/
/** Properties that load or run something in some browser. */
const REFUSED_PROPERTIES = new Set(['behavior', '-moz-binding', '-ms-behavior'])
const REFUSED_VALUE =
  /[\\<>@{}]|\/\*|expression\s*\(|image-set\s*\(|image\s*\(|javascript:|\/\/.*\(/i
/** A URL in a style may only refer to a file of the site. */
const LOCAL_URL = /^url\(\s*(["']?)\/?(?!\/)[\w./ %~-]+\1\s*\)$/i
const STYLE_LENGTH_MAX = 4_000

/** Parses the text of a `style` attribute. */
export function readStyleText(text: string): SafeStyle {
  const pairs = splitDeclarations(text.slice(0, STYLE_LENGTH_MAX)).flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    if (colon < 0) return declaration.trim() === '' ? [] : [[declaration.trim(), ''] as const]
    return [[declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()] as const]
  })
  return readPairs(pairs)
}

/**
 * Properties whose numbers have no unit. For all other properties, numbers are pixels, as in React.
 */
const UNITLESS =
  /^(?:opacity|z-index|flex|flex-grow|flex-shrink|order|font-weight|line-height|zoom|orphans|widows|grid-(?:row|column|area)(?:-start|-end)?|column-count|fill-opacity|stroke-opacity|stroke-width|scale|aspect-ratio|line-clamp|-webkit-line-clamp|animation-iteration-count|tab-size)$/

/** Reads a style object as React accepts it: `{ marginTop: 4 }`. */
export function readStyleObject(style: Readonly<Record<string, unknown>>): SafeStyle {
  const pairs = Object.entries(style).flatMap(([key, value]) => {
    if (value === null || value === undefined || typeof value === 'boolean') return []
    const name = key.startsWith('--') ? key : cssName(key)
    if (typeof value === 'number') {
      const unit = value === 0 || UNITLESS.test(name) || name.startsWith('--') ? '' : 'px'
      return [[name, `${value}${unit}`] as const]
    }
    return [[name, typeof value === 'string' ? value.trim() : ''] as const]
  })
  return readPairs(pairs)
}

function cssName(key: string): string {
  const dashed = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return dashed.startsWith('ms-') ? `-${dashed}` : dashed
}

function readPairs(pairs: readonly (readonly [string, string])[]): SafeStyle {
  const kept: string[] = []
  const refused: string[] = []
  for (const [written, value] of pairs) {
    const name = written.startsWith('--') ? written : written.toLowerCase()
    if (value === '' && PROPERTY.test(name)) continue
    if (isSafeDeclaration(name, value)) kept.push(`${name}: ${value}`)
    else refused.push(name)
  }
  return { text: kept.join('; '), refused }
}

function isSafeDeclaration(name: string, value: string): boolean {
  if (!PROPERTY.test(name) || REFUSED_PROPERTIES.has(name)) return false
  if (value === '' || value.length > 1_000 || REFUSED_VALUE.test(value) || value.includes(';'))
    return false
  // The content of a page must not cover the navigation around it.
  if (name === 'position' && /fixed|sticky/i.test(value)) return false
  return !/url\s*\(/i.test(value) || value.split(/(?<=\))\s+/).every(isLocalPart)
}

function isLocalPart(part: string): boolean {
  return !/url\s*\(/i.test(part) || LOCAL_URL.test(part.trim())
}

/** Splits a style at the semicolons outside of brackets and quotes. */
function splitDeclarations(text: string): readonly string[] {
  return text.match(/(?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\)|["'(])+/g) ?? []
}
