import type { Server } from 'node:http'

/** The time in which open requests can finish during a shutdown. */
const STOP_MS = 10_000

/**
 * Stops accepting requests and waits for open ones. After a time limit, calls `onLate` and aborts
 * the remaining requests.
 */
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
