import {
  type AccessLabel,
  asPath,
  homePage,
  implies,
  isElsewhere,
  isReservedSource,
  type Navigation,
  pageUrl,
  type Redirect,
  RedirectTable,
} from '@octavo/model'
import type { PlannedPage } from './plan-pages.ts'

export type RedirectsInput = {
  readonly redirects: readonly Redirect[]
  readonly navigation: Navigation
}

type AddressedPage = Pick<PlannedPage, 'path' | 'url' | 'entry' | 'access'>

/** A redirect, for those who may know of its destination. */
export type LabelledRedirect = Redirect & { readonly access: AccessLabel }

/** Those of docs.json, and where no page stands at `/` or at a folder, from there to its first page. */
export function allRedirects(
  input: RedirectsInput,
  pages: readonly AddressedPage[],
): readonly Redirect[] {
  const implied = impliedRedirects(input, pages).flatMap(([first]) => first ?? [])
  return [...usedRedirects(input), ...implied.map(withoutAccess)]
}

/**
 * The same for a host that knows its readers. From an address that leads to the first page of a
 * folder there are several, the next for readers who may not read the ones before.
 */
export function labelledRedirects(
  input: RedirectsInput,
  pages: readonly AddressedPage[],
): readonly LabelledRedirect[] {
  const labels = new Map<string, AccessLabel>()
  for (const { path, url, access } of pages) {
    labels.set(url, access)
    labels.set(pageUrl(path), access)
  }
  const written = usedRedirects(input).map(({ source, destination, permanent }) => {
    const url = destination.replace(/[?#].*$/s, '').replace(/(?<=.)\/+$/, '')
    // A destination that is no page says nothing of any.
    return { source, destination, permanent, access: labels.get(url) ?? 'public' }
  })
  return [...written, ...impliedRedirects(input, pages).flat()]
}

/** Without those that were reported because no host may answer them. */
function usedRedirects({ redirects }: RedirectsInput): readonly Redirect[] {
  return redirects.filter(({ source }) => !isReservedSource(source))
}

function withoutAccess({ source, destination, permanent }: LabelledRedirect): Redirect {
  return { source, destination, permanent }
}

/** By source, each with the first page and those that are there for more readers. */
function impliedRedirects(
  { redirects, navigation }: RedirectsInput,
  pages: readonly AddressedPage[],
): readonly (readonly LabelledRedirect[])[] {
  const urls = new Set(pages.flatMap(({ path, url }) => [url, pageUrl(path)]))
  const written = new RedirectTable(redirects, (url) => urls.has(url))
  const first = firstOfFolders(pages)
  const home = homePage(navigation)
  if (home !== undefined) {
    const start = { url: home.url, access: home.access ?? 'default' }
    first.set('/', startPages([start, ...pages.filter(isListed)]))
  }
  const implied = [...first].filter(([source]) => !urls.has(source) && !written.match(source))
  // Not for ever: another page may become the first.
  return implied.map(([source, targets]) =>
    targets.map(({ url, access }) => ({ source, destination: url, permanent: false, access })),
  )
}

type StartPage = Pick<AddressedPage, 'url' | 'access'>

/** The first page, and of the others those that somebody may read who may not read an earlier one. */
function startPages(pages: readonly StartPage[]): readonly StartPage[] {
  const starts: StartPage[] = []
  for (const page of pages) {
    if (!starts.some(({ access }) => implies(page.access, access))) starts.push(page)
  }
  return starts
}

function isListed({ entry }: AddressedPage): boolean {
  return entry !== undefined && !entry.hidden
}

/** Readers cut addresses short, and authors link to folders: `/guides` is its first listed page. */
function firstOfFolders(pages: readonly AddressedPage[]): Map<string, readonly StartPage[]> {
  const first = new Map<string, readonly StartPage[]>()
  for (const page of pages) {
    if (!isListed(page)) continue
    const { url } = page
    for (let at = url.lastIndexOf('/'); at > 0; at = url.lastIndexOf('/', at - 1)) {
      const folder = url.slice(0, at)
      const before = first.get(folder)
      const starts = before === undefined ? [page] : startPages([...before, page])
      // Folders around this one have all that it has.
      if (starts.length === before?.length) break
      first.set(folder, starts)
    }
  }
  return first
}

/** The redirects for hosts that read a `_redirects` file: source, destination, status. */
export function redirectsFile(redirects: readonly Redirect[]): string {
  const lines = redirects.flatMap(withoutOptional).flatMap(({ source, destination, permanent }) => {
    const from = source.replaceAll(STAR, '*')
    const written = isElsewhere(destination) ? destination : asPath(destination)
    const to = written.replaceAll(STAR, ':splat')
    return [...keptOnSite(from, to), [from, to, permanent ? 308 : 307] as const]
  })
  const texts = lines.map(
    ([from, to, status]) => `${encodeSpaces(from)} ${encodeSpaces(to)} ${status}`,
  )
  return `${texts.join('\n')}\n`
}

const STAR = /:\w+\*|\*/g

/**
 * A star may match `/example.com`, and put in after the first slash of a destination this would be
 * another host. A line before takes such slashes out, one after the other.
 */
function keptOnSite(from: string, to: string): readonly (readonly [string, string, 308])[] {
  const star = from.indexOf('*')
  // From `/*` it would lead to itself, which was reported.
  if (!to.startsWith('/:splat') || star <= 1) return []
  const [before, after] = [from.slice(0, star), from.slice(star + 1)]
  return [[`${before}/*${after}`, `${before}:splat${after}`, 308]]
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
