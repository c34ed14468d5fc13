import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashFile } from '../../source/hash-bytes.ts'
import { imageSize } from '../../source/images/image-size.ts'
import { type Card, CardPainter } from './draw-card.ts'
import { FontFile } from './font-file.ts'
import { loadFont as load } from './load-font.ts'
import { rasterize } from './rasterize.ts'

const LOOK = { name: 'Acme', color: '#0F766E', appearance: 'light' } as const
const painter = new CardPainter(LOOK, load)
const draw = (title: string, section?: string): Buffer =>
  painter.draw({ title, section } satisfies Card)

/** Returns the hash of the decompressed pixel rows. */
function pixelsOf(png: Buffer): string {
  return hashFile(rowsOf(png))
}

function rowsOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT')
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
}

describe('page cards', () => {
  test('a card is a small PNG of 1200 by 630 pixels and deterministic', () => {
    const png = draw('Getting started', 'Guides')
    expect(imageSize(png)).toEqual({ width: 1200, height: 630 })
    expect(rowsOf(png).length).toBe(630 * 601)
    expect(png.length).toBeLessThan(20_000)
    expect(draw('Getting started', 'Guides').equals(png)).toBe(true)
    const other = new CardPainter(LOOK, load)
    expect(other.draw({ title: 'Getting started', section: 'Guides' }).equals(png)).toBe(true)
  })

  test.each(['Größe', 'Žluťoučký kůň', 'Быстрый старт', 'Γρήγορη', 'Bắt đầu nhanh'])(
    'the title %s is drawn',
    (title) => {
      expect(pixelsOf(draw(title))).not.toEqual(pixelsOf(draw('')))
    },
  )

  test.each(['快速开始', 'البداية السريعة', 'Start 🚀', 'クイックスタート'])(
    'the title %s is omitted, since the fonts lack its characters',
    (title) => {
      expect(pixelsOf(draw(title))).toEqual(pixelsOf(draw('')))
    },
  )

  test('a title that is too long ends with an ellipsis', () => {
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

  test('pixels inside are covered fully, pixels on the edge in part', () => {
    const { width, left, top, coverage } = rasterize([square], 0.25)
    const at = (x: number, y: number) => coverage[(top - 1 - y) * width + (x - left)]
    expect([at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(3, 0), at(-1, 0)]).toEqual([
      255, 255, 128, 64, 0, 0,
    ])
  })

  test('a glyph without an outline has no pixels', () => {
    expect(rasterize([], 1).coverage).toHaveLength(0)
  })

  test('the letter o has a hole', () => {
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
