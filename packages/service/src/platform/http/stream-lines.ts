/**
 * Streams a list as lines of JSON or CSV. The list is read page by page, which needs only constant
 * memory and no long transaction.
 */
import { printCsvLine } from '@octavo/contract'

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'
export const CSV_TYPE = `${CSV}; charset=utf-8`

type LinePage<Cursor> = {
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly next: Cursor | undefined
}

export type LineStream<Cursor> = {
  readonly page: (cursor: Cursor | undefined) => Promise<LinePage<Cursor>>
  readonly from: Cursor | undefined
  /** The file name without the extension. */
  readonly name: string
  /** The properties that become CSV columns; undefined for NDJSON. */
  readonly csvColumns: readonly string[] | undefined
  /** Called if a page fails after the response has started. */
  readonly onBroken: (error: unknown) => void
}

export async function streamLines<Cursor>(input: LineStream<Cursor>): Promise<Response> {
  const { page, from, name, csvColumns, onBroken } = input
  // Reads the first page before the response starts, so that an error can still be returned as a
  // problem.
  let next: Promise<LinePage<Cursor>> | undefined = Promise.resolve(await page(from))
  const print = (line: Readonly<Record<string, unknown>>) =>
    csvColumns
      ? printCsvLine(csvColumns.map((column) => line[column]))
      : `${JSON.stringify(line)}\n`
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (csvColumns) controller.enqueue(Buffer.from(printCsvLine(csvColumns)))
    },
    async pull(controller) {
      // Continues with the next page if a page is empty, because `pull` is not called again unless
      // something was enqueued.
      let isSent = false
      while (next !== undefined && !isSent) {
        const batch: LinePage<Cursor> = await next.catch((error: unknown) => {
          onBroken(error)
          // The client only sees a broken connection. The original error is not passed on, because
          // it may contain rows.
          throw new Error('the stream failed')
        })
        next = batch.next === undefined ? undefined : page(batch.next)
        // Avoids an unhandled rejection. The next call of `pull` reports the error.
        next?.catch(() => {})
        isSent = batch.lines.length > 0
        if (isSent) controller.enqueue(Buffer.from(batch.lines.map(print).join('')))
      }
      if (!isSent) controller.close()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': csvColumns ? CSV_TYPE : NDJSON,
      'content-disposition': `attachment; filename="${name}.${csvColumns ? 'csv' : 'ndjson'}"`,
    },
  })
}
