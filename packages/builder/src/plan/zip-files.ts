import { crc32 } from 'node:zlib'

/**
 * Writes a ZIP archive whose bytes are deterministic: the entries are sorted, not compressed
 * (compressors differ between machines), and dated to the first day that ZIP supports.
 */
export type ZipEntry = { readonly path: string; readonly text: string }

const FIRST_DAY = 0x0021
const UTF8_NAMES = 0x0800

/** A file and its CRC-32. */
export type StoredFile = { readonly data: Uint8Array; readonly checksum: number }
type NamedFile = StoredFile & { readonly name: Buffer }

export function zipFiles(entries: readonly ZipEntry[]): Uint8Array {
  const archive = new ZipArchive()
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const parts = sorted.flatMap(({ path, text }) => {
    const data = Buffer.from(text)
    return archive.add(path, { data, checksum: crc32(data) })
  })
  return Buffer.concat([...parts, archive.finish()])
}

/**
 * Writes an archive incrementally and in the given order, for files that would not all fit in
 * memory.
 */
export class ZipArchive {
  readonly #directory: Buffer[] = []
  readonly #taken = new Set<string>()
  #offset = 0

  /** The number of bytes written so far. */
  get size(): number {
    return this.#offset
  }

  /** Adds a file and returns the bytes to write for it. */
  add(path: string, { data, checksum }: StoredFile): readonly Uint8Array[] {
    const file = { name: Buffer.from(this.#distinctName(path)), data, checksum }
    const header = localHeader(file)
    this.#directory.push(directoryEntry(file, this.#offset))
    this.#offset += header.length + data.length
    return [header, data]
  }

  /** Finishes the archive and returns the last bytes to write. */
  finish(): Buffer {
    const listing = Buffer.concat(this.#directory)
    const end = endOfDirectory(this.#directory.length, listing.length, this.#offset)
    return Buffer.concat([listing, end])
  }

  /**
   * Returns a name that is unique even if case is ignored, because some systems treat `A.json` and
   * `a.json` as one file.
   */
  #distinctName(written: string): string {
    const dot = written.lastIndexOf('.')
    let path = written
    for (let count = 2; this.#taken.has(path.toLowerCase()); count += 1) {
      path = `${written.slice(0, dot)}-${count}${written.slice(dot)}`
    }
    this.#taken.add(path.toLowerCase())
    return path
  }
}

function localHeader({ name, data, checksum }: NamedFile): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(UTF8_NAMES, 6)
  header.writeUInt16LE(FIRST_DAY, 12)
  header.writeUInt32LE(checksum, 14)
  header.writeUInt32LE(data.length, 18)
  header.writeUInt32LE(data.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function directoryEntry({ name, data, checksum }: NamedFile, offset: number): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(20, 4)
  entry.writeUInt16LE(20, 6)
  entry.writeUInt16LE(UTF8_NAMES, 8)
  entry.writeUInt16LE(FIRST_DAY, 14)
  entry.writeUInt32LE(checksum, 16)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(data.length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
