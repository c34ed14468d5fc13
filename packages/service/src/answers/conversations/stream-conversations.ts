/**
 * Sends conversations as a page, or the whole range as a stream in batches: constant memory, no
 * long transaction, and resumable from the last id received. The next batch is read while the
 * current one is sent.
 */
import { JSON_FORMAT } from '../../platform/http/params.ts'
import { NDJSON } from '../../platform/http/stream-lines.ts'
import type { RawPage } from './store.ts'

export const CSV = 'text/csv'

const BATCH = 1_000

/**
 * Sends one page. The rows come as JSON from the database; parsing them here would only cost time.
 */
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
  /** Adds the readers' feedback to the rows. */
  readonly hasFeedback?: boolean
  /** Called when a batch fails after the response has started. */
  readonly onBroken: (error: unknown) => void
}

export async function streamConversations(input: StreamInput): Promise<Response> {
  const { page, after, format, onBroken, hasFeedback = false } = input
  const columns = hasFeedback ? [...COLUMNS, 'feedback'] : COLUMNS
  // The first batch is read before the response starts, so that a failure can still become a
  // problem response.
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
        // The client sees a closed connection. The error itself may contain rows, so it is not
        // passed on.
        throw new Error('the stream failed')
      })
      next =
        batch.hasMore && batch.lastId !== undefined ? page(batch.lastId, BATCH, '\n') : undefined
      // A failure of the prefetched batch is reported by the pull that awaits it.
      next?.catch(() => {})
      if (isFirst && format === CSV) controller.enqueue(Buffer.from(`${columns.join(',')}\r\n`))
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
      'content-type': format === CSV ? `${CSV}; charset=utf-8` : NDJSON,
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
/** Sent separately, because appending it would copy the rows. */
const LINE_END = Buffer.from('\n')

function printCsv(rows: string, columns: readonly string[]): Buffer {
  const lines = rows.split('\n').map((row) => {
    const conversation = JSON.parse(row) as Record<string, unknown>
    return `${columns.map((column) => csvField(conversation[column])).join(',')}\r\n`
  })
  return Buffer.from(lines.join(''))
}

/** Includes full-width forms, which some spreadsheets treat the same. */
const FORMULA_START = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/

/** Follows RFC 4180; text that a spreadsheet would run as a formula is escaped. */
function csvField(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = FORMULA_START.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
