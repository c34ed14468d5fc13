import type { Server } from 'node:http'

/** How long a stop waits for requests under way. */
const STOP_MS = 10_000

/** Takes no new requests and lets those under way finish; `onLate` is told before the rest are cut off. */
export async function stopServer(server: Server, onLate: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    void onLate()
    server.closeAllConnections()
  }, STOP_MS)
  await closed
  clearTimeout(timer)
}
