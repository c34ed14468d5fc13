/**
 * Draws an image with at most 256 colors, one byte per pixel. This is enough for a card, and fast
 * to compress.
 */
import { crc32, deflateSync } from 'node:zlib'
import type { Typeface } from './typeface.ts'

export type Color = readonly [red: number, green: number, blue: number]

/** A range of colors that fade from the background to the full color, for anti-aliasing. */
export type Ink = { readonly first: number; readonly steps: number }

/** `y` is the baseline, and `spacing` is added to each letter, as a share of the size. */
export type TextPlace = {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly ink: Ink
  readonly face: Typeface
  readonly spacing?: number
}

/** A higher level takes twice as long and saves a tenth. */
const LEVEL = 3

export class Canvas {
  readonly width: number
  readonly height: number
  /**
   * The pixels by row. PNG requires that each row starts with a byte for its filter, which is
   * always "no filter" here.
   */
  readonly #rows: Uint8Array
  readonly #stride: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#stride = 1 + width
    this.#rows = new Uint8Array(this.#stride * height)
  }

  copy(): Canvas {
    const canvas = new Canvas(this.width, this.height)
    canvas.#rows.set(this.#rows)
    return canvas
  }

  /** Sets the color of every pixel, row by row. */
  paint(colorAt: (index: number) => number): void {
    for (let index = 0; index < this.width * this.height; index += 1)
      this.#set(index % this.width, Math.floor(index / this.width), colorAt(index))
  }

  /** Sets the pixels of a rectangle, row by row; undefined leaves a pixel as it is. */
  put(
    { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
    colors: readonly (number | undefined)[],
  ): void {
    for (const [index, color] of colors.entries()) {
      if (color === undefined) continue
      this.#set(x + (index % width), y + Math.floor(index / width), color)
    }
  }

  /** Draws text. `y` is the baseline of the text. */
  text(text: string, at: TextPlace): void {
    const { y, size, ink, face, spacing = 0 } = at
    let pen = at.x
    for (const sign of text) {
      const glyph = face.glyph(sign.codePointAt(0) ?? 0, size)
      if (glyph === undefined) continue
      const { bitmap, advance } = glyph
      let index = 0
      for (let row = 0; row < bitmap.height; row += 1) {
        for (let column = 0; column < bitmap.width; column += 1) {
          const coverage = bitmap.coverage[index] ?? 0
          index += 1
          if (coverage < 16) continue
          const step = Math.min(ink.steps - 1, (coverage * ink.steps) >> 8)
          this.#set(Math.round(pen) + bitmap.left + column, y - bitmap.top + row, ink.first + step)
        }
      }
      pen += advance + spacing * size
    }
  }

  #set(x: number, y: number, color: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return
    this.#rows[y * this.#stride + 1 + x] = color
  }

  png(palette: readonly Color[]): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.width, 0)
    header.writeUInt32BE(this.height, 4)
    // Eight bits per pixel, which refer to a palette.
    header[8] = 8
    header[9] = 3
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(palette.flat())),
      chunk('IDAT', deflateSync(this.#rows, { level: LEVEL, memLevel: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
