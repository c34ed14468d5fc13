/**
 * Calls a database function and returns its single row as bytes. `query` would convert every value
 * to a string, so a large value that is only passed on would have to be encoded again. For a page
 * of 1 MB, that takes more time than everything else. In this driver, only COPY avoids it. COPY
 * accepts no parameters, so the arguments are written as literals.
 */
import pg from 'pg'

export type Argument = string | number | null
export type RowBytes = readonly (Buffer | null)[]

/**
 * Returns the row of a function call. The statement `before` runs first, in the same transaction
 * and the same round trip.
 */
export async function readRow(
  pool: pg.Pool,
  before: string,
  name: string,
  args: readonly Argument[],
): Promise<RowBytes> {
  const call = `${pg.escapeIdentifier(name)}(${args.map(printLiteral).join(', ')})`
  const text = `${before}; copy (select * from ${call}) to stdout (format binary)`
  const client = await pool.connect()
  let failed = true
  try {
    const chunks = await new Promise<readonly Buffer[]>((resolve, reject) => {
      const query = new CopyQuery(text, (error: Error | null | undefined) =>
        error ? reject(error) : resolve(query.chunks),
      )
      client.query(query)
    })
    failed = false
    return parseRow(chunks)
  } finally {
    client.release(failed)
  }
}

function printLiteral(value: Argument): string {
  if (value === null) return 'null'
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value)
    throw new Error('an argument is not a whole number')
  }
  // PostgreSQL would treat a zero byte as the end of the statement.
  if (value.includes('\0')) throw new Error('an argument contains a zero byte')
  return pg.escapeLiteral(value)
}

/** Collects the data of COPY, which the driver would otherwise discard. */
class CopyQuery extends pg.Query {
  readonly chunks: Buffer[] = []

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The chunk is copied, because the driver reuses its buffer.
    if (chunk.length > TRAILER_BYTES) this.chunks.push(Buffer.from(chunk))
  }
}

/**
 * The size of the header: signature, flags and the length of the header extension, which is empty.
 */
const HEADER_BYTES = 19
const TRAILER_BYTES = 2

/**
 * Parses the row that follows the header: the number of columns, then the length (-1 for null) and
 * the bytes of each column.
 */
function parseRow(chunks: readonly Buffer[]): RowBytes {
  const [first] = chunks
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
  let offset = HEADER_BYTES + 2
  return Array.from({ length: bytes.readInt16BE(HEADER_BYTES) }, () => {
    const length = bytes.readInt32BE(offset)
    offset += 4
    if (length === -1) return null
    offset += length
    return bytes.subarray(offset - length, offset)
  })
}
