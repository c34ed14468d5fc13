/**
 * An icon that is not a name but a file, a URL, an author's drawing or an emoji. A drawing is shown
 * as an image, in which browsers run no scripts and load no external resources.
 */
export type IconPicture =
  | { readonly kind: 'file'; readonly url: string }
  | { readonly kind: 'drawing'; readonly url: string; readonly takesColor: boolean }
  | { readonly kind: 'text'; readonly text: string }

const FILE = /^(?:https?:)?\/|^\.{1,2}\/|^data:|\.(?:svg|png|jpe?g|webp|gif|avif|ico)(?:[?#].*)?$/i
const DRAWING_LENGTH_MAX = 20_000
const EMOJI_LENGTH_MAX = 16

/** Parses an icon that is not a name; returns undefined for the name of an icon. */
export function readPicture(written: string): IconPicture | undefined {
  const text = written.trim()
  if (text.startsWith('<')) return readDrawing(text)
  if (FILE.test(text)) return { kind: 'file', url: text }
  const isEmoji = text.length <= EMOJI_LENGTH_MAX && /\p{Extended_Pictographic}/u.test(text)
  return isEmoji ? { kind: 'text', text } : undefined
}

function readDrawing(text: string): IconPicture | undefined {
  if (!/^<svg\b/i.test(text) || text.length > DRAWING_LENGTH_MAX) return undefined
  const named = /^<svg\b[^>]*\sxmlns=/i.test(text)
    ? text
    : text.replace(/^<svg\b/i, '<svg xmlns="http://www.w3.org/2000/svg"')
  return {
    kind: 'drawing',
    // Brackets and quotes would end a surrounding `url("…")`.
    url: `data:image/svg+xml,${encodeURIComponent(named).replaceAll(/[()']/g, escapeSign)}`,
    takesColor: /currentcolor/i.test(text),
  }
}

function escapeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16)}`
}
