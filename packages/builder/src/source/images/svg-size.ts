import type { ImageSize } from './image-size.ts'

/**
 * Number of characters to search for the `<svg>` tag, which may follow comments and declarations
 * that editors add.
 */
const HEAD_LENGTH_MAX = 8_192
const LENGTH = /^\s*(\d{1,7}(?:\.\d{0,7})?|\.\d{1,7})\s*(px|pt|pc|mm|cm|in|em|rem|ex)?\s*$/i
const PIXELS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
}

/**
 * Reads the width and height of the `<svg>` tag. If one is missing, it is derived from the view
 * box.
 */
export function svgSize(bytes: Uint8Array): ImageSize | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_LENGTH_MAX))
    .toString('latin1')
    .replaceAll('\0', '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
  const tag = openingTag(text)
  if (tag === undefined) return undefined
  const width = readLength(attributeOf(tag, 'width'))
  const height = readLength(attributeOf(tag, 'height'))
  if (width !== undefined && height !== undefined) return { width, height }
  const box = readBox(attributeOf(tag, 'viewBox'))
  if (box === undefined) return undefined
  if (width !== undefined) return { width, height: (width * box.height) / box.width }
  if (height !== undefined) return { width: (height * box.width) / box.height, height }
  return { ...box, isShape: true }
}

function openingTag(text: string): string | undefined {
  const start = text.search(/<svg[\s>/]/)
  if (start < 0) return undefined
  const end = text.indexOf('>', start)
  return end < 0 ? undefined : text.slice(start, end)
}

function attributeOf(tag: string, name: string): string | undefined {
  const start = tag.search(new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}["']`))
  if (start < 0) return undefined
  const quote = tag.slice(start).search(/["']/) + start
  const end = tag.indexOf(tag.charAt(quote), quote + 1)
  return end < 0 ? undefined : tag.slice(quote + 1, end)
}

function readLength(text: string | undefined): number | undefined {
  const [, number, unit = 'px'] = LENGTH.exec(text ?? '') ?? []
  if (number === undefined) return undefined
  return Number(number) * (PIXELS[unit.toLowerCase()] ?? 1)
}

function readBox(text: string | undefined): ImageSize | undefined {
  const [, , width = 0, height = 0, ...more] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 && more.length === 0 ? { width, height } : undefined
}
