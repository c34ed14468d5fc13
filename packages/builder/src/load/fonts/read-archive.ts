/** Reads the files of an npm package from its archive, a compressed tar file. */
import { gunzipSync } from 'node:zlib'

const UNPACKED_SIZE_MAX = 64_000_000
const BLOCK = 512
const NAME = { at: 0, size: 100 }
const SIZE = { at: 124, size: 12 }
const TYPE_AT = 156
const PREFIX = { at: 345, size: 155 }
/** The folder that contains all files of a package. */
const FOLDER = 'package/'

/** Returns the files by path, or undefined if the archive is damaged or too large. */
export function readArchive(archive: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  let bytes: Buffer
  try {
    bytes = gunzipSync(archive, { maxOutputLength: UNPACKED_SIZE_MAX })
  } catch {
    return undefined
  }
  const files = new Map<string, Uint8Array>()
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    // An empty block ends the archive.
    if (header[0] === 0) break
    const size = Number.parseInt(textOf(header, SIZE).trim(), 8)
    const start = at + BLOCK
    if (!(size >= 0) || start + size > bytes.length) return undefined
    const prefix = textOf(header, PREFIX)
    const path = `${prefix === '' ? '' : `${prefix}/`}${textOf(header, NAME)}`
    const type = String.fromCharCode(header[TYPE_AT] ?? 0)
    if ((type === '0' || type === '\0') && path.startsWith(FOLDER))
      files.set(path.slice(FOLDER.length), bytes.subarray(start, start + size))
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

function textOf(header: Buffer, field: { readonly at: number; readonly size: number }): string {
  const text = header.toString('latin1', field.at, field.at + field.size)
  const end = text.indexOf('\0')
  return end === -1 ? text : text.slice(0, end)
}
