import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashFile } from '../../source/hash-bytes.ts'
import { imageSize } from '../../source/images/image-size.ts'
import { type Card, type CardLook, CardPainter } from './draw-card.ts'
import { FontFile } from './font-file.ts'
import { loadFont as load } from './load-font.ts'
import { rasterize } from './rasterize.ts'

const LOOK: CardLook = {
  name: 'Acme',
  host: 'docs.acme.example',
  colors: {
    page: [255, 255, 255],
    strong: [0, 0, 0],
    muted: [99, 99, 99],
    primary: [15, 118, 110],
  },
  art: { look: 'mint', seed: 'Acme' },
  logo: undefined,
}
const painter = new CardPainter(LOOK, load)
const draw = (title: string, section?: string, description?: string): Buffer =>
  painter.draw({ title, section, description } satisfies Card)
const withLook = (change: Partial<CardLook>): Buffer =>
  new CardPainter({ ...LOOK, ...change }, load).draw({
    title: 'Start',
    section: undefined,
    description: undefined,
  })

/** Returns the hash of the decompressed pixel rows. */
function pixelsOf(png: Buffer): string {
  return hashFile(rowsOf(png))
}

function rowsOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT')
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
}

describe('page cards', () => {
  test('a card is a small PNG of 1200 by 630 pixels, and drawing it again has the same result', () => {
    const png = draw('Getting started', 'Guides')
    expect(imageSize(png)).toEqual({ width: 1200, height: 630 })
    expect(rowsOf(png).length).toBe(630 * 1201)
    expect(png.length).toBeLessThan(60_000)
    expect(draw('Getting started', 'Guides').equals(png)).toBe(true)
    const other = new CardPainter(LOOK, load)
    const card = { title: 'Getting started', section: 'Guides', description: undefined }
    expect(other.draw(card).equals(png)).toBe(true)
  })

  test('a card shows the description, and its pattern follows the theme and the name', () => {
    const plain = pixelsOf(draw('Start'))
    expect(pixelsOf(draw('Start', undefined, 'How to begin.'))).not.toBe(plain)
    const patterns = (['mint', 'maple', 'almond'] as const).map((look) =>
      pixelsOf(withLook({ art: { look, seed: 'Acme' } })),
    )
    expect(new Set(patterns).size).toBe(3)
    expect(patterns[0]).toBe(plain)
    expect(pixelsOf(withLook({ art: { look: 'mint', seed: 'Other' } }))).not.toBe(plain)
  })

  test('a description in letters that the fonts lack is omitted', () => {
    expect(pixelsOf(draw('Start', undefined, '快速开始'))).toBe(pixelsOf(draw('Start')))
  })

  test('a logo replaces the name of the site', () => {
    const logo = { width: 2, colors: [[255, 0, 0] as const], pixels: [0, -1, 0, 0] }
    const png = withLook({ logo })
    expect(pixelsOf(png)).not.toBe(pixelsOf(draw('Start')))
    expect(pixelsOf(png)).toBe(pixelsOf(withLook({ logo, name: 'Other' })))
  })

  test.each(['Größe', 'Žluťoučký kůň', 'Быстрый старт', 'Γρήγορη', 'Bắt đầu nhanh'])(
    'the title %s is drawn on a card',
    (title) => {
      expect(pixelsOf(draw(title))).not.toEqual(pixelsOf(draw('')))
    },
  )

  test.each(['快速开始', 'البداية السريعة', 'Start 🚀', 'クイックスタート'])(
    'the title %s is omitted from a card because the fonts lack its characters',
    (title) => {
      expect(pixelsOf(draw(title))).toEqual(pixelsOf(draw('')))
    },
  )

  test('a title that is too long for a card ends with an ellipsis', () => {
    const long = 'word '.repeat(80)
    expect(pixelsOf(draw(long))).toEqual(pixelsOf(draw(`${long} and more`)))
  })

  test('a card can be drawn for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
        expect(imageSize(draw(title, title))).toEqual({ width: 1200, height: 630 })
      }),
      { numRuns: 50 },
    )
  })
})

describe('rasterizing of outlines', () => {
  const square = [
    { x: 0, y: 0, isOn: true },
    { x: 0, y: 10, isOn: true },
    { x: 10, y: 10, isOn: true },
    { x: 10, y: 0, isOn: true },
  ]

  test('pixels inside an outline are covered fully, and pixels on its edge partially', () => {
    const { width, left, top, coverage } = rasterize([square], 0.25)
    const at = (x: number, y: number) => coverage[(top - 1 - y) * width + (x - left)]
    expect([at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(3, 0), at(-1, 0)]).toEqual([
      255, 255, 128, 64, 0, 0,
    ])
  })

  test('a glyph without an outline has no pixels', () => {
    expect(rasterize([], 1).coverage).toHaveLength(0)
  })

  test('the glyph of the letter o has a hole', () => {
    const font = new FontFile(load('latin', 400))
    const { width, height, coverage } = rasterize(
      font.outlineOf(font.glyphOf(111) ?? 0),
      100 / font.unitsPerEm,
    )
    const middle = Math.floor(height / 2) * width + Math.floor(width / 2)
    expect(coverage[middle]).toBe(0)
    expect(Math.max(...coverage)).toBe(255)
  })
})
