import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export type CountingProxy = {
  readonly url: string
  /** The number of bytes that clients have sent, with the heads of their requests. */
  readonly sent: () => number
  readonly received: () => number
  readonly stop: () => void
}

/** Passes connections on to a local port and counts their bytes. */
export async function startCountingProxy(port: number): Promise<CountingProxy> {
  let sent = 0
  let received = 0
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1')
    client.on('data', (piece) => (sent += piece.length))
    service.on('data', (piece) => (received += piece.length))
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent: () => sent,
    received: () => received,
    stop: () => void server.close(),
  }
}
