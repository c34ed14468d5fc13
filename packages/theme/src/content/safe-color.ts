import { escapeHtml } from '../markup/html.ts'

const COLOR =
  /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/a-z-]{1,60}\))$/i

/** A color as CSS knows it, or nothing. */
export function safeColor(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // A backslash before the sign is a habit from Markdown.
  const color = value.trim().replace(/^\\#/, '#')
  return COLOR.test(color) ? color : undefined
}

/** ` style="--tone:…"` for a part whose author chose its color, else nothing. */
export function toneStyle(value: unknown): string {
  const color = safeColor(value)
  return color === undefined ? '' : ` style="--tone:${escapeHtml(color)}"`
}
