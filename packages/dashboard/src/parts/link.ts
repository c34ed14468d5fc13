/** Links to what others wrote: http and https, or text. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

/** Nothing for an address of any other scheme, or one that is no address. */
export function webAddress(text: string | undefined, base?: string): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}

export type LinkOptions = { readonly base?: string | undefined; readonly className?: string }

/** The label as a link if the address may be followed, and as text if not. */
export function webLink(
  address: string | undefined,
  label: HtmlPart,
  { base, className = 'link' }: LinkOptions = {},
): Html {
  const url = webAddress(address, base)
  if (url === undefined) return html`<span>${label}</span>`
  return html`<a class="${className}" href="${url}" rel="noreferrer">${label}</a>`
}

/** `docs.example.org` of an address. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}

/** The path of an address of the own site, and the whole address of any other. */
export function shortAddress(address: string, site: string | undefined): string {
  const { origin } = URL.parse(site ?? '') ?? {}
  const isOwn = origin !== undefined && address.startsWith(`${origin}/`)
  return isOwn ? address.slice(origin.length) : address
}

/** A page of the own site by its path, as a link to where it is live. Agents name pages that are none. */
export function pageLink(path: string, site: string | undefined, className = 'main mono'): Html {
  const url = URL.parse(path, site)
  // A path such as `/\host` leads to another one.
  const isOwn = path.startsWith('/') && url !== null && url.origin === URL.parse(site ?? '')?.origin
  if (!isOwn) return html`<span class="${className}">${path}</span>`
  return webLink(url.href, path, { className })
}

export function siteButton(address: string | undefined, label: HtmlPart): HtmlPart {
  if (webAddress(address) === undefined) return undefined
  return webLink(address, [label, icon('arrow-up-right')], { className: 'button' })
}
