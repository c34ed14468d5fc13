/** The preview image of a page for links on other sites: its title, section and site name. */
import { Canvas, type Color, type Ink } from './canvas.ts'
import { type LoadFont, Typeface } from './typeface.ts'

export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

export type CardLook = {
  /** Name of the site. */
  readonly name: string
  /** `#0F766E`. */
  readonly color: string
  readonly appearance: 'light' | 'dark'
}

export type Card = { readonly title: string; readonly section: string | undefined }

const MARGIN = 80
const TEXT_WIDTH = CARD_WIDTH - 2 * MARGIN
/** The largest size that fits is used. */
const TITLE_SIZES = [
  { size: 84, lines: 2 },
  { size: 68, lines: 3 },
  { size: 54, lines: 4 },
]
const LINE_HEIGHT = 1.15
const TITLE_LENGTH_MAX = 300
const NAME_LENGTH_MAX = 60

const TEXT_INK: Ink = { first: 1, steps: 10 }
const QUIET_INK: Ink = { first: 11, steps: 4 }
const ACCENT = 15

export class CardPainter {
  readonly #look: CardLook
  readonly #strong: Typeface
  readonly #regular: Typeface
  #empty: Canvas | undefined

  constructor(look: CardLook, load: LoadFont) {
    this.#look = look
    this.#strong = new Typeface(load, 600)
    this.#regular = new Typeface(load, 400)
  }

  /**
   * Returns a PNG. Text with characters that the fonts lack is omitted instead of showing empty
   * boxes.
   */
  draw({ title, section }: Card): Buffer {
    this.#empty ??= this.#drawSite()
    const canvas = this.#empty.copy()
    const words = oneLine(title, TITLE_LENGTH_MAX)
    if (words !== '' && this.#strong.has(words)) this.#drawTitle(canvas, words)
    const where = oneLine(section ?? '', NAME_LENGTH_MAX)
    if (where !== '' && this.#regular.has(where)) {
      const place = { x: MARGIN, y: CARD_HEIGHT - MARGIN, size: 34, ink: QUIET_INK }
      canvas.text(fit(this.#regular, where, 34), { ...place, face: this.#regular })
    }
    return canvas.png(paletteOf(this.#look))
  }

  /** Draws the parts that all cards of the site share. */
  #drawSite(): Canvas {
    const canvas = new Canvas(CARD_WIDTH, CARD_HEIGHT)
    canvas.fill(ACCENT, { x: 0, y: 0, width: CARD_WIDTH, height: 16 })
    const name = oneLine(this.#look.name, NAME_LENGTH_MAX)
    if (!this.#strong.has(name)) return canvas
    canvas.fill(ACCENT, { x: MARGIN, y: 84, width: 36, height: 36 })
    const place = { x: MARGIN + 56, y: 116, size: 38, ink: TEXT_INK, face: this.#strong }
    canvas.text(fit(this.#strong, name, 38), place)
    return canvas
  }

  #drawTitle(canvas: Canvas, title: string): void {
    const face = this.#strong
    const { size, lines, rows } = chooseSize(face, title)
    const shown = rows.slice(0, lines)
    if (rows.length > lines) shown[lines - 1] = fit(face, `${shown[lines - 1] ?? ''} …`, size)
    const step = Math.round(size * LINE_HEIGHT)
    const middle = (CARD_HEIGHT + 40) / 2
    const first = Math.round(middle - (step * (shown.length - 1)) / 2 + size * 0.33)
    for (const [index, row] of shown.entries()) {
      canvas.text(row, { x: MARGIN, y: first + index * step, size, ink: TEXT_INK, face })
    }
  }
}

type ChosenSize = { readonly size: number; readonly lines: number; readonly rows: string[] }

function chooseSize(face: Typeface, title: string): ChosenSize {
  let chosen: ChosenSize = { size: 0, lines: 0, rows: [] }
  for (const { size, lines } of TITLE_SIZES) {
    chosen = { size, lines, rows: breakLines(face, title, size) }
    if (chosen.rows.length <= lines) break
  }
  return chosen
}

function oneLine(text: string, lengthMax: number): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, lengthMax).toWellFormed()
}

function breakLines(face: Typeface, text: string, size: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const last = rows.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && face.widthOf(longer, size) <= TEXT_WIDTH) {
      rows[rows.length - 1] = longer
    } else rows.push(fit(face, word, size))
  }
  return rows
}

/** Cuts a text that is too wide and adds an ellipsis. */
function fit(face: Typeface, text: string, size: number): string {
  const room = TEXT_WIDTH - 60
  if (face.widthOf(text, size) <= room) return text
  let end = text.length
  while (end > 1 && face.widthOf(`${text.slice(0, end)}…`, size) > room) end -= 1
  return `${text.slice(0, end).replace(/[ …]+$/, '')}…`
}

const WHITE: Color = [255, 255, 255]
const BLACK: Color = [24, 24, 27]
const DARK_PAGE: Color = [17, 18, 22]
const GRAY: Color = [113, 113, 122]
const LIGHT_GRAY: Color = [161, 161, 170]
const FALLBACK: Color = [82, 82, 91]

function paletteOf({ color, appearance }: CardLook): readonly Color[] {
  const isDark = appearance === 'dark'
  const page = isDark ? DARK_PAGE : WHITE
  return [
    page,
    ...fade(page, isDark ? WHITE : BLACK, TEXT_INK.steps),
    ...fade(page, isDark ? LIGHT_GRAY : GRAY, QUIET_INK.steps),
    parseColor(color),
  ]
}

function fade(from: Color, to: Color, steps: number): readonly Color[] {
  return Array.from({ length: steps }, (_, index) => {
    const share = (index + 1) / steps
    const mix = (a: number, b: number) => Math.round(a + (b - a) * share)
    return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])] as const
  })
}

function parseColor(text: string): Color {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1]
  if (digits === undefined) return FALLBACK
  const pairs = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  const value = Number.parseInt(pairs, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
