/**
 * The file that an export grows in, `<file>.part`. It is the only memory of what has arrived: the
 * last whole row says where to go on, after a broken connection and after a broken computer alike.
 */
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { ExportError } from './export-error.ts'
import { type RowFormat, RowScanner } from './row-scanner.ts'

/** What a file belongs to: going on with the rows of another range would lose some in silence. */
export type ExportRange = {
  readonly project: string
  readonly from: string | undefined
  readonly to: string | undefined
}

export type PartFile = {
  /** Conversations that are here. */
  readonly rowCount: () => number
  readonly byteCount: () => number
  /** Cuts off a row that has only begun; gives the id of the last whole one. */
  readonly prepare: () => Promise<string | undefined>
  /** Takes bytes of the response to a request that begins after what `prepare` gave. */
  readonly append: (bytes: Uint8Array) => Promise<void>
  /** Is this the end of a row, so that the response can be whole? */
  readonly isAtRowEnd: () => boolean
  /** Gives the file its name. */
  readonly finish: () => Promise<void>
  /** Leaves what has arrived for the next time, and nothing if that is nothing. */
  readonly leave: () => Promise<void>
}

const READ_BYTES = 1024 * 1024
/** Readers' questions are nobody else's business. */
const OWNER_ONLY = 0o600
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export async function openPartFile(
  file: string,
  format: RowFormat,
  range: ExportRange,
): Promise<PartFile> {
  const path = `${file}.part`
  const rangePath = `${path}.json`
  const handle = await open(path, 'a+', OWNER_ONLY)
  const scanner = new RowScanner(format)
  const headerCount = format === 'csv' ? 1 : 0
  /** What is left of a header that is here already and comes again. */
  let header: Uint8Array = Buffer.alloc(0)

  const rowCount = () => Math.max(0, scanner.count - headerCount)
  const read = async ({ start, end }: { readonly start: number; readonly end: number }) => {
    const bytes = Buffer.alloc(end - start)
    await handle.read(bytes, 0, bytes.length, start)
    return bytes
  }

  try {
    await scan(handle, scanner)
    if (rowCount() > 0) await checkRange(rangePath, { path, range })
    else await writeFile(rangePath, JSON.stringify(range), { mode: OWNER_ONLY })
  } catch (error) {
    await handle.close()
    throw error
  }

  return {
    rowCount,
    byteCount: () => scanner.size,
    isAtRowEnd: () =>
      header.length === 0 && scanner.size === scanner.lastRow.end && scanner.count >= headerCount,

    async prepare() {
      if (rowCount() === 0) scanner.clear()
      else scanner.cut()
      await handle.truncate(scanner.size)
      header = Buffer.alloc(0)
      if (rowCount() === 0) return undefined
      if (format === 'csv') header = await read(scanner.firstRow)
      const id = readId((await read(scanner.lastRow)).toString('utf8'), format)
      if (id !== undefined) return id
      throw new ExportError(
        `${path} does not end with a conversation. Remove it, or write to another file.`,
      )
    },

    async append(bytes) {
      const length = Math.min(header.length, bytes.length)
      if (Buffer.compare(header.subarray(0, length), bytes.subarray(0, length)) !== 0) {
        throw new ExportError(
          `The columns from the service differ from those in ${path}. Remove that file to start again.`,
        )
      }
      header = header.subarray(length)
      const rows = bytes.subarray(length)
      await handle.appendFile(rows)
      scanner.push(rows)
    },

    async finish() {
      await handle.sync()
      await handle.close()
      await rename(path, file)
      await rm(rangePath, { force: true })
    },

    async leave() {
      await handle.close()
      if (rowCount() > 0) return
      await rm(path, { force: true })
      await rm(rangePath, { force: true })
    },
  }
}

async function scan(handle: FileHandle, scanner: RowScanner): Promise<void> {
  const buffer = Buffer.alloc(READ_BYTES)
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, scanner.size)
    if (bytesRead === 0) return
    scanner.push(buffer.subarray(0, bytesRead))
  }
}

/** A file without a note of its range is taken as it is. */
async function checkRange(
  rangePath: string,
  { path, range }: { readonly path: string; readonly range: ExportRange },
): Promise<void> {
  const known = await readFile(rangePath, 'utf8').catch(() => undefined)
  if (known === undefined || known === JSON.stringify(range)) return
  throw new ExportError(
    `${path} was started with a different --project, --from or --to. Use the same options, remove the file, or write to another file.`,
  )
}

function readId(row: string, format: RowFormat): string | undefined {
  const id = format === 'csv' ? row.slice(0, row.indexOf(',')) : readJsonId(row)
  return typeof id === 'string' && ULID.test(id) ? id : undefined
}

function readJsonId(row: string): unknown {
  try {
    const value: unknown = JSON.parse(row)
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
  } catch {
    return undefined
  }
}
