/** Reads the logo of a site for its cards, with few enough colors. */
import type { Color } from './canvas.ts'
import { readPng } from './png-pixels.ts'
import { drawSvg, type Pixels } from './svg-image.ts'

export type CardLogo = {
  readonly width: number
  readonly colors: readonly Color[]
  /** The index of the color of each pixel, row by row; negative for the background. */
  readonly pixels: readonly number[]
}

type LogoPlace = {
  readonly page: Color
  /** The color of text. */
  readonly ink: Color
  readonly height: number
  readonly colorsMax: number
}

const FILE_BYTES_MAX = 2_000_000
const WIDTH_MAX = 460

/** Returns undefined for an image that cannot be drawn; the card then has the name of the site. */
export function readLogo(bytes: Uint8Array, place: LogoPlace): CardLogo | undefined {
  if (bytes.length > FILE_BYTES_MAX) return undefined
  const target = { height: place.height, widthMax: WIDTH_MAX, ink: place.ink }
  const image =
    bytes[0] === 0x89 ? readPng(bytes, target) : drawSvg(Buffer.from(bytes).toString(), target)
  const isEmpty = image?.rgba.every((_, at) => at % 4 !== 3 || (image.rgba[at] ?? 0) < 0.1) ?? true
  return image === undefined || isEmpty ? undefined : reduceColors(image, place)
}

/** Rounds colors until there are few enough of them. */
function reduceColors({ width, rgba }: Pixels, { page, colorsMax }: LogoPlace): CardLogo {
  for (let step = 1; ; step *= 2) {
    const indexes = new Map<string, number>()
    const colors: Color[] = []
    const pixels: number[] = []
    for (let at = 0; at < rgba.length; at += 4) {
      const opacity = rgba[at + 3] ?? 0
      const part = (index: 0 | 1 | 2) => {
        const value = (rgba[at + index] ?? 0) + page[index] * (1 - opacity)
        return Math.max(0, Math.min(255, Math.round(value / step) * step))
      }
      const color: Color = [part(0), part(1), part(2)]
      const key = color.join()
      const known = indexes.get(key)
      if (opacity < 0.02) pixels.push(-1)
      else if (known !== undefined) pixels.push(known)
      else {
        indexes.set(key, colors.length)
        pixels.push(colors.length)
        colors.push(color)
      }
    }
    if (colors.length <= colorsMax || step > 128)
      return { width, colors: colors.slice(0, colorsMax), pixels }
  }
}
