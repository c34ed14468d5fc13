import type { Server } from 'node:http'

/** The time that open requests get to finish during shutdown. */
const STOP_MS = 10_000

/**
 * Stops accepting requests and lets open ones finish. Calls `onLate` before the remaining ones are
 * aborted.
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
