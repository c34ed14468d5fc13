/** Reads the pixels of a PNG image for a logo, scaled down. The file may be hostile. */
import { inflateSync } from 'node:zlib'
import type { Pixels } from './svg-image.ts'

const PIXELS_MAX = 4_000_000
/** The number of channels of each color type of PNG. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

type Target = { readonly height: number; readonly widthMax: number }

type Png = {
  readonly width: number
  readonly height: number
  readonly type: number
  readonly data: Buffer
  readonly palette: Uint8Array
  readonly alpha: Uint8Array
}

/** Returns undefined for an image with other than eight bits per channel, and for a broken one. */
export function readPng(bytes: Uint8Array, target: Target): Pixels | undefined {
  try {
    const png = readChunks(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    return png && scale(png, unfilter(png), target)
  } catch {
    // A broken file is shown by no browser either, and the build reports it as an image.
    return undefined
  }
}

function readChunks(file: Buffer): Png | undefined {
  if (file.readUInt32BE(0) !== 0x89504e47) return undefined
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const [depth, type = -1, interlace] = [file[24], file[25], file[28]]
  if (depth !== 8 || interlace !== 0 || CHANNELS[type] === undefined) return undefined
  if (width === 0 || height === 0 || width * height > PIXELS_MAX) return undefined
  const parts: Buffer[] = []
  let [palette, alpha] = [new Uint8Array(), new Uint8Array()]
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 8, at + 8 + length)
    const name = file.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') parts.push(body)
    else if (name === 'PLTE') palette = Uint8Array.from(body)
    else if (name === 'tRNS') alpha = Uint8Array.from(body)
    at += length + 12
  }
  const maxOutputLength = height * (1 + width * (CHANNELS[type] ?? 4))
  const data = inflateSync(Buffer.concat(parts), { maxOutputLength })
  return data.length === maxOutputLength ? { width, height, type, data, palette, alpha } : undefined
}

/** Undoes the filter of each row, in place. */
function unfilter({ width, height, type, data }: Png): Buffer {
  const step = CHANNELS[type] ?? 4
  const stride = 1 + width * step
  for (let row = 0; row < height; row += 1) {
    const start = row * stride
    const filter = data[start]
    for (let column = 1; column < stride; column += 1) {
      const at = start + column
      const left = column > step ? (data[at - step] ?? 0) : 0
      const above = row > 0 ? (data[at - stride] ?? 0) : 0
      const corner = row > 0 && column > step ? (data[at - stride - step] ?? 0) : 0
      data[at] = (data[at] ?? 0) + predict(filter, { left, above, corner })
    }
  }
  return data
}

type Neighbors = { readonly left: number; readonly above: number; readonly corner: number }

function predict(filter: number | undefined, { left, above, corner }: Neighbors): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const guess = left + above - corner
  const far = [left, above, corner].map((one) => Math.abs(guess - one))
  const nearest = Math.min(...far)
  return far[0] === nearest ? left : far[1] === nearest ? above : corner
}

/** Returns the mean of the pixels that fall into each pixel of the smaller image. */
function scale(png: Png, data: Buffer, { height: heightMax, widthMax }: Target): Pixels {
  const factor = Math.min(1, heightMax / png.height, widthMax / png.width)
  const width = Math.max(1, Math.round(png.width * factor))
  const height = Math.max(1, Math.round(png.height * factor))
  const rgba = new Float32Array(width * height * 4)
  const counts = new Uint32Array(width * height)
  for (let index = 0; index < png.width * png.height; index += 1) {
    const [x, y] = [index % png.width, Math.floor(index / png.width)]
    const to = Math.floor((y * height) / png.height) * width + Math.floor((x * width) / png.width)
    const [red, green, blue, opacity] = colorAt(
      png,
      data,
      y * (1 + png.width * (CHANNELS[png.type] ?? 4)) + 1 + x * (CHANNELS[png.type] ?? 4),
    )
    counts[to] = (counts[to] ?? 0) + 1
    const at = to * 4
    rgba[at] = (rgba[at] ?? 0) + red * opacity
    rgba[at + 1] = (rgba[at + 1] ?? 0) + green * opacity
    rgba[at + 2] = (rgba[at + 2] ?? 0) + blue * opacity
    rgba[at + 3] = (rgba[at + 3] ?? 0) + opacity
  }
  for (let at = 0; at < rgba.length; at += 1) rgba[at] = (rgba[at] ?? 0) / (counts[at >> 2] || 1)
  return { width, height, rgba }
}

function colorAt(
  { type, palette, alpha }: Png,
  data: Buffer,
  at: number,
): readonly [number, number, number, number] {
  const first = data[at] ?? 0
  if (type === 3) {
    const part = (index: number) => palette[first * 3 + index] ?? 0
    return [part(0), part(1), part(2), (alpha[first] ?? 255) / 255]
  }
  if (type === 0 || type === 4)
    return [first, first, first, type === 4 ? (data[at + 1] ?? 0) / 255 : 1]
  const opacity = type === 6 ? (data[at + 3] ?? 0) / 255 : 1
  return [first, data[at + 1] ?? 0, data[at + 2] ?? 0, opacity]
}
