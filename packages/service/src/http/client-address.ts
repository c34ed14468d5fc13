import { BlockList, isIPv6 } from 'node:net'

/** Finds the address of the client, given that of the connection and `X-Forwarded-For`. */
export type FindClientAddress = (
  connection: string | undefined,
  forwarded: string | undefined,
) => string | undefined

/**
 * Only proxies that the operator names are believed: the address is the last one in the list that
 * is not one of them. What stands before it was written by the client.
 */
export function createFindClientAddress(trusted: readonly string[]): FindClientAddress {
  const proxies = new BlockList()
  for (const network of trusted) {
    const [address = '', bits = ''] = network.split('/')
    proxies.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  const isTrusted = (address: string) =>
    proxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  // Most connections come from the same proxy, and every page is asked for through this.
  let last = { address: '', isTrusted: false }
  const isTrustedConnection = (address: string) => {
    if (address !== last.address) last = { address, isTrusted: isTrusted(address) }
    return last.isTrusted
  }
  return (connection, forwarded) => {
    const own = plainAddress(connection)
    if (own === undefined || forwarded === undefined || !isTrustedConnection(own)) return own
    const list = forwarded.split(',').map((part) => plainAddress(part.trim()) ?? '')
    return list.findLast((address) => address !== '' && !isTrusted(address)) ?? own
  }
}

/** `::ffff:10.0.0.1` is 10.0.0.1 to a list of networks, and a zone (`%eth0`) is no address. */
function plainAddress(address: string | undefined): string | undefined {
  if (address === undefined || !/[:%]/.test(address)) return address
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** What limits count: an IPv4 address, or the /64 that one household or server has of IPv6. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !isIPv6(address)) return address ?? ''
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: zeros }, () => '0'), ...(after ?? [])]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
