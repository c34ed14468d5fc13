import { isIPv6 } from 'node:net'

/** Returns a host in the format of `URL.hostname`; undefined if the text is not exactly a host. */
export function parseHostName(text: string): string | undefined {
  const bracketed = isIPv6(text) ? `[${text}]` : text
  if (/[/?#@\\\s]/.test(bracketed)) return undefined
  const url = URL.parse(`http://${bracketed}/`)
  // A port is not part of a host, not even the default one, which URL drops.
  if (url === null || url.hostname === '' || /:\d*$/.test(bracketed)) return undefined
  return url.hostname
}
