/** A small in-memory S3 store that can respond with errors, slowly, or not at all. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type StoreMode = 'good' | 'errors' | 'half' | 'slow' | 'silent'

const SLOW_MS = 5_000

export async function startFaultyStore() {
  const objects = new Map<string, Buffer>()
  let mode: StoreMode = 'good'
  let requests = 0
  let failed = { from: 0, to: 0 }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      // The client has disconnected.
      return
    }
    if (mode === 'silent') return
    requests += 1
    const isPlanned = requests >= failed.from && requests < failed.to
    if (isPlanned || mode === 'errors' || (mode === 'half' && Math.random() < 0.5)) {
      response.writeHead(500, { 'content-type': 'application/xml' })
      response.end('<Error><Code>InternalError</Code></Error>')
      return
    }
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    const name = request.url?.split('?')[0] ?? ''
    const { method = '' } = request
    if (method === 'PUT') {
      objects.set(name, Buffer.concat(pieces))
      response.end()
      return
    }
    const found = objects.get(name)
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/xml' })
      response.end(method === 'HEAD' ? undefined : '<Error><Code>NoSuchKey</Code></Error>')
      return
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = start === undefined ? found : found.subarray(Number(start), Number(end) + 1)
    response.writeHead(start === undefined ? 200 : 206, {
      'content-length': part.length,
      ...(start !== undefined && { 'content-range': `bytes ${start}-${end}/${found.length}` }),
    })
    response.end(method === 'HEAD' ? undefined : part)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next: StoreMode) => {
      mode = next
      // Requests without a response are closed.
      server.closeAllConnections()
    },
    /** Responds with errors to this many requests, starting with the n-th from now. */
    failFrom: (nth: number, count: number) => {
      failed = { from: requests + nth, to: requests + nth + count }
    },
    requests: () => requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
