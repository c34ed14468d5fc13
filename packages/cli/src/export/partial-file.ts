/**
 * The unfinished export file, `<file>.part`. It is the only record of the received rows: after a
 * broken connection or a crash, the export resumes after its last complete row.
 */
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { ExportError } from './export-error.ts'
import { type RowFormat, RowScanner } from './row-scanner.ts'

/**
 * The parameters of an export. A part file must be continued with the same ones, because rows would
 * silently be lost otherwise.
 */
export type ExportRange = {
  readonly project: string
  readonly from: string | undefined
  readonly to: string | undefined
}

const READ_BYTES = 1024 * 1024
/** The mode of the files, which contain readers' questions and are therefore confidential. */
const OWNER_ONLY = 0o600
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export class PartFile {
  readonly #file: string
  readonly #path: string
  readonly #rangePath: string
  readonly #format: RowFormat
  readonly #handle: FileHandle
  readonly #scanner: RowScanner
  readonly #headerCount: number
  /** The part of the repeated CSV header that is still to be skipped in the response. */
  #header: Uint8Array = Buffer.alloc(0)

  private constructor(file: string, format: RowFormat, handle: FileHandle) {
    this.#file = file
    this.#path = partPath(file)
    this.#rangePath = `${this.#path}.json`
    this.#format = format
    this.#handle = handle
    this.#scanner = new RowScanner(format)
    this.#headerCount = format === 'csv' ? 1 : 0
  }

  static async open(file: string, format: RowFormat, range: ExportRange): Promise<PartFile> {
    const handle = await open(partPath(file), 'a+', OWNER_ONLY)
    try {
      const part = new PartFile(file, format, handle)
      await part.#readExistingRows(range)
      return part
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** The number of conversations in the file. */
  get rowCount(): number {
    return Math.max(0, this.#scanner.count - this.#headerCount)
  }

  get byteCount(): number {
    return this.#scanner.size
  }

  /** True if the file ends with a complete row, which means that the response may be complete. */
  get isAtRowEnd(): boolean {
    const { size, lastRow, count } = this.#scanner
    return this.#header.length === 0 && size === lastRow.end && count >= this.#headerCount
  }

  /**
   * Removes an incomplete row, and returns the id of the last complete one for the next request.
   */
  async prepare(): Promise<string | undefined> {
    const scanner = this.#scanner
    if (this.rowCount === 0) scanner.clear()
    else scanner.cut()
    await this.#handle.truncate(scanner.size)
    this.#header = Buffer.alloc(0)
    if (this.rowCount === 0) return undefined
    if (this.#format === 'csv') this.#header = await this.#read(scanner.firstRow)
    const id = readId((await this.#read(scanner.lastRow)).toString('utf8'), this.#format)
    if (id !== undefined) return id
    throw new ExportError(
      `${this.#path} does not end with a conversation. Remove the file, or write to another one.`,
    )
  }

  /** Appends bytes of a response, whose rows must start after the id that `prepare` returned. */
  async append(bytes: Uint8Array): Promise<void> {
    const header = this.#header
    const length = Math.min(header.length, bytes.length)
    if (Buffer.compare(header.subarray(0, length), bytes.subarray(0, length)) !== 0) {
      throw new ExportError(
        `The columns from the service differ from those in ${this.#path}. Remove that file to start again.`,
      )
    }
    this.#header = header.subarray(length)
    const rows = bytes.subarray(length)
    await this.#handle.appendFile(rows)
    this.#scanner.push(rows)
  }

  /** Renames the file to its final name. */
  async finish(): Promise<void> {
    await this.#handle.sync()
    await this.#handle.close()
    await rename(this.#path, this.#file)
    await rm(this.#rangePath, { force: true })
  }

  /** Closes the file and keeps it for the next run, or removes it if it has no rows. */
  async leave(): Promise<void> {
    await this.#handle.close()
    if (this.rowCount > 0) return
    await rm(this.#path, { force: true })
    await rm(this.#rangePath, { force: true })
  }

  /** Counts the rows of an earlier run, which must have had the same range. */
  async #readExistingRows(range: ExportRange): Promise<void> {
    await scan(this.#handle, this.#scanner)
    if (this.rowCount > 0) await checkRange(this.#rangePath, { path: this.#path, range })
    else await writeFile(this.#rangePath, JSON.stringify(range), { mode: OWNER_ONLY })
  }

  async #read({ start, end }: { readonly start: number; readonly end: number }): Promise<Buffer> {
    const bytes = Buffer.alloc(end - start)
    await this.#handle.read(bytes, 0, bytes.length, start)
    return bytes
  }
}

function partPath(file: string): string {
  return `${file}.part`
}

async function scan(handle: FileHandle, scanner: RowScanner): Promise<void> {
  const buffer = Buffer.alloc(READ_BYTES)
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, scanner.size)
    if (bytesRead === 0) return
    scanner.push(buffer.subarray(0, bytesRead))
  }
}

/** Throws if the recorded range differs. A file without a recorded range is accepted. */
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
