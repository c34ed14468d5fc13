import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createDocsServer, type DocsServerOptions } from './create-docs-server.ts'

export type StdioStreams = { readonly input: Readable; readonly output: Writable }

/**
 * The maximum time to wait for open requests. Some of them never get a response, because the client
 * canceled them or closed its pipe.
 */
const LAST_ANSWERS_MS_MAX = 30_000

/**
 * Serves one client over stdio until the client closes its pipe. Then waits until all open requests
 * have a response.
 */
export async function serveDocs(
  site: DocsServerOptions,
  { input, output }: StdioStreams,
): Promise<void> {
  // The transport drops open requests when its input ends. So it reads from a stream that does not
  // end.
  const messages = input.pipe(new PassThrough(), { end: false })
  const transport = new StdioServerTransport(messages, output)
  const ended = new Promise<void>((resolve) => {
    input.once('close', resolve)
    input.once('end', () => setImmediate(resolve))
    output.once('error', () => resolve())
  })
  const { close } = serveStdio(() => createDocsServer(site), { transport, onerror: site.onError })
  const answered = trackRequests(transport)
  await ended
  await Promise.race([answered(), sleep(LAST_ANSWERS_MS_MAX, undefined, { ref: false })])
  await close()
}

/** Returns a function that waits until all requests that have arrived have a response. */
function trackRequests(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>()
  let onAnswered = () => {}
  const receive = transport.onmessage
  const send = transport.send.bind(transport)
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id)
    receive?.(message)
  }
  transport.send = async (message) => {
    await send(message)
    if ('method' in message) return
    open.delete(message.id)
    if (open.size === 0) onAnswered()
  }
  return () => {
    if (open.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      onAnswered = resolve
    })
  }
}
