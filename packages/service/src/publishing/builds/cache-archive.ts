/**
 * Packs the files of a cache folder into one compressed blob: for each file, a line with its name
 * and size, then its bytes. Names are validated when unpacking, since an untrusted build wrote
 * them.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * Valid names of cache files. They cannot point outside the folder, and have no special meaning in
 * paths.
 */
const NAME = /^(?:(?:specifications|fonts)\/)?[\w][\w.-]{0,99}$/
export const ARCHIVE_BYTES_MAX = 200_000_000
/** The maximum size before compression. */
const UNPACKED_BYTES_MAX = 1_000_000_000

/** Returns undefined if the archive would be too large. */
export async function packFolder(folder: string): Promise<Buffer | undefined> {
  const names = listFiles(folder)
  const size = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  if (size > UNPACKED_BYTES_MAX) return undefined
  const parts = names.flatMap((name) => {
    const bytes = readFileSync(join(folder, name))
    return [Buffer.from(`${JSON.stringify({ name, size: bytes.length })}\n`), bytes]
  })
  const packed = await compress(Buffer.concat(parts))
  return packed.length > ARCHIVE_BYTES_MAX ? undefined : packed
}

/**
 * Returns false if the bytes are not a valid archive. Some files may already have been written by
 * then, which is safe: the builder validates what it reads.
 */
export async function unpackFolder(bytes: Uint8Array, folder: string): Promise<boolean> {
  const all = await decompress(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }).catch(
    () => undefined,
  )
  if (all === undefined) return false
  for (let at = 0; at < all.length; ) {
    const lineEnd = all.indexOf(10, at)
    const entry = lineEnd < 0 ? undefined : readEntry(all.toString('utf8', at, lineEnd))
    if (entry === undefined || lineEnd + 1 + entry.size > all.length) return false
    const file = join(folder, entry.name)
    mkdirSync(dirname(file), { recursive: true })
    at = lineEnd + 1 + entry.size
    writeFileSync(file, all.subarray(lineEnd + 1, at))
  }
  return true
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => NAME.test(name))
    .toSorted()
}

function readEntry(line: string): { readonly name: string; readonly size: number } | undefined {
  try {
    const { name, size } = JSON.parse(line) as { name?: unknown; size?: unknown }
    if (typeof name !== 'string' || !NAME.test(name)) return undefined
    return Number.isSafeInteger(size) && Number(size) >= 0
      ? { name, size: Number(size) }
      : undefined
  } catch {
    return undefined
  }
}
