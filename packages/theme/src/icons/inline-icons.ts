/**
 * Draws the first icons of a page inline, so that they are visible at its first paint. The others
 * come from the sprite, which arrives later; a page with few icons does not load it.
 */
import type { SpriteFile } from './render-icon.ts'

const INLINE_MAX = 12

/** Matches an icon from the sprite, or a closed menu, whose icons are not visible at first. */
const ICON =
  /<ul id="[^"]*" popover>.*?<\/ul>|(<svg class="oct-icon"[^>]*)><use href="[^"#]*#([^"]*)"\/><\/svg>/gs

export function withInlineIcons(html: string, file: SpriteFile | undefined): string {
  if (file === undefined || file.sprite.text === '') return html
  let written = ''
  let from = 0
  let count = 0
  ICON.lastIndex = 0
  while (count < INLINE_MAX) {
    const found = ICON.exec(html)
    if (found === null) break
    const [whole, start, id = ''] = found
    const symbol = start === undefined ? undefined : file.sprite.find(id)
    if (symbol === undefined) continue
    written += `${html.slice(from, found.index)}${start} viewBox="${symbol.viewBox}">${symbol.body}</svg>`
    from = found.index + whole.length
    count += 1
  }
  return written + html.slice(from)
}
