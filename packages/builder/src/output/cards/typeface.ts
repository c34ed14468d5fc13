/**
 * Converts text to bitmaps, in the fonts that are included with the builder. Each glyph is drawn
 * only once per size.
 */
import { FontFile } from './font-file.ts'
import { type Bitmap, rasterize } from './rasterize.ts'

export type Weight = 400 | 600

/** Subsets of the font by script. The first one covers most text. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext']

export type LoadFont = (subset: string, weight: Weight) => Uint8Array

export type Glyph = { readonly advance: number; readonly bitmap: Bitmap }

type Found = { readonly font: FontFile; readonly glyph: number }

export class Typeface {
  readonly #load: LoadFont
  readonly #weight: Weight
  readonly #fonts: FontFile[] = []
  readonly #found = new Map<number, Found | undefined>()
  readonly #glyphs = new Map<string, Glyph>()

  constructor(load: LoadFont, weight: Weight) {
    this.#load = load
    this.#weight = weight
  }

  /** Checks whether the fonts have all characters of the text. */
  has(text: string): boolean {
    return Array.from(text).every((sign) => this.#find(sign.codePointAt(0) ?? 0) !== undefined)
  }

  widthOf(text: string, size: number): number {
    let width = 0
    for (const sign of text) width += this.#advance(sign.codePointAt(0) ?? 0, size)
    return width
  }

  glyph(codePoint: number, size: number): Glyph | undefined {
    const key = `${size} ${codePoint}`
    const known = this.#glyphs.get(key)
    if (known !== undefined) return known
    const found = this.#find(codePoint)
    if (found === undefined) return undefined
    const bitmap = rasterize(found.font.outlineOf(found.glyph), size / found.font.unitsPerEm)
    const glyph = { advance: this.#advance(codePoint, size), bitmap }
    this.#glyphs.set(key, glyph)
    return glyph
  }

  #advance(codePoint: number, size: number): number {
    const found = this.#find(codePoint)
    if (found === undefined) return 0
    return (found.font.advanceOf(found.glyph) * size) / found.font.unitsPerEm
  }

  /** Loads fonts one after another until one of them has the character. */
  #find(codePoint: number): Found | undefined {
    if (this.#found.has(codePoint)) return this.#found.get(codePoint)
    let found: Found | undefined
    for (let index = 0; index < SUBSETS.length && found === undefined; index += 1) {
      const font = this.#font(index)
      const glyph = font.glyphOf(codePoint)
      if (glyph !== undefined) found = { font, glyph }
    }
    this.#found.set(codePoint, found)
    return found
  }

  #font(index: number): FontFile {
    const known = this.#fonts[index]
    if (known !== undefined) return known
    const font = new FontFile(this.#load(SUBSETS[index] ?? '', this.#weight))
    this.#fonts[index] = font
    return font
  }
}
