/**
 * Reads the outlines of a TrueType font in a WOFF file. Only the parts of the format that are
 * needed to draw text are supported. The file comes from a package that we chose and not from an
 * author, so its offsets are trusted.
 */
import { inflateSync } from 'node:zlib'

/** Straight lines and quadratic curves in font units. The y axis points up. */
export type Outline = readonly (readonly Point[])[]
export type Point = { readonly x: number; readonly y: number; readonly isOn: boolean }

const COMPOUND_DEPTH_MAX = 4

export class FontFile {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly #tables: ReadonlyMap<string, DataView>
  readonly #glyphs: ReadonlyMap<number, number>
  readonly #hasLongOffsets: boolean
  readonly #advanceCount: number

  constructor(bytes: Uint8Array) {
    this.#tables = readTables(bytes)
    const head = this.#table('head')
    const hhea = this.#table('hhea')
    this.unitsPerEm = head.getUint16(18)
    this.#hasLongOffsets = head.getInt16(50) === 1
    this.ascent = hhea.getInt16(4)
    this.descent = hhea.getInt16(6)
    this.#advanceCount = hhea.getUint16(34)
    this.#glyphs = readCharacterMap(this.#table('cmap'))
  }

  /** Returns the glyph of a character, or undefined if the font lacks it. */
  glyphOf(codePoint: number): number | undefined {
    return this.#glyphs.get(codePoint)
  }

  advanceOf(glyph: number): number {
    return this.#table('hmtx').getUint16(Math.min(glyph, this.#advanceCount - 1) * 4)
  }

  outlineOf(glyph: number, depth = 0): Outline {
    const loca = this.#table('loca')
    const at = (index: number) =>
      this.#hasLongOffsets ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2
    const start = at(glyph)
    if (start === at(glyph + 1)) return []
    const glyf = this.#table('glyf')
    const contours = glyf.getInt16(start)
    if (contours >= 0) return readContours(glyf, start + 10, contours)
    return depth > COMPOUND_DEPTH_MAX ? [] : this.#compound(glyf, start + 10, depth)
  }

  /** Returns the outline of a composite glyph, such as a letter with its accent. */
  #compound(glyf: DataView, start: number, depth: number): Outline {
    const parts: Outline[number][] = []
    let at = start
    for (let hasMore = true; hasMore; ) {
      const flags = glyf.getUint16(at)
      const glyph = glyf.getUint16(at + 2)
      at += 4
      const isWide = (flags & 1) !== 0
      const x = isWide ? glyf.getInt16(at) : glyf.getInt8(at)
      const y = isWide ? glyf.getInt16(at + 2) : glyf.getInt8(at + 1)
      at += isWide ? 4 : 2
      let scale = [1, 0, 0, 1]
      const f = (offset: number) => glyf.getInt16(at + offset) / 16_384
      if (flags & 8) {
        scale = [f(0), 0, 0, f(0)]
        at += 2
      } else if (flags & 64) {
        scale = [f(0), 0, 0, f(2)]
        at += 4
      } else if (flags & 128) {
        scale = [f(0), f(2), f(4), f(6)]
        at += 8
      }
      const [a = 1, b = 0, c = 0, d = 1] = scale
      const moved = this.outlineOf(glyph, depth + 1).map((contour) =>
        contour.map((point) => ({
          x: a * point.x + c * point.y + x,
          y: b * point.x + d * point.y + y,
          isOn: point.isOn,
        })),
      )
      parts.push(...moved)
      hasMore = (flags & 32) !== 0
    }
    return parts
  }

  #table(name: string): DataView {
    const table = this.#tables.get(name)
    if (table === undefined) throw new Error(`The font has no table "${name}".`)
    return table
  }
}

function readTables(bytes: Uint8Array): ReadonlyMap<string, DataView> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = new Map<string, DataView>()
  const count = view.getUint16(12)
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + index * 20
    const name = String.fromCharCode(...bytes.subarray(entry, entry + 4))
    const offset = view.getUint32(entry + 4)
    const packed = bytes.subarray(offset, offset + view.getUint32(entry + 8))
    const content = packed.length < view.getUint32(entry + 12) ? inflateSync(packed) : packed
    tables.set(name, new DataView(content.buffer, content.byteOffset, content.byteLength))
  }
  return tables
}

/**
 * Reads the mapping from characters to glyphs, from the subtable for the Basic Multilingual Plane
 * of Unicode.
 */
function readCharacterMap(cmap: DataView): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>()
  const count = cmap.getUint16(2)
  for (let index = 0; index < count; index += 1) {
    const table = cmap.getUint32(4 + index * 8 + 4)
    if (cmap.getUint16(table) !== 4) continue
    const size = cmap.getUint16(table + 6)
    for (let segment = 0; segment < size; segment += 2) {
      const last = cmap.getUint16(table + 14 + segment)
      const first = cmap.getUint16(table + 16 + size + segment)
      const delta = cmap.getUint16(table + 16 + size * 2 + segment)
      const rangeAt = table + 16 + size * 3 + segment
      const range = cmap.getUint16(rangeAt)
      for (let code = first; code <= last && code !== 0xffff; code += 1) {
        const direct = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - first) * 2)
        const glyph = range !== 0 && direct === 0 ? 0 : (direct + delta) & 0xffff
        if (glyph !== 0) glyphs.set(code, glyph)
      }
    }
    return glyphs
  }
  return glyphs
}

function readContours(glyf: DataView, start: number, count: number): Outline {
  const ends = Array.from({ length: count }, (_, index) => glyf.getUint16(start + index * 2))
  const total = (ends.at(-1) ?? -1) + 1
  const afterEnds = start + count * 2
  let at = afterEnds + 2 + glyf.getUint16(afterEnds)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = glyf.getUint8(at)
    at += 1
    flags.push(flag)
    if ((flag & 8) === 0) continue
    const repeats = glyf.getUint8(at)
    at += 1
    for (let index = 0; index < repeats; index += 1) flags.push(flag)
  }
  const axis = (short: number, same: number) => {
    let value = 0
    return flags.slice(0, total).map((flag) => {
      if (flag & short) {
        value += flag & same ? glyf.getUint8(at) : -glyf.getUint8(at)
        at += 1
      } else if ((flag & same) === 0) {
        value += glyf.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const xs = axis(2, 16)
  const ys = axis(4, 32)
  return ends.map((end, index) => {
    const first = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1
    return xs.slice(first, end + 1).map((x, offset) => ({
      x,
      y: ys[first + offset] ?? 0,
      isOn: ((flags[first + offset] ?? 0) & 1) !== 0,
    }))
  })
}
