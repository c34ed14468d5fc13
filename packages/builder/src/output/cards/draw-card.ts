/**
 * Draws the preview image of a page for links on other sites: the logo, where the page is, its
 * title and description, and the address of the site, over the pattern of the theme.
 */
import { Canvas, type Color, type Ink } from './canvas.ts'
import { type CardArt, drawArt } from './card-art.ts'
import type { CardLogo } from './card-logo.ts'
import { type LoadFont, Typeface } from './typeface.ts'

export const CARD_WIDTH = 1200
export const CARD_HEIGHT = 630

type CardColors = {
  readonly page: Color
  readonly strong: Color
  readonly muted: Color
  readonly primary: Color
}

export type CardLook = {
  /** The name of the site, for a card without a logo. */
  readonly name: string
  readonly host: string
  readonly colors: CardColors
  /** The pattern of the background, if the cards have one. */
  readonly art: CardArt | undefined
  readonly logo: CardLogo | undefined
}

export type Card = {
  readonly title: string
  readonly description: string | undefined
  /** Where the page is: its section, or the method and path of an operation. */
  readonly section: string | undefined
}

const LEFT = 72
const TEXT_WIDTH = 820
/** Title sizes. The largest one that fits is used. */
const TITLE_SIZES = [
  { size: 72, step: 78 },
  { size: 56, step: 62 },
]
const TITLE_LINES = 2
const TITLE_LENGTH_MAX = 300
const DESCRIPTION = { size: 30, step: 43, lines: 2, lengthMax: 300 }
const SECTION_SIZE = 24
const FOOT_SIZE = 24
const NAME_LENGTH_MAX = 60
const LOGO_TOP = 64
export const LOGO_HEIGHT = 44

const PAGE_INK = 0
const TEXT_INK: Ink = { first: 1, steps: 10 }
const MUTED_INK = inkAfter(TEXT_INK, 6)
const ACCENT_INK = inkAfter(MUTED_INK, 6)
const ART_INK = inkAfter(ACCENT_INK, 30)
/** The largest share of the primary color in the pattern. */
const ART_SHARE_MAX = 0.6
const LOGO_FIRST = ART_INK.first + ART_INK.steps
/** The number of colors that a logo can have. */
export const LOGO_COLORS_MAX = 256 - LOGO_FIRST

function inkAfter({ first, steps: before }: Ink, steps: number): Ink {
  return { first: first + before, steps }
}

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
   * Returns the card as a PNG. Text with characters that the fonts lack is omitted, because it
   * would show empty boxes.
   */
  draw({ title, description, section }: Card): Buffer {
    this.#empty ??= this.#drawSite()
    const canvas = this.#empty.copy()
    const heading = this.#chooseTitle(oneLine(title, TITLE_LENGTH_MAX))
    const text = oneLine(description ?? '', DESCRIPTION.lengthMax)
    const rows = this.#rows(this.#regular, text, { size: DESCRIPTION.size, max: DESCRIPTION.lines })
    const where = oneLine(section ?? '', NAME_LENGTH_MAX)
    const height = heading.rows.length * heading.step + rows.length * DESCRIPTION.step
    // The text is in the middle between the logo and the foot.
    let y = Math.round(318 - height / 2)
    if (this.#strong.has(where)) {
      const [row = ''] = this.#rows(this.#strong, where, { size: SECTION_SIZE, max: 1 })
      const place = { x: LEFT, y: y - 16, size: SECTION_SIZE, ink: ACCENT_INK, face: this.#strong }
      canvas.text(row, place)
    }
    for (const row of heading.rows) {
      y += heading.step
      const place = { x: LEFT, y: y - 12, size: heading.size, ink: TEXT_INK, face: this.#strong }
      canvas.text(row, { ...place, spacing: TITLE_SPACING })
    }
    y += 18
    for (const row of rows) {
      y += DESCRIPTION.step
      const place = { x: LEFT, y: y - 6, size: DESCRIPTION.size, ink: MUTED_INK }
      canvas.text(row, { ...place, face: this.#regular })
    }
    return canvas.png(paletteOf(this.#look))
  }

  /** Draws the parts that all cards of the site share. */
  #drawSite(): Canvas {
    const { name, host, art, logo } = this.#look
    const canvas = new Canvas(CARD_WIDTH, CARD_HEIGHT)
    const shares = art && drawArt(art, canvas)
    canvas.paint((index) => {
      // The eye sees a small difference best where there is little color.
      const share = Math.min(1, (shares?.[index] ?? 0) / ART_SHARE_MAX)
      const step = Math.round(Math.sqrt(share) * ART_INK.steps)
      return step === 0 ? PAGE_INK : ART_INK.first + step - 1
    })
    if (logo !== undefined) {
      const colors = logo.pixels.map((color) => (color < 0 ? undefined : LOGO_FIRST + color))
      canvas.put({ x: LEFT, y: LOGO_TOP, width: logo.width }, colors)
    } else {
      const face = this.#strong
      const [row = ''] = this.#rows(face, oneLine(name, NAME_LENGTH_MAX), { size: 36, max: 1 })
      canvas.text(row, { x: LEFT, y: LOGO_TOP + 35, size: 36, ink: TEXT_INK, face })
    }
    const [foot = ''] = this.#rows(this.#regular, host, { size: FOOT_SIZE, max: 1 })
    const place = { x: LEFT, y: CARD_HEIGHT - 72, size: FOOT_SIZE, ink: MUTED_INK }
    canvas.text(foot, { ...place, face: this.#regular })
    return canvas
  }

  #chooseTitle(title: string): { readonly size: number; readonly step: number; rows: string[] } {
    const sizes = TITLE_SIZES.map(({ size, step }) => {
      return { size, step, rows: this.#rows(this.#strong, title, { size, max: TITLE_LINES }) }
    })
    const fits = sizes.find(({ rows }) => !rows.at(-1)?.endsWith('…'))
    return fits ?? sizes.at(-1) ?? { size: 0, step: 0, rows: [] }
  }

  /** Breaks a text into lines; the last one ends with an ellipsis if there are too many. */
  #rows(
    face: Typeface,
    text: string,
    { size, max }: { readonly size: number; readonly max: number },
  ): string[] {
    if (text === '' || !face.has(text)) return []
    const rows: string[] = []
    for (const word of text.split(' ')) {
      const last = rows.at(-1)
      const longer = last === undefined ? word : `${last} ${word}`
      if (last !== undefined && face.widthOf(longer, size) <= TEXT_WIDTH)
        rows[rows.length - 1] = longer
      else rows.push(fit(face, word, size))
    }
    if (rows.length <= max) return rows
    return [...rows.slice(0, max - 1), fit(face, `${rows[max - 1] ?? ''} …`, size)]
  }
}

/** Letters of a title are closer together. */
const TITLE_SPACING = -0.034

function oneLine(text: string, lengthMax: number): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, lengthMax).toWellFormed()
}

/** Shortens text that is too wide, and adds an ellipsis. */
function fit(face: Typeface, text: string, size: number): string {
  if (face.widthOf(text, size) <= TEXT_WIDTH) return text
  let end = text.length
  while (end > 1 && face.widthOf(`${text.slice(0, end)}…`, size) > TEXT_WIDTH) end -= 1
  return `${text.slice(0, end).replace(/[ …]+$/, '')}…`
}

function paletteOf({ colors, logo }: CardLook): readonly Color[] {
  const { page, strong, muted, primary } = colors
  const art = Array.from({ length: ART_INK.steps }, (_, index) =>
    mix(page, primary, ART_SHARE_MAX * ((index + 1) / ART_INK.steps) ** 2),
  )
  return [
    page,
    ...fade(page, strong, TEXT_INK.steps),
    ...fade(page, muted, MUTED_INK.steps),
    ...fade(page, primary, ACCENT_INK.steps),
    ...art,
    ...(logo?.colors ?? []),
  ]
}

function fade(from: Color, to: Color, steps: number): readonly Color[] {
  return Array.from({ length: steps }, (_, index) => mix(from, to, (index + 1) / steps))
}

function mix(from: Color, to: Color, share: number): Color {
  const part = (a: number, b: number) => Math.round(a + (b - a) * share)
  return [part(from[0], to[0]), part(from[1], to[1]), part(from[2], to[2])]
}
