import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'

/** Returns the client's address, based on the address of the connection and `X-Forwarded-For`. */
export type FindClientAddress = (
  connection: string | undefined,
  forwarded: string | undefined,
) => string | undefined

/**
 * Returns the address of the client that sent a request. Repeated headers need no special care,
 * because Node joins them with a comma.
 */
export function addressOf(
  { socket, headers }: IncomingMessage,
  find: FindClientAddress,
): string | undefined {
  return find(socket.remoteAddress, headers['x-forwarded-for']?.toString())
}

/**
 * Creates a function that finds the client's address: the last one in `X-Forwarded-For` that is not
 * one of the operator's trusted proxies. The client may have written anything before it.
 */
export function createFindClientAddress(trusted: readonly string[]): FindClientAddress {
  const ipv6 = new BlockList()
  const ipv4: { readonly first: number; readonly size: number }[] = []
  for (const network of trusted) {
    const [address = '', bits = ''] = network.split('/')
    const base = ipv4Of(address)
    const size = 2 ** (32 - Number(bits))
    if (base === undefined) ipv6.addSubnet(address, Number(bits), 'ipv6')
    else ipv4.push({ first: base - (base % size), size })
  }
  // Compares IPv4 addresses in JavaScript, because this runs for every page and `BlockList` takes
  // several times as long.
  const isTrusted = (address: string) => {
    if (address.includes(':')) return ipv6.check(address, 'ipv6')
    const own = ipv4Of(address)
    return own !== undefined && ipv4.some(({ first, size }) => own >= first && own < first + size)
  }
  return (connection, forwarded) => {
    const own = plainAddress(connection)
    if (own === undefined || forwarded === undefined || !isTrusted(own)) return own
    const list = forwarded.split(',').map((part) => plainAddress(part.trim()) ?? '')
    return list.findLast((address) => address !== '' && !isTrusted(address)) ?? own
  }
}

/** Returns the address as a number; undefined if the text is not an IPv4 address. */
function ipv4Of(text: string): number | undefined {
  let number = 0
  let part = -1
  let parts = 0
  for (let at = 0; at <= text.length; at += 1) {
    const digit = at === text.length ? DOT : text.charCodeAt(at) - ZERO
    if (digit === DOT) {
      if (part < 0 || part > 255) return undefined
      number = number * 256 + part
      part = -1
      parts += 1
    } else if (digit < 0 || digit > 9 || part === 0) return undefined
    else part = Math.max(part, 0) * 10 + digit
  }
  return parts === 4 ? number : undefined
}
const ZERO = 48
/** The character code of a dot relative to the digit zero. */
const DOT = '.'.charCodeAt(0) - ZERO

/**
 * Converts `::ffff:10.0.0.1` to `10.0.0.1`, which can be compared with IPv4 networks, and removes a
 * zone such as `%eth0`.
 */
function plainAddress(address: string | undefined): string | undefined {
  if (!address?.includes(':')) return address
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}
