import { crc32 } from 'node:zlib'

/**
 * Files → a ZIP archive that is the same bytes for the same files, wherever it is made: entries are
 * sorted, stored as they are (compressors differ between machines), and dated at ZIP's first day.
 */
export type ZipEntry = { readonly path: string; readonly text: string }

const FIRST_DAY = 0x0021
const UTF8_NAMES = 0x0800

export function zipFiles(entries: readonly ZipEntry[]): Uint8Array {
  const files = withDistinctNames(entries).map(({ path, text }) => {
    const data = Buffer.from(text)
    return { name: Buffer.from(path), data, checksum: crc32(data) }
  })
  const chunks: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const header = localHeader(file)
    directory.push(directoryEntry(file, offset))
    chunks.push(header, file.data)
    offset += header.length + file.data.length
  }
  const listing = Buffer.concat(directory)
  return Buffer.concat([...chunks, listing, endOfDirectory(files.length, listing.length, offset)])
}

type StoredFile = { readonly name: Buffer; readonly data: Buffer; readonly checksum: number }

/** Some systems take `A.json` and `a.json` for one file, and would lose the first. */
function withDistinctNames(entries: readonly ZipEntry[]): readonly ZipEntry[] {
  const taken = new Set<string>()
  return entries
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((entry) => {
      let { path } = entry
      const dot = path.lastIndexOf('.')
      for (let count = 2; taken.has(path.toLowerCase()); count += 1) {
        path = `${entry.path.slice(0, dot)}-${count}${entry.path.slice(dot)}`
      }
      taken.add(path.toLowerCase())
      return { ...entry, path }
    })
}

function localHeader({ name, data, checksum }: StoredFile): Buffer {
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

function directoryEntry({ name, data, checksum }: StoredFile, offset: number): Buffer {
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
