/**
 * Streams a list as lines of JSON, page by page, with constant memory and without a long
 * transaction.
 */

export const NDJSON = 'application/x-ndjson'

type LinePage<Cursor> = {
  readonly lines: readonly object[]
  readonly next: Cursor | undefined
}

export type LineStream<Cursor> = {
  readonly page: (cursor: Cursor | undefined) => Promise<LinePage<Cursor>>
  readonly from: Cursor | undefined
  readonly fileName: string
  /** Called if a page fails after the response has started. */
  readonly onBroken: (error: unknown) => void
}

export async function streamLines<Cursor>(input: LineStream<Cursor>): Promise<Response> {
  const { page, from, fileName, onBroken } = input
  // Reads the first page before the response starts, so that an error can still be returned as a
  // problem.
  let next: Promise<LinePage<Cursor>> | undefined = Promise.resolve(await page(from))
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Skips empty pages that are not the last: if nothing is enqueued, the stream is not pulled
      // again.
      let isSent = false
      while (next !== undefined && !isSent) {
        const batch: LinePage<Cursor> = await next.catch((error: unknown) => {
          onBroken(error)
          // The client sees a broken connection. The original error may contain rows, so it is not
          // passed on.
          throw new Error('the stream failed')
        })
        next = batch.next === undefined ? undefined : page(batch.next)
        // Avoids an unhandled rejection; the next pull reports the error.
        next?.catch(() => {})
        isSent = batch.lines.length > 0
        const text = batch.lines.map((line) => `${JSON.stringify(line)}\n`).join('')
        if (isSent) controller.enqueue(Buffer.from(text))
      }
      if (!isSent) controller.close()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': NDJSON,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  })
}
