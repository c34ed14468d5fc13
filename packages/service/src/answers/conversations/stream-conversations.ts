/**
 * Sends conversations as a page, or a whole range as a stream of batches. A stream needs constant
 * memory and no long transaction, and can be resumed after the last id that was received. The next
 * batch is read while the current one is sent.
 */
import { printCsvLine } from '@octavo/contract'
import { JSON_FORMAT } from '../../platform/http/params.ts'
import { CSV, CSV_TYPE, NDJSON } from '../../platform/http/stream-lines.ts'
import type { RawPage } from './store.ts'

const BATCH = 1_000

/** Sends one page. The database returns the rows as JSON, so they do not have to be parsed. */
export function sendPage({ rows, lastId, hasMore }: RawPage<Buffer>, more = ''): Response {
  const nextCursor = hasMore && lastId !== undefined ? `"${lastId}"` : 'null'
  const body = Buffer.concat([
    Buffer.from('{"conversations":['),
    rows,
    Buffer.from(`],"nextCursor":${nextCursor}${more}}`),
  ])
  return new Response(body, { headers: { 'content-type': JSON_FORMAT } })
}

export type StreamInput = {
  readonly page: (after: string, limit: number, separator: string) => Promise<RawPage<Buffer>>
  readonly after: string
  readonly format: string
  /** True if the rows contain readers' feedback. */
  readonly hasFeedback?: boolean
  /** Called when reading a batch fails after the response has started. */
  readonly onBroken: (error: unknown) => void
}

export async function streamConversations(input: StreamInput): Promise<Response> {
  const { page, after, format, onBroken, hasFeedback = false } = input
  const columns = hasFeedback ? [...COLUMNS, 'feedback'] : COLUMNS
  // Read the first batch before the response starts, so that an error can still be sent as a
  // problem.
  const first = await page(after, BATCH, '\n')
  let next: Promise<RawPage<Buffer>> | undefined = Promise.resolve(first)
  let isFirst = true
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === undefined) {
        controller.close()
        return
      }
      const batch = await next.catch((error: unknown) => {
        onBroken(error)
        // The client sees that the connection was closed. The error may contain rows, so it is not
        // thrown.
        throw new Error('the stream failed')
      })
      next =
        batch.hasMore && batch.lastId !== undefined ? page(batch.lastId, BATCH, '\n') : undefined
      // If reading the next batch fails, the next call of `pull` reports it.
      next?.catch(() => {})
      if (isFirst && format === CSV) controller.enqueue(Buffer.from(printCsvLine(columns)))
      isFirst = false
      if (batch.count === 0) controller.close()
      else if (format === CSV) controller.enqueue(printCsv(batch.rows.toString(), columns))
      else {
        controller.enqueue(batch.rows)
        controller.enqueue(LINE_END)
      }
    },
  })
  const name = format === CSV ? 'conversations.csv' : 'conversations.ndjson'
  return new Response(stream, {
    headers: {
      'content-type': format === CSV ? CSV_TYPE : NDJSON,
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

const COLUMNS = [
  'id',
  'timestamp',
  'query',
  'response',
  'sources',
  'resolutionStatus',
  'queryCategory',
  'threadId',
  'pageUrl',
]
/** A separate chunk, because appending it to the rows would copy them. */
const LINE_END = Buffer.from('\n')

function printCsv(rows: string, columns: readonly string[]): Buffer {
  const lines = rows.split('\n').map((row) => {
    const conversation = JSON.parse(row) as Record<string, unknown>
    return printCsvLine(columns.map((column) => conversation[column]))
  })
  return Buffer.from(lines.join(''))
}
