import { homePage, type Navigation, pageUrl, type Redirect, RedirectTable } from '@octavo/model'
import type { PlannedPage } from './plan-pages.ts'

export type RedirectsInput = {
  readonly redirects: readonly Redirect[]
  readonly navigation: Navigation
}

type AddressedPage = Pick<PlannedPage, 'url' | 'alias' | 'entry'>

/** Those of docs.json, and where no page stands at `/` or at a folder, from there to its first page. */
export function allRedirects(
  { redirects, navigation }: RedirectsInput,
  pages: readonly AddressedPage[],
): readonly Redirect[] {
  const urls = new Set(
    pages.flatMap(({ url, alias }) => (alias === undefined ? [url] : [url, pageUrl(alias)])),
  )
  const written = new RedirectTable(redirects, (url) => urls.has(url))
  const first = firstOfFolders(pages)
  const home = homePage(navigation)
  if (home !== undefined) first.set('/', home.url)
  const implied = [...first].filter(([source]) => !urls.has(source) && !written.match(source))
  // Not for ever: another page may become the first.
  return [
    ...redirects,
    ...implied.map(([source, destination]) => ({ source, destination, permanent: false })),
  ]
}

/** Readers cut addresses short, and authors link to folders: `/guides` is its first listed page. */
function firstOfFolders(pages: readonly AddressedPage[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const { url, entry } of pages) {
    if (entry === undefined || entry.hidden) continue
    for (let at = url.lastIndexOf('/'); at > 0; at = url.lastIndexOf('/', at - 1)) {
      const folder = url.slice(0, at)
      if (first.has(folder)) break
      first.set(folder, url)
    }
  }
  return first
}

/** The redirects for hosts that read a `_redirects` file: source, destination, status. */
export function redirectsFile(redirects: readonly Redirect[]): string {
  const lines = redirects.flatMap(withoutOptional).map(({ source, destination, permanent }) => {
    const from = source.replaceAll(/:\w+\*|\*/g, '*')
    const to = destination.replaceAll(/:\w+\*|\*/g, ':splat')
    return `${encodeSpaces(from)} ${encodeSpaces(to)} ${permanent ? 308 : 307}`
  })
  return `${lines.join('\n')}\n`
}

/** Those hosts know no `:name?`: it is two redirects, without the segment and with it. */
function withoutOptional(redirect: Redirect): readonly Redirect[] {
  const name = /\/:(\w+)\?\/*$/.exec(redirect.source)?.[1]
  if (name === undefined) return [redirect]
  const wildcard = new RegExp(`(/?):${name}\\b[*?]?`, 'g')
  const { source, destination } = redirect
  return ['', `$1:${name}`].map((put) => ({
    ...redirect,
    source: source.replace(/\/:\w+\?\/*$/, put === '' ? '' : `/:${name}`) || '/',
    destination: destination.replace(wildcard, put) || '/',
  }))
}

/** Redirects from one plain path: a page can stand there that sends readers on. */
export function plainRedirects(redirects: readonly Redirect[]): readonly Redirect[] {
  return redirects.filter(({ source }) => source.startsWith('/') && !/[:*?#]/.test(source))
}

function encodeSpaces(text: string): string {
  return text.replaceAll(/\s/g, encodeURIComponent)
}
