/** A list as lines of JSON, page by page: constant memory, and no long transaction. */

export const NDJSON = 'application/x-ndjson'

type LinePage<Cursor> = {
  readonly lines: readonly object[]
  readonly next: Cursor | undefined
}

export type LineStream<Cursor> = {
  readonly page: (cursor: Cursor | undefined) => Promise<LinePage<Cursor>>
  readonly from: Cursor | undefined
  readonly fileName: string
  /** Told when a page fails after the reply has begun. */
  readonly onBroken: (error: unknown) => void
}

export async function streamLines<Cursor>(input: LineStream<Cursor>): Promise<Response> {
  const { page, from, fileName, onBroken } = input
  // The first page comes before the reply begins: what fails here can still be told as a problem.
  let next: Promise<LinePage<Cursor>> | undefined = Promise.resolve(await page(from))
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A page may be empty and not the last; then nothing could be sent, and nobody would ask again.
      let isSent = false
      while (next !== undefined && !isSent) {
        const batch: LinePage<Cursor> = await next.catch((error: unknown) => {
          onBroken(error)
          // The client sees a broken connection. The error itself may hold rows, so it stays here.
          throw new Error('the stream failed')
        })
        next = batch.next === undefined ? undefined : page(batch.next)
        // A page that fails while nobody waits for it is reported by the pull that does.
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
