/**
 * Protects against DNS rebinding: any website can point its own host name at this machine and make
 * a browser send requests here. Such a name is not in the list of allowed hosts.
 */
import { isIP } from 'node:net'

/** `written` is the `Host` header, `bound` the host that the server listens on. */
export function isAllowedHost(written: string | undefined, bound: string): boolean {
  const name = hostName(written)
  if (name === undefined) return false
  // An IP address cannot be rebound.
  return name === 'localhost' || name === bound.toLowerCase() || isIP(name) !== 0
}

/** Returns true for a host name of this machine. */
export function isLocalHost(written: string | undefined): boolean {
  const name = hostName(written)
  return name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name ?? '')
}

export function isLocalAddress(address: string | undefined): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '')
}

function hostName(written: string | undefined): string | undefined {
  const url = URL.parse(`http://${written ?? ''}`)
  if (url === null || url.host !== written?.toLowerCase().replace(/:80$/, '')) return undefined
  return url.hostname.replace(/^\[|\]$/g, '')
}
