/**
 * Estimates the width that a header needs for all its parts when the page is built, because a
 * stylesheet cannot compare text widths. On narrower screens, the links move into the menu.
 */
/** In pixels: the average width of a letter at 14 px, rounded up. Han characters are square. */
const LETTER = 7.6
const WIDE_LETTER = 14
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/gu
/** Padding of a link and the gap after it; then the padding of a menu button and its arrow. */
const LINK = 24
const MENU = 44
const ICON = 24
/** The margins, a logo of 160, the narrowest search field, the gaps and the theme switch. */
const FIXED = 64 + 160 + 128 + 60 + 36

/**
 * Below 60em, every header has its links in the menu (`layout.css`). In a container query, an em is
 * the font size of the container, so a larger font size moves the links into the menu earlier.
 */
const NARROW_EM = 60
const NARROW = NARROW_EM * 16

const PART = /<a[ >].*?<\/a>|<button[ >].*?<\/button>/gs

/**
 * Returns an attribute for a header with these menus and links; empty if they fit at the width
 * `NARROW`.
 */
export function headerWidth(links: string): string {
  // The items of a menu are in a popover, so a menu is only as wide as its button.
  const row = links.replaceAll(/<ul id=.*?<\/ul>/gs, '')
  let width = FIXED
  for (const [part] of row.matchAll(PART)) {
    const text = part.replaceAll(/<[^>]*>|&\w+;/g, '')
    const wide = text.match(WIDE)?.length ?? 0
    width += wide * WIDE_LETTER + (text.length - wide) * LETTER
    width += (part.startsWith('<button') ? MENU : LINK) + (part.includes('<svg') ? ICON : 0)
  }
  if (width <= NARROW) return ''
  return ` style="font-size:${Math.ceil(width / NARROW_EM)}px"`
}
