import { escapeHtml } from '../markup/html.ts'

const COLOR =
  /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/a-z-]{1,60}\))$/i

/** Returns a valid CSS color, or undefined. */
export function safeColor(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // Some authors escape the `#`, as in Markdown.
  const color = value.trim().replace(/^\\#/, '#')
  return COLOR.test(color) ? color : undefined
}

/** Returns ` style="--tone:…"` for a color chosen by the author, else an empty string. */
export function toneStyle(value: unknown): string {
  const color = safeColor(value)
  return color === undefined ? '' : ` style="--tone:${escapeHtml(color)}"`
}
