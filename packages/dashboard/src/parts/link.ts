/** Links to untrusted addresses: only http and https, otherwise plain text. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

/**
 * Returns the address if it is http or https; undefined for other schemes and malformed addresses.
 */
export function webAddress(text: string | undefined, base?: string): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}

export type LinkOptions = { readonly base?: string | undefined; readonly className?: string }

/** Renders the label as a link if the address is safe, otherwise as text. */
export function webLink(
  address: string | undefined,
  label: HtmlPart,
  { base, className = 'link' }: LinkOptions = {},
): Html {
  const url = webAddress(address, base)
  if (url === undefined) return html`<span>${label}</span>`
  return html`<a class="${className}" href="${url}" rel="noreferrer">${label}</a>`
}

/** Returns the host of an address, such as `docs.example.org`. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}

/** Returns only the path for addresses of the site, otherwise the whole address. */
export function shortAddress(address: string, site: string | undefined): string {
  const { origin } = URL.parse(site ?? '') ?? {}
  const isOwn = origin !== undefined && address.startsWith(`${origin}/`)
  return isOwn ? address.slice(origin.length) : address
}

/** Returns the address of a path on the live site; undefined if the path leads to another host. */
export function pageAddress(path: string, site: string | undefined): string | undefined {
  const url = URL.parse(path, site)
  // A path such as `/\host` leads to another host.
  const isOwn = path.startsWith('/') && url !== null && url.origin === URL.parse(site ?? '')?.origin
  return isOwn ? webAddress(url.href) : undefined
}

/**
 * Renders a page's path as a link to the live site, or as text, since agents may report paths that
 * are not on the site.
 */
export function pageLink(path: string, site: string | undefined, className = 'main mono'): Html {
  const address = pageAddress(path, site)
  if (address === undefined) return html`<span class="${className}">${path}</span>`
  return webLink(address, path, { className })
}

export function siteButton(address: string | undefined, label: HtmlPart): HtmlPart {
  if (webAddress(address) === undefined) return undefined
  return webLink(address, [label, icon('arrow-up-right')], { className: 'button' })
}
