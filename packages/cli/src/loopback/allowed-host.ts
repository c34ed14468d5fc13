/**
 * Protects against DNS rebinding: any website can point its host name at this machine and make a
 * browser send requests to it. Such a host name is not allowed.
 */
import { isIP } from 'node:net'

/** Checks a request's `Host` header, `written`, for a server that listens on the host `bound`. */
export function isAllowedHost(written: string | undefined, bound: string): boolean {
  const name = hostName(written)
  if (name === undefined) return false
  // An IP address is always allowed, since DNS rebinding needs a name.
  return name === 'localhost' || name === bound.toLowerCase() || isIP(name) !== 0
}

/** Checks whether a `Host` header names this machine. */
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
