/**
 * A page of any site can make a browser ask a server on this machine, under a name of its own that
 * leads here. Such a name is not among those that this server answers to.
 */
import { isIP } from 'node:net'

/** `written` is the `Host` header, `bound` what the server was told to listen on. */
export function isAllowedHost(written: string | undefined, bound: string): boolean {
  const name = hostName(written)
  if (name === undefined) return false
  // A number leads to no other place than itself.
  return name === 'localhost' || name === bound.toLowerCase() || isIP(name) !== 0
}

/** Only somebody at this machine. */
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
