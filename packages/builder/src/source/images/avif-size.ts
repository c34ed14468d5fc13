import type { ImageSize } from './image-size.ts'

/** Maximum number of boxes to read in a file. */
const BOXES_MAX = 500
const DEPTH_MAX = 6
const META = 0x6d657461
const PROPERTIES = 0x69707270
const PROPERTY_CONTAINER = 0x6970636f
const EXTENT = 0x69737065
const ROTATION = 0x69726f74

type Found = { size: ImageSize | undefined; isTurned: boolean; count: number }

/**
 * Reads the size of AVIF and HEIC images, which consist of nested boxes. The largest size is that
 * of the image; all others are sizes of its tiles.
 */
export function avifSize(view: DataView): ImageSize | undefined {
  const found: Found = { size: undefined, isTurned: false, count: 0 }
  walk(view, { start: 0, end: view.byteLength, depth: 0 }, found)
  const { size, isTurned } = found
  return size !== undefined && isTurned ? { width: size.height, height: size.width } : size
}

type Span = { readonly start: number; readonly end: number; readonly depth: number }

function walk(view: DataView, span: Span, found: Found): void {
  let at = span.start
  while (at + 8 <= span.end && found.count < BOXES_MAX) {
    found.count += 1
    const length = view.getUint32(at)
    // A box of more than 4 GB, or one that extends to the end of the file, contains the pixels. The
    // rest of the file is not needed.
    if (length < 8) return
    const end = Math.min(at + length, span.end)
    readBox(view, { start: at, end, depth: span.depth }, found)
    at += length
  }
}

function readBox(view: DataView, { start, end, depth }: Span, found: Found): void {
  const type = view.getUint32(start + 4)
  if (type === EXTENT && end - start >= 20) {
    const size = { width: view.getUint32(start + 12), height: view.getUint32(start + 16) }
    const known = found.size
    if (known === undefined || size.width * size.height > known.width * known.height) {
      found.size = size
    }
  }
  if (type === ROTATION && end - start >= 9) found.isTurned = view.getUint8(start + 8) % 2 === 1
  if (depth >= DEPTH_MAX) return
  // A meta box has a version number before its inner boxes.
  if (type === META) walk(view, { start: start + 12, end, depth: depth + 1 }, found)
  if (type === PROPERTIES || type === PROPERTY_CONTAINER) {
    walk(view, { start: start + 8, end, depth: depth + 1 }, found)
  }
}
