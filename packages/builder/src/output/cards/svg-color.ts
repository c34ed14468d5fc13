import type { Color } from './canvas.ts'

/** The names that logos use. An image with another name is not drawn. */
const NAMES: Readonly<Record<string, Color>> = {
  black: [0, 0, 0],
  white: [255, 255, 255],
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  orange: [255, 165, 0],
  yellow: [255, 255, 0],
  purple: [128, 0, 128],
}

/** Reads a color of an SVG image; returns undefined for one that is not known. */
export function readSvgColor(text: string): Color | 'none' | undefined {
  const written = text.trim().toLowerCase()
  if (written === 'none' || written === 'transparent') return 'none'
  if (Object.hasOwn(NAMES, written)) return NAMES[written]
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/.exec(written)?.[1]
  if (digits !== undefined) {
    const pairs = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
    const value = Number.parseInt(pairs, 16)
    return [value >> 16, (value >> 8) & 255, value & 255]
  }
  const parts = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(written)
  if (parts === null) return undefined
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((part) => Math.min(255, Number(part)))
  return [red, green, blue]
}
