/**
 * The whole range as a stream, batch by batch: constant memory, no long transaction, and resumable
 * from the last id that arrived. The next batch is read while the current one is sent.
 */
import type { RawPage } from './store.ts'

export const NDJSON = 'application/x-ndjson'
export const CSV = 'text/csv'

const BATCH = 1_000

export type StreamInput = {
  readonly page: (after: string, limit: number, separator: string) => Promise<RawPage>
  readonly after: string
  readonly format: string
}

export function streamConversations({ page, after, format }: StreamInput): Response {
  const print = format === CSV ? printCsv : (rows: string) => `${rows}\n`
  const encoder = new TextEncoder()
  let next: Promise<RawPage> | undefined = page(after, BATCH, '\n')
  // A batch that fails while nobody waits for it is reported by the pull that does.
  next.catch(() => {})
  let isFirst = true
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === undefined) {
        controller.close()
        return
      }
      const batch = await next
      next =
        batch.hasMore && batch.lastId !== undefined ? page(batch.lastId, BATCH, '\n') : undefined
      next?.catch(() => {})
      const header = isFirst && format === CSV ? CSV_HEADER : ''
      isFirst = false
      const text = header + (batch.count === 0 ? '' : print(batch.rows))
      if (text !== '') controller.enqueue(encoder.encode(text))
      else controller.close()
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
  ...['id', 'timestamp', 'query', 'response', 'sources', 'resolutionStatus', 'queryCategory'],
  ...['threadId', 'pageUrl'],
]
const CSV_HEADER = `${COLUMNS.join(',')}\r\n`

function printCsv(rows: string): string {
  return rows
    .split('\n')
    .map((row) => {
      const conversation = JSON.parse(row) as Record<string, unknown>
      return `${COLUMNS.map((column) => csvField(conversation[column])).join(',')}\r\n`
    })
    .join('')
}

/** RFC 4180, and a text that a spreadsheet would run as a formula is made a text. */
function csvField(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
