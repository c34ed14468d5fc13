/** Checks which logos are drawn on cards. The files may be hostile. */
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLogo } from './card-logo.ts'

const PLACE = {
  page: [255, 255, 255],
  ink: [0, 0, 0],
  height: 10,
  colorsMax: 20,
} as const

const read = (content: string | Uint8Array) => readLogo(Buffer.from(content as string), PLACE)
const svg = (inside: string, more = '') =>
  read(`<svg viewBox="0 0 20 10" ${more} xmlns="http://www.w3.org/2000/svg">${inside}</svg>`)

/** Returns the color of a pixel; undefined for the background. */
function colorAt(logo: ReturnType<typeof read>, x: number, y: number) {
  return logo?.colors[logo.pixels[y * logo.width + x] ?? -1]
}

const RED = [255, 0, 0]

describe('an SVG logo', () => {
  test.each([
    ['a rectangle', '<rect x="0" y="0" width="10" height="10" fill="#f00"/>'],
    ['a path', '<path d="M0 0h10v10H0z" fill="#ff0000"/>'],
    ['a polygon', '<polygon points="0,0 10,0 10,10 0,10" fill="red"/>'],
    [
      'a group with a transform',
      '<g transform="translate(0 5) scale(2)" fill="red"><path d="M0-2.5h5v5H0z"/></g>',
    ],
    ['a style attribute', '<path style="fill: rgb(255, 0, 0)" d="M0 0h10v10H0z"/>'],
    ['a stroke', '<path d="M0 5h10" stroke="red" stroke-width="10" fill="none"/>'],
    [
      'a gradient, as its mean color',
      '<defs><linearGradient id="a"><stop stop-color="#fe0000"/><stop stop-color="#ff0000"/></linearGradient></defs><path d="M0 0h10v10H0z" fill="url(#a)"/>',
    ],
    [
      'a clip path',
      '<g clip-path="url(#c)"><path d="M0 0h10v10H0z" fill="red"/></g><defs><clipPath id="c"><rect width="20" height="10" fill="#fff"/></clipPath></defs>',
    ],
  ])('%s is drawn', (_, inside) => {
    const logo = svg(inside)
    expect(logo?.width).toBe(20)
    expect(colorAt(logo, 5, 5)).toEqual(RED)
    expect(colorAt(logo, 15, 5)).toBeUndefined()
  })

  test('a circle and an arc have round edges', () => {
    for (const shape of [
      '<circle cx="5" cy="5" r="5"/>',
      '<path d="M0 5a5 5 0 1 1 10 0a5 5 0 1 1-10 0z"/>',
    ]) {
      const logo = svg(shape)
      expect(colorAt(logo, 5, 5)).toEqual([0, 0, 0])
      expect(colorAt(logo, 0, 0)).toBeUndefined()
    }
  })

  test('a line with round ends is filled everywhere', () => {
    const logo = svg(
      '<path d="M5 5q5 0 10 0" stroke="red" stroke-width="6" stroke-linecap="round" fill="none"/>',
    )
    for (const x of [3, 5, 8, 12, 15, 17]) expect(colorAt(logo, x, 5)).toEqual(RED)
    expect(colorAt(logo, 0, 5)).toBeUndefined()
  })

  test('currentColor is the color of text, and a hole stays empty', () => {
    const logo = svg('<path fill="currentColor" fill-rule="evenodd" d="M0 0h20v10H0zM5 2h6v6H5z"/>')
    expect(colorAt(logo, 1, 5)).toEqual([0, 0, 0])
    expect(colorAt(logo, 8, 5)).toBeUndefined()
  })

  test.each([
    ['text', '<text x="0" y="9">Acme</text>'],
    ['a style element', '<style>path{fill:red}</style><path d="M0 0h9v9"/>'],
    ['an image', '<image href="https://example.com/a.png"/>'],
    ['a mask', '<path mask="url(#m)" d="M0 0h9v9"/>'],
    ['an unknown color', '<path fill="rebeccapurple" d="M0 0h9v9z"/>'],
    ['nothing', ''],
    ['an error', '<path d="M0 0h9v9z"'],
    ['too many shapes', '<path d="M0 0h9v9z"/>'.repeat(1_001)],
    ['a deep tree', '<g>'.repeat(40)],
    ['a path that is too long', `<path d="M0 0${'c1 1 1 1 1 1'.repeat(2_000)}"/>`],
  ])('a logo with %s is not drawn', (_, inside) => {
    expect(svg(inside)).toBeUndefined()
  })

  test('coordinates far outside cost no time', () => {
    const started = performance.now()
    expect(svg('<path d="M-1e30-1e30H1e30V1e30H-1e30z"/>')).toBeDefined()
    svg('<path transform="scale(1e300)" d="M-1e300 0L1e300 1e300 5 5z"/>')
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('a logo in a very wide box is at most 460 pixels wide', () => {
    const logo = read('<svg viewBox="0 0 9000 10"><rect width="9000" height="10"/></svg>')
    expect(logo?.width ?? 0).toBeLessThanOrEqual(460)
  })

  test('reading never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)))
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (path) => void svg(`<path d="${path}"/>`)))
  })
})

describe('a PNG logo', () => {
  const chunk = (type: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }

  /** Returns a red square of 20 pixels, or what claims to be one. */
  function png({ type = 2, depth = 8, side = 20, filter = 0, rows = 20 } = {}): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(side, 0)
    header.writeUInt32BE(side, 4)
    header[8] = depth
    header[9] = type
    const pixel = type === 6 ? [...RED, 255] : RED
    const first =
      filter === 1 ? [...pixel, ...Array(pixel.length * 19).fill(0)] : Array(20).fill(pixel).flat()
    const data = Buffer.from(
      Array(rows)
        .fill([filter, ...first])
        .flat(),
    )
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(data)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  test.each([{}, { type: 6 }, { filter: 1 }])('%o is scaled to the height of a logo', (options) => {
    const logo = read(png(options))
    expect(logo?.width).toBe(10)
    expect(colorAt(logo, 5, 5)).toEqual(RED)
  })

  test.each([{ depth: 16 }, { type: 7 }, { side: 3_000 }, { rows: 2 }, { side: 0 }])(
    '%o is not drawn',
    (options) => {
      expect(read(png(options))).toBeUndefined()
    },
  )
})
