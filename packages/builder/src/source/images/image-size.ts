/**
 * Reads the display size of an image from its first bytes, so that a page can reserve space for the
 * image. It has no side effects and is safe for untrusted bytes: it never reads outside the bytes,
 * every loop has a limit, and for an unknown format it returns undefined.
 */
import { avifSize } from './avif-size.ts'
import { jpegSize } from './jpeg-size.ts'
import { svgSize } from './svg-size.ts'

export type ImageSize = {
  readonly width: number
  readonly height: number
  /** True if only the aspect ratio is known. An SVG image without a size fills its container. */
  readonly isShape?: true
}

/** Maximum width and height; larger ones are not plausible. */
const SIDE_MAX = 100_000

/** Returns undefined if the given bytes do not contain the size. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = readSize(bytes, view)
  if (size === undefined || !isSide(size.width) || !isSide(size.height)) return undefined
  const width = Math.max(1, Math.round(size.width))
  const height = Math.max(1, Math.round(size.height))
  return size.isShape ? { width, height, isShape: true } : { width, height }
}

function isSide(length: number): boolean {
  return length > 0 && length <= SIDE_MAX
}

function readSize(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  if (hasText(bytes, 1, 'PNG\r\n')) return pngSize(bytes, view)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(view)
  if (hasText(bytes, 0, 'GIF8')) return gifSize(view)
  if (hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')) return webpSize(bytes, view)
  if (hasText(bytes, 4, 'ftyp')) return avifSize(view)
  if (hasText(bytes, 0, 'BM')) return bmpSize(view)
  return svgSize(bytes)
}

/** Checks whether the bytes at a position are the given text. */
function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

function pngSize(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  // PNG files for iOS have an extra chunk before the header.
  const at = hasText(bytes, 12, 'CgBI') ? 32 : 16
  if (view.byteLength < at + 8) return undefined
  return { width: view.getUint32(at), height: view.getUint32(at + 4) }
}

function gifSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 10) return undefined
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function bmpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 26) return undefined
  // The height is negative if the rows are stored from top to bottom.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/**
 * Reads the size of a WebP image, which has one of three formats: lossy, lossless, or extended with
 * a canvas size.
 */
function webpSize(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined
  if (hasText(bytes, 12, 'VP8X')) {
    return { width: read24(view, 24) + 1, height: read24(view, 27) + 1 }
  }
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!hasText(bytes, 12, 'VP8 ')) return undefined
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
}
