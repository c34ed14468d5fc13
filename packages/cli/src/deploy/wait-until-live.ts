import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import type { CommandContext } from '../context/command-context.ts'

const WAIT_MS_MAX = 60_000
const PAUSE_MS = 500
const BODY_BYTES_MAX = 10_000

/** Asks the site itself, on its own host, which deployment readers get. */
export async function waitUntilLive(
  world: CommandContext,
  siteUrl: string,
  id: string,
): Promise<boolean> {
  const address = new URL('_octavo/version.json', siteUrl.endsWith('/') ? siteUrl : `${siteUrl}/`)
  const end = world.clock.now() + WAIT_MS_MAX
  while (world.clock.now() < end) {
    const text = await read(address).catch(() => '')
    if (text.includes(`"${id}"`)) return true
    await world.clock.sleep(PAUSE_MS)
  }
  return false
}

function read(address: URL): Promise<string> {
  const get = address.protocol === 'https:' ? getHttps : getHttp
  const isLocal = address.hostname.endsWith('.localhost')
  return new Promise((resolve, reject) => {
    const request = get(
      {
        protocol: address.protocol,
        // Names below `localhost` are this machine everywhere, but not every resolver knows.
        hostname: isLocal ? '127.0.0.1' : address.hostname,
        port: address.port,
        path: address.pathname,
        headers: { host: address.host },
        timeout: 10_000,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          text += piece
          if (text.length > BODY_BYTES_MAX) response.destroy()
        })
        response.on('end', () => resolve(text))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error('timeout')))
  })
}
