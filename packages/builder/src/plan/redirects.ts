import {
  type AccessLabel,
  asPath,
  homePage,
  implies,
  isExternalDestination,
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

/** A redirect with the access label of its destination. */
export type LabelledRedirect = Redirect & { readonly access: AccessLabel }

/**
 * Returns the redirects in docs.json, and those from `/` and from folders without a page to their
 * first page.
 */
export function allRedirects(
  input: RedirectsInput,
  pages: readonly AddressedPage[],
): readonly Redirect[] {
  const implied = impliedRedirects(input, pages).flatMap(([first]) => first ?? [])
  return [...usedRedirects(input), ...implied.map(withoutAccess)]
}

/**
 * Returns the redirects for a host that knows which reader sends a request. The URL of a folder can
 * have several redirects, each for readers who may not read the destinations of the earlier ones.
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
    // If the destination is not a page, the redirect reveals no page.
    return { source, destination, permanent, access: labels.get(url) ?? 'public' }
  })
  return [...written, ...impliedRedirects(input, pages).flat()]
}

/** Removes redirects that no host may serve; a diagnostic reports them. */
function usedRedirects({ redirects }: RedirectsInput): readonly Redirect[] {
  return redirects.filter(({ source }) => !isReservedSource(source))
}

function withoutAccess({ source, destination, permanent }: LabelledRedirect): Redirect {
  return { source, destination, permanent }
}

/**
 * Returns the implied redirects by source: to the first page, and to the pages for readers who may
 * not read that one.
 */
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
  // The redirect is not permanent, because another page may become the first one.
  return implied.map(([source, targets]) =>
    targets.map(({ url, access }) => ({ source, destination: url, permanent: false, access })),
  )
}

type StartPage = Pick<AddressedPage, 'url' | 'access'>

/** Returns the first page, and further pages for readers who may not read the earlier ones. */
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

/**
 * Returns the first listed page of each folder, such as `/guides`, because readers shorten URLs and
 * authors link to folders.
 */
function firstOfFolders(pages: readonly AddressedPage[]): Map<string, readonly StartPage[]> {
  const first = new Map<string, readonly StartPage[]>()
  for (const page of pages) {
    if (!isListed(page)) continue
    const { url } = page
    for (let at = url.lastIndexOf('/'); at > 0; at = url.lastIndexOf('/', at - 1)) {
      const folder = url.slice(0, at)
      const before = first.get(folder)
      // The entries of the parent folders already contain all these pages.
      if (before?.some(({ access }) => implies(page.access, access))) break
      first.set(folder, [...(before ?? []), page])
    }
  }
  return first
}

/** Prints a `_redirects` file, in which each line has a source, a destination and a status. */
export function redirectsFile(redirects: readonly Redirect[]): string {
  const lines = redirects.flatMap(withoutOptional).flatMap(({ source, destination, permanent }) => {
    const from = source.replaceAll(STAR, '*')
    const written = isExternalDestination(destination) ? destination : asPath(destination)
    const to = written.replaceAll(STAR, ':splat')
    return [...sameHostRedirects(from, to), [from, to, permanent ? 308 : 307] as const]
  })
  const texts = lines.map(
    ([from, to, status]) => `${encodeSpaces(from)} ${encodeSpaces(to)} ${status}`,
  )
  return `${texts.join('\n')}\n`
}

const STAR = /:\w+\*|\*/g

/**
 * Prevents a redirect to another host: a wildcard may match `/example.com`, and the destination
 * would then be `//example.com`. An additional line before the redirect removes such slashes, one
 * at a time.
 */
function sameHostRedirects(from: string, to: string): readonly (readonly [string, string, 308])[] {
  const star = from.indexOf('*')
  // From `/*`, the additional line would redirect to itself. A diagnostic reports this.
  if (!to.startsWith('/:splat') || star <= 1) return []
  const [before, after] = [from.slice(0, star), from.slice(star + 1)]
  return [[`${before}/*${after}`, `${before}:splat${after}`, 308]]
}

/**
 * Replaces a redirect that has an optional segment with two redirects, one without the segment and
 * one with it. The hosts that read `_redirects` do not support `:name?`.
 */
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

/** Returns the redirects whose source is a plain path, at which a page can redirect readers. */
export function plainRedirects(redirects: readonly Redirect[]): readonly Redirect[] {
  return redirects.filter(({ source }) => source.startsWith('/') && !/[:*?#]/.test(source))
}

function encodeSpaces(text: string): string {
  return text.replaceAll(/\s/g, encodeURIComponent)
}
