/**
 * Calls a function of the database and takes its one row as bytes. `query` makes a string of every
 * value, and a large text that only passes through would be encoded again to be sent: for a page of
 * 1 MB that costs more than all the rest. COPY is the way past it that the driver has. It takes no
 * parameters, so the arguments are written as literals.
 */
import pg from 'pg'

export type Argument = string | number | null
export type RowBytes = readonly (Buffer | null)[]

/** `before` is run first, in the same transaction and the same round trip. */
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
    throw new Error('a number that is not whole')
  }
  // The statement would end there.
  if (value.includes('\0')) throw new Error('a text with a zero byte')
  return pg.escapeLiteral(value)
}

/** The driver hands over what COPY sends, and otherwise drops it. */
class CopyQuery extends pg.Query {
  readonly chunks: Buffer[] = []

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The driver reads into the same memory again, hence a copy.
    if (chunk.length > TRAILER_BYTES) this.chunks.push(Buffer.from(chunk))
  }
}

/** Signature, flags, and the length of an extension that there is none of. */
const HEADER_BYTES = 19
const TRAILER_BYTES = 2

/** After the header: the count of columns, then each with its length before it, -1 for null. */
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
