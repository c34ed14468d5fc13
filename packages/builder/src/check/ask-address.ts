/** One question to another site. Addresses inside our own network are never asked. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export type Answer =
  | { readonly kind: 'there' }
  | { readonly kind: 'gone'; readonly reason: string }
  /** Shut, slow, out of order, or not ours to ask. */
  | { readonly kind: 'unclear' }

const TIMEOUT_MS = 10_000
const REDIRECTS_MAX = 5
const GONE: ReadonlySet<number> = new Set([404, 410])
/** Some sites answer this wrongly, or not at all; they are asked for the page itself. */
const ASKS = ['HEAD', 'GET'] as const

export async function askAddress(url: string): Promise<Answer> {
  let answer: Answer = { kind: 'unclear' }
  for (const method of ASKS) {
    answer = await follow(url, method)
    if (answer.kind === 'there') return answer
  }
  return answer
}

async function follow(start: string, method: (typeof ASKS)[number]): Promise<Answer> {
  let url = start
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const reply = await ask(url, method)
    if (reply.kind === 'answer') return reply.answer
    const next = URL.parse(reply.location, url)
    if (next === null || !/^https?:$/.test(next.protocol)) return { kind: 'unclear' }
    url = next.href
  }
  return { kind: 'unclear' }
}

type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'redirect'; readonly location: string }

function ask(url: string, method: string): Promise<Reply> {
  const { hostname, protocol } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    return Promise.resolve(answered({ kind: 'unclear' }))
  const send = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const request = send(
      url,
      {
        method,
        lookup: lookupPublic,
        timeout: TIMEOUT_MS,
        signal: AbortSignal.timeout(TIMEOUT_MS * 2),
        headers: { 'user-agent': 'octavo-check (link checker)', accept: 'text/html,*/*' },
      },
      (response) => {
        // What it says is not needed, only that it says it.
        response.destroy()
        resolve(readReply(response))
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', (error: NodeJS.ErrnoException) => resolve(answered(readError(error))))
    request.end()
  })
}

function readReply({ statusCode = 0, headers }: IncomingMessage): Reply {
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    return { kind: 'redirect', location: headers.location }
  }
  if (GONE.has(statusCode))
    return answered({ kind: 'gone', reason: `its site answers ${statusCode}` })
  return answered(statusCode >= 200 && statusCode < 300 ? { kind: 'there' } : { kind: 'unclear' })
}

function readError({ code }: NodeJS.ErrnoException): Answer {
  return code === 'ENOTFOUND'
    ? { kind: 'gone', reason: 'there is no such host' }
    : { kind: 'unclear' }
}

function answered(answer: Answer): Reply {
  return { kind: 'answer', answer }
}

/** Networks that are not the internet (RFC 6890). */
const PRIVATE_V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3'
const PRIVATE_V6 = '::/127 64:ff9b::/96 fc00::/7 fe80::/10 ff00::/8'
const PRIVATE = createBlockList()

function createBlockList(): BlockList {
  const list = new BlockList()
  for (const [networks, family] of [
    [PRIVATE_V4, 'ipv4'],
    [PRIVATE_V6, 'ipv6'],
  ] as const) {
    for (const network of networks.split(' ')) {
      const [address = '', prefix = ''] = network.split('/')
      list.addSubnet(address, Number(prefix), family)
    }
  }
  return list
}

export function isPrivate({ address, family }: LookupAddress): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** The name is looked up once, and the address that was judged is the one that is asked. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true }
  lookup(hostname, all, (error, addresses) => {
    if (error !== null) return callback(error, '', 4)
    const [first] = addresses
    if (first === undefined || addresses.some(isPrivate)) {
      return callback(Object.assign(new Error('private address'), { code: 'EPRIVATE' }), '', 4)
    }
    if (options.all === true) return callback(null, [...addresses])
    return callback(null, first.address, first.family)
  })
}
