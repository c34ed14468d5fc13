/** One request to one address that was checked. A name is looked up once, and that is where it goes. */
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { HeaderPair } from './proxy-headers.ts'
import { ProxyRefusal } from './proxy-refusal.ts'
import { isPublicAddress } from './public-address.ts'

export type OutboundOptions = {
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  readonly isAllowed: (address: string) => boolean
  readonly dial: (address: string, port: number) => Socket
}

export const OUTBOUND: OutboundOptions = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  dial: (address, port) => connect({ host: address, port }),
}

export type Outbound = {
  readonly method: string
  readonly url: URL
  readonly headers: readonly HeaderPair[]
  readonly body: Buffer | undefined
  readonly signal: AbortSignal
}

const PORTS = new Set([80, 443, 8080, 8443])
const RESOLVE_MS_MAX = 2_000

export async function sendOutbound(
  outbound: Outbound,
  options: OutboundOptions,
): Promise<IncomingMessage> {
  const { url } = outbound
  const isSecure = url.protocol === 'https:'
  if (!isSecure && url.protocol !== 'http:') throw new ProxyRefusal('scheme')
  if (url.username !== '' || url.password !== '') throw new ProxyRefusal('userinfo')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  if (!PORTS.has(port)) throw new ProxyRefusal('port')
  const address = await checkedAddress(url.hostname, options)
  const createConnection = () => {
    const socket = options.dial(address, port)
    if (!isSecure) return socket
    return connectSecure({ socket, servername: isIP(url.hostname) ? '' : url.hostname })
  }
  const send = isSecure ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        // A connection of its own: what one site leaves behind is not seen by the next.
        method: outbound.method,
        signal: outbound.signal,
        createConnection,
        headers: headersOf(outbound),
      },
      resolve,
    )
    request.on('error', reject)
    request.end(outbound.body)
  })
}

function headersOf({ headers, body, url }: Outbound): Record<string, string> {
  return {
    ...Object.fromEntries(headers),
    host: url.host,
    'accept-encoding': 'identity',
    'user-agent': 'Octavo-Playground',
    connection: 'close',
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  }
}

/** Every address of the name must be public: one that is not shows what the name is for. */
async function checkedAddress(host: string, options: OutboundOptions): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '')
  const addresses = isIP(bare) ? [bare] : await inTime(options.resolve(bare))
  const [first] = addresses
  if (first === undefined) throw new ProxyRefusal('name')
  if (!addresses.every(options.isAllowed)) throw new ProxyRefusal('address')
  return first
}

async function inTime(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((_, reject) => {
    timer = setTimeout(() => reject(new ProxyRefusal('name')), RESOLVE_MS_MAX)
  })
  try {
    return await Promise.race([answer.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}
