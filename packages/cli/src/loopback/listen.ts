type Listening = { readonly listen: (port: number) => Promise<number> }

/** The first port that a site is served on. */
const SITE_PORT = 3_000
const ATTEMPTS_MAX = 20

/**
 * Listens on the requested port, or on the first free one if none is requested. Returns undefined
 * if the port is in use.
 */
export async function listen(
  server: Listening,
  requestedPort: number | undefined,
  portFirst = SITE_PORT,
): Promise<number | undefined> {
  const attemptsMax = requestedPort === undefined ? ATTEMPTS_MAX : 1
  for (let port = requestedPort ?? portFirst, left = attemptsMax; left > 0; port += 1, left -= 1) {
    try {
      return await server.listen(port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  return undefined
}

export function portTaken(requestedPort: number | undefined, portFirst = SITE_PORT): string {
  return requestedPort === undefined
    ? `octavo: ports ${portFirst} to ${portFirst + ATTEMPTS_MAX - 1} are already in use. Choose another one with --port.\n`
    : `octavo: port ${requestedPort} is already in use. Choose another one with --port.\n`
}

/** Returns the server's origin for a browser, without a trailing slash. */
export function printOrigin(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
