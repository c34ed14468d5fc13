import type { Attributes } from '@octavo/content'
import type { ImageSize } from './content-writer.ts'

/** `400` and `400px` have the same meaning in an attribute. */
const PIXELS = /^\s*(\d{1,5})(?:px)?\s*$/

/**
 * Returns the missing ` width` and ` height`, so that the page reserves space while the image
 * loads. A dimension that the author wrote is not changed; the other dimension is computed from it.
 */
export function sizeAttributes(written: Attributes, size: ImageSize | undefined): string {
  if (size === undefined) return ''
  const { width, height } = written
  if (width === undefined && height === undefined) {
    if (size.isShape) return shapeStyle(written, size)
    return ` width="${size.width}" height="${size.height}"`
  }
  if (width !== undefined && height !== undefined) return ''
  const given = PIXELS.exec(String(width ?? height))?.[1]
  if (given !== undefined) {
    return width === undefined
      ? ` width="${scale(given, size.width / size.height)}"`
      : ` height="${scale(given, size.height / size.width)}"`
  }
  // `width="50%"` implies no height in pixels. A style that the author wrote is not changed.
  return written.style === undefined ? ` style="aspect-ratio:${size.width}/${size.height}"` : ''
}

function shapeStyle({ style, class: name }: Attributes, { width, height }: ImageSize): string {
  // The width of a styled image is set by its style.
  if (style !== undefined || name !== undefined) return ''
  return ` style="inline-size:100%;aspect-ratio:${width}/${height}"`
}

function scale(given: string, ratio: number): number {
  return Math.max(1, Math.round(Number(given) * ratio))
}
