import { cleanText } from '@octavo/model/clean-text'

export type SafeLink = {
  readonly href: string
  /** The target host, which is shown to the reader; undefined for links within the site. */
  readonly host: string | undefined
}

export type Site = {
  readonly origin: string
  /** The base path, such as `/docs`; empty at the root of the host. */
  readonly base: string
}

const LENGTH_MAX = 2_000

/** Resolves an address to a web link; returns undefined for any other scheme. */
export function safeLink(written: string, { origin, base }: Site): SafeLink | undefined {
  const text = cleanText(written).trim()
  if (text.length > LENGTH_MAX) return undefined
  const isOwn = /^\/(?![/\\])/.test(text)
  const path = isOwn && base !== '' && !`${text}/`.startsWith(`${base}/`) ? base + text : text
  const url = URL.parse(path, `${origin}${base}/`)
  // A user name before the host could be mistaken for the host.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  if (url.origin === origin) return { href: url.pathname + url.search + url.hash, host: undefined }
  return { href: url.href, host: url.host }
}
