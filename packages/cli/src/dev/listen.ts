type Listening = { readonly listen: (port: number) => Promise<number> }

const PORT_FIRST = 3_000
const PORTS_TRIED = 20

/** Listens on the requested port or the first free one; returns undefined if it is in use. */
export async function listen(
  server: Listening,
  asked: number | undefined,
): Promise<number | undefined> {
  const tries = asked === undefined ? PORTS_TRIED : 1
  for (let port = asked ?? PORT_FIRST, left = tries; left > 0; port += 1, left -= 1) {
    try {
      return await server.listen(port)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  return undefined
}

export function portTaken(asked: number | undefined): string {
  return asked === undefined
    ? `octavo: ports ${PORT_FIRST} to ${PORT_FIRST + PORTS_TRIED - 1} are already in use. Choose another one with --port.\n`
    : `octavo: port ${asked} is already in use. Choose another one with --port.\n`
}

/** Returns the server's origin for a browser, without a trailing slash. */
export function printOrigin(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
