/** An image with sixteen colors, two pixels per byte: enough for a card, and fast to compress. */
import { crc32, deflateSync } from 'node:zlib'
import type { Typeface } from './typeface.ts'

export type Color = readonly [red: number, green: number, blue: number]

/** Colors that fade from the background to full, for anti-aliasing. */
export type Ink = { readonly first: number; readonly steps: number }

export class Canvas {
  readonly width: number
  readonly height: number
  /** Each row starts with PNG's filter byte: no filter. */
  readonly #rows: Uint8Array
  readonly #stride: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#stride = 1 + width / 2
    this.#rows = new Uint8Array(this.#stride * height)
  }

  copy(): Canvas {
    const canvas = new Canvas(this.width, this.height)
    canvas.#rows.set(this.#rows)
    return canvas
  }

  /** `x` and `width` must be even. */
  fill(color: number, area: { x: number; y: number; width: number; height: number }): void {
    const start = 1 + area.x / 2
    for (let row = area.y; row < area.y + area.height; row += 1) {
      const at = row * this.#stride + start
      this.#rows.fill(color * 17, at, at + area.width / 2)
    }
  }

  /** `y` is the baseline. */
  text(text: string, at: { x: number; y: number; size: number; ink: Ink; face: Typeface }): void {
    const { y, size, ink, face } = at
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
      pen += advance
    }
  }

  #set(x: number, y: number, color: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return
    const at = y * this.#stride + 1 + (x >> 1)
    const byte = this.#rows[at] ?? 0
    this.#rows[at] = x & 1 ? (byte & 0xf0) | color : (byte & 0x0f) | (color << 4)
  }

  png(palette: readonly Color[]): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.width, 0)
    header.writeUInt32BE(this.height, 4)
    // Four bits per pixel, with a palette.
    header[8] = 4
    header[9] = 3
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(palette.flat())),
      chunk('IDAT', deflateSync(this.#rows, { level: 1, memLevel: 9 })),
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
