import { cleanText } from '@octavo/model/clean-text'

export type SafeLink = {
  readonly href: string
  /** The host that it leads to, which the reader is shown; nothing for the site itself. */
  readonly host: string | undefined
}

export type Site = {
  readonly origin: string
  /** `/docs`; empty at the root of the host. */
  readonly base: string
}

const LENGTH_MAX = 2_000

/** Where an address leads, if that is a page on the web. Nothing else is ever a link. */
export function safeLink(written: string, { origin, base }: Site): SafeLink | undefined {
  const text = cleanText(written).trim()
  if (text.length > LENGTH_MAX) return undefined
  const isOwn = /^\/(?![/\\])/.test(text)
  const path = isOwn && base !== '' && !`${text}/`.startsWith(`${base}/`) ? base + text : text
  const url = URL.parse(path, `${origin}${base}/`)
  // A name before the host is there to look like one.
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  if (url.origin === origin) return { href: url.pathname + url.search + url.hash, host: undefined }
  return { href: url.href, host: url.host }
}
