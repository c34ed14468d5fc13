import { createServer } from 'node:net'

const PORTS_TRIED_MAX = 20

/** Returns the first free port from `first` on; undefined if all tried ports are in use. */
export async function findFreePort(first: number): Promise<number | undefined> {
  for (let port = first; port < first + PORTS_TRIED_MAX; port += 1)
    if (await isPortFree(port)) return port
  return undefined
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
