import { escapeHtml } from '../markup/html.ts'
import type { FrameIcon, WrittenIcon } from './frame-icons.ts'
import { creditOf } from './icon-credits.ts'
import type { IconLibrary } from './icon-library.ts'
import { readPicture } from './icon-picture.ts'
import type { IconSymbol } from './icon-set.ts'

/** All icons around the content in one file, which a browser loads once for all pages. */
export type IconSprite = {
  /** The SVG of the sprite; empty if there are no named icons. */
  readonly text: string
  /** Returns the ID of an icon in the sprite. */
  readonly idOf: (icon: WrittenIcon) => string | undefined
  /** Returns the drawing with an ID in the sprite. */
  readonly find: (id: string) => IconSymbol | undefined
  readonly missing: readonly FrameIcon[]
}

export function createIconSprite(icons: readonly FrameIcon[], library: IconLibrary): IconSprite {
  const symbols = new Map<string, IconSymbol>()
  const ids = new Map<string, string>()
  const missing: FrameIcon[] = []
  for (const one of icons) {
    const key = keyOf(one.icon)
    const name = nameOf(one.icon)
    if (ids.has(key) || readPicture(name) !== undefined) continue
    const symbol = library.find(name, hintOf(one.icon))
    if (symbol === undefined) missing.push(one)
    else {
      symbols.set(symbol.id, symbol)
      ids.set(key, symbol.id)
    }
  }
  return {
    text: printSprite(symbols),
    idOf: (icon) => ids.get(keyOf(icon)),
    find: (id) => symbols.get(id),
    missing,
  }
}

export function nameOf(icon: WrittenIcon): string {
  return typeof icon === 'string' ? icon : icon.name
}

function hintOf(icon: WrittenIcon) {
  return typeof icon === 'string' ? {} : { type: icon.style, library: icon.library }
}

function keyOf(icon: WrittenIcon): string {
  if (typeof icon === 'string') return icon
  return `${icon.name}\n${icon.style ?? ''}\n${icon.library ?? ''}`
}

function printSprite(symbols: ReadonlyMap<string, IconSymbol>): string {
  if (symbols.size === 0) return ''
  const sorted = [...symbols.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const credits = [...new Set(sorted.map(({ id }) => creditOf(id)))].toSorted()
  const drawings = sorted.map(
    ({ id, viewBox, body }) =>
      `<symbol id="${escapeHtml(id)}" viewBox="${viewBox}">${body}</symbol>\n`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">\n<!-- ${credits.join('; ')} -->\n${drawings.join('')}</svg>\n`
}
