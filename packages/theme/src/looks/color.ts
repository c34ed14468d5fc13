/**
 * Color arithmetic: parsing, printing, mixing, contrast (WCAG 2), and OKLCH for changes that
 * preserve the hue.
 */

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Lightness from 0 to 1, chroma, and hue in radians. */
type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

export const BLACK: Rgb = [0, 0, 0]
export const WHITE: Rgb = [255, 255, 255]

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i

/** Parses a hex color from docs.json; returns undefined for any other text. */
export function parseHex(text: string | undefined): Rgb | undefined {
  if (text === undefined || !HEX.test(text)) return undefined
  const digits = text.slice(1)
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const value = Number.parseInt(long, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function printHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/**
 * Mixes two colors in sRGB as a browser does: `share` is the proportion of the second color. The
 * result is rounded to integers.
 */
export function mix(base: Rgb, { color, share }: { color: Rgb; share: number }): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(base[index] + (color[index] - base[index]) * share)
  return [part(0), part(1), part(2)]
}

/** Returns the relative luminance as defined in WCAG 2. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(linear)
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Returns the contrast, from 1 for equal colors to 21 for black on white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function gamma(light: number): number {
  const clipped = Math.min(1, Math.max(0, light))
  return 255 * (clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055)
}

/**
 * Returns a color of the same hue with the given lightness. The chroma is reduced until sRGB can
 * represent the color.
 */
export function withLightness(color: Rgb, lightness: number): Rgb {
  const { chroma, hue } = toOklch(color)
  for (let share = 1; share > 0; share -= 0.1) {
    const light = toLinear({ lightness, chroma: chroma * share, hue })
    if (light.every((part) => part >= -0.0005 && part <= 1.0005)) return toRgb(light)
  }
  return toRgb(toLinear({ lightness, chroma: 0, hue }))
}

export function lightnessOf(color: Rgb): number {
  return toOklch(color).lightness
}

// The matrices are from Björn Ottosson's definition of Oklab.
function toOklch(color: Rgb): Oklch {
  const [r = 0, g = 0, b = 0] = color.map(linear)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const beta = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(a, beta), hue: Math.atan2(beta, a) }
}

function toLinear({ lightness, chroma, hue }: Oklch): readonly number[] {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function toRgb([red = 0, green = 0, blue = 0]: readonly number[]): Rgb {
  return [Math.round(gamma(red)), Math.round(gamma(green)), Math.round(gamma(blue))]
}
