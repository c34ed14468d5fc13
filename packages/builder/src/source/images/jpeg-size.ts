import type { ImageSize } from './image-size.ts'

/** Maximum number of segments to read before the image data. Cameras write about a dozen. */
const SEGMENTS_MAX = 200
/** Maximum number of entries to read in the EXIF directory, which contains the orientation. */
const ENTRIES_MAX = 200
const ORIENTATION_TAG = 0x0112
/** Orientations with this value or a higher one are rotated by 90°. */
const ORIENTATION_TURNED = 5

/**
 * Reads the size of a JPEG image from its frame segment, and the orientation from its EXIF segment.
 */
export function jpegSize(view: DataView): ImageSize | undefined {
  let isTurned = false
  let at = 2
  for (let count = 0; count < SEGMENTS_MAX; count += 1) {
    if (at + 4 > view.byteLength || view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // There may be fill bytes before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) {
      if (at + 9 > view.byteLength) return undefined
      const size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
      return isTurned ? { width: size.height, height: size.width } : size
    }
    const length = view.getUint16(at + 2)
    if (marker === 0xe1) isTurned ||= isRotatedByExif(view, at + 4, at + 2 + length)
    at += 2 + length
  }
  return undefined
}

/** Returns true for start-of-frame markers: C0 to CF, except those of tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Checks whether the EXIF orientation swaps width and height. */
function isRotatedByExif(view: DataView, start: number, end: number): boolean {
  const last = Math.min(end, view.byteLength)
  // The segment starts with "Exif" and two zeros, followed by a TIFF header: byte order, 42, and
  // the offset of the directory.
  if (start + 14 > last || view.getUint32(start) !== 0x45786966) return false
  const tiff = start + 6
  const isLittle = view.getUint16(tiff) === 0x4949
  const directory = tiff + view.getUint32(tiff + 4, isLittle)
  if (directory + 2 > last) return false
  const count = Math.min(view.getUint16(directory, isLittle), ENTRIES_MAX)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12
    if (entry + 12 > last) return false
    if (view.getUint16(entry, isLittle) !== ORIENTATION_TAG) continue
    const orientation = view.getUint16(entry + 8, isLittle)
    return orientation >= ORIENTATION_TURNED && orientation <= 8
  }
  return false
}
