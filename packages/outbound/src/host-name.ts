import { isIPv6 } from 'node:net'

/** A host as `URL.hostname` gives it; nothing for a text that is more or less than a host. */
export function parseHostName(text: string): string | undefined {
  const bracketed = isIPv6(text) ? `[${text}]` : text
  if (/[/?#@\\\s]/.test(bracketed)) return undefined
  const url = URL.parse(`http://${bracketed}/`)
  // A port, also the default one that URL drops, is not part of a host.
  if (url === null || url.hostname === '' || /:\d*$/.test(bracketed)) return undefined
  return url.hostname
}
