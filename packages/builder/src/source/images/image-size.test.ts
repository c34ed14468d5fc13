import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageSize } from './image-size.ts'

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const zeros = (count: number) => Array.from({ length: count }, () => 0)
const u16 = (value: number) => [value >> 8, value & 255]
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)]
const box = (type: string, ...content: readonly (readonly number[])[]) => {
  const flat = content.flat()
  return [...u32(flat.length + 8), ...Buffer.from(type), ...flat]
}
const frame = [0xff, 0xc0, 0, 17, 8, ...u16(480), ...u16(640), ...zeros(10)]
const exif = (orientation: number) => [
  0xff,
  0xe1,
  ...u16(34),
  ...Buffer.from('Exif\0\0MM'),
  0,
  42,
  ...u32(8),
  ...u16(1),
  ...u16(0x0112),
  ...u16(3),
  ...u32(1),
  ...u16(orientation),
  0,
  0,
  ...u32(0),
]

const SAMPLES: Readonly<Record<string, Buffer>> = {
  png: bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(640), u32(480)),
  'png for iOS': bytes('\x89PNG\r\n\x1a\n', u32(4), 'CgBI', zeros(8), u32(13), 'IHDR').subarray(
    0,
    32,
  ),
  gif: bytes('GIF89a', [0x80, 2, 0xe0, 1]),
  jpeg: bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], frame),
  'jpeg with fill bytes': bytes([0xff, 0xd8, 0xff, 0xff, 0xff, 0xe0, 0, 2], frame),
  'jpeg held upright': bytes([0xff, 0xd8], exif(1), frame),
  'jpeg held sideways': bytes([0xff, 0xd8], exif(6), frame),
  'webp lossy': bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [0x80, 2, 0xe0, 1]),
  'webp lossless': bytes(
    'RIFF',
    zeros(4),
    'WEBPVP8L',
    zeros(4),
    [0x2f, 0x7f, 0xc2, 0x77, 0],
    zeros(5),
  ),
  'webp extended': bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [0x7f, 2, 0, 0xdf, 1, 0]),
  avif: bytes(
    box('ftyp', [...Buffer.from('avif')]),
    box('meta', zeros(4), box('iprp', box('ipco', box('ispe', zeros(4), u32(640), u32(480))))),
  ),
  'avif turned': bytes(
    box('ftyp', [...Buffer.from('avif')]),
    box(
      'meta',
      zeros(4),
      box('iprp', box('ipco', box('ispe', zeros(4), u32(480), u32(640)), box('irot', [1]))),
    ),
  ),
  bmp: bytes('BM', zeros(16), [0x80, 2, 0, 0, 0x20, 0xfe, 0xff, 0xff]),
  svg: bytes('<?xml version="1.0"?>\n<!-- <svg-like> -->\n<svg width="640" height=\'480px\'>'),
  'svg with a view box': bytes('<svg viewBox="0 0 4 3" width="640">'),
}

describe('image sizes from the first bytes', () => {
  const { 'jpeg held sideways': sideways, 'png for iOS': _, ...others } = SAMPLES
  test.each(Object.entries(others))(
    'the size of a %s sample is read from its first bytes',
    (_, sample) => {
      expect(imageSize(sample)).toEqual({ width: 640, height: 480 })
    },
  )

  test('the size of a photo taken sideways is that of the upright photo', () => {
    expect(imageSize(sideways ?? Buffer.alloc(0))).toEqual({ width: 480, height: 640 })
  })

  test('an SVG image that only has a view box has an aspect ratio', () => {
    expect(imageSize(bytes('<svg viewBox="0,0,24,12">'))).toEqual({
      width: 24,
      height: 12,
      isShape: true,
    })
  })

  test.each([
    ['an empty file', bytes()],
    ['a text', bytes('Hello.')],
    ['an image of size zero', bytes('GIF89a', zeros(4))],
    ['sides of two billion', bytes('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(2e9), u32(2e9))],
    ['an SVG of relative size', bytes('<svg width="100%" height="100%">')],
    ['an empty view box', bytes('<svg viewBox="0 0 0 0">')],
    ['an unclosed tag', bytes('<svg width="1" height="1"')],
  ])('image size detection finds no size in %s', (_, sample) => {
    expect(imageSize(sample)).toBeUndefined()
  })
})

describe('untrusted image bytes', () => {
  const isSizeOrNothing = (sample: Uint8Array) => {
    const size = imageSize(sample)
    if (size === undefined) return
    expect(size.width).toBeGreaterThan(0)
    expect(size.height).toBeLessThanOrEqual(100_000)
  }

  test('image size detection returns a valid size or none for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), isSizeOrNothing))
  })

  test('a truncated or corrupted image has a valid size or none', () => {
    const broken = fc
      .tuple(
        fc.constantFrom(...Object.values(SAMPLES)),
        fc.nat(200),
        fc.array(fc.tuple(fc.nat(100), fc.nat(255)), { maxLength: 8 }),
      )
      .map(([sample, length, changes]) => {
        const copy = Buffer.from(sample).subarray(0, length)
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value
        return copy
      })
    fc.assert(fc.property(broken, isSizeOrNothing), { numRuns: 2_000 })
  })

  test('an image file that consists only of boxes is read in limited time', () => {
    const boxes = Buffer.concat([
      bytes(box('ftyp', [])),
      ...Array.from({ length: 100_000 }, () => bytes(u32(8), 'meta')),
    ])
    expect(imageSize(boxes)).toBeUndefined()
  })
})
