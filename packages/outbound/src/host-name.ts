import { isIPv6 } from 'node:net'

/**
 * Parses a host into the format of `URL.hostname`; returns undefined if the text is not exactly a
 * host.
 */
export function parseHostName(text: string): string | undefined {
  const bracketed = isIPv6(text) ? `[${text}]` : text
  if (/[/?#@\\\s]/.test(bracketed)) return undefined
  const url = URL.parse(`http://${bracketed}/`)
  // A host must not contain a port. The input is checked because URL drops the default port.
  if (url === null || url.hostname === '' || /:\d*$/.test(bracketed)) return undefined
  return url.hostname
}
