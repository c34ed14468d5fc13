/** Finds out what is at each address of a built site. */
import { correctionOf, isTypoOf, joinPath, nearest, RedirectTable } from '@octavo/model'
import { canonicalBase } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import { allRedirects } from '../plan/redirects.ts'
import { SITE_FILES, STATIC_FILE } from '../plan/site-paths.ts'
import { specificationPaths } from '../plan/specification-files.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { CheckedPage } from './checked-page.ts'

export type Found =
  | { readonly kind: 'page'; readonly page: CheckedPage }
  | { readonly kind: 'file' }
  | { readonly kind: 'elsewhere' }
  /** The end of a redirect chain. `target` is undefined if nothing is there. */
  | {
      readonly kind: 'redirect'
      readonly destination: string
      readonly target: Found | undefined
      /**
       * True if the redirect moves a whole folder or is temporary; links may then use its source.
       */
      readonly isAlias: boolean
    }
  /** The address may be of a page that is generated from a specification that was not read. */
  | { readonly kind: 'unknown' }

/** A suggestion for an address that does not exist. */
export type Advice = {
  readonly hint: string
  /** The address to which a fix may change the link. */
  readonly correction?: string
}

/** The default folder of pages that are generated from a specification. */
const GENERATED_DIRECTORY = 'api-reference'
/** Matches addresses that every site has, for agents or from the host. */
const OWN_ADDRESS =
  /^\/(?:skill\.md|mcp|agents\.md|\.well-known\/.+|_octavo\/.+|(?:.+\/)?(?:rss|feed)\.xml)$/i
/** The hint for broken links without a better suggestion. */
export const CORRECT_LINK = 'Correct the link, or add a redirect from that URL.'
/** Maximum number of searches for the nearest address, because each search scans all pages. */
const GUESSES_MAX = 100

export class SiteAddresses {
  readonly #pages = new Map<string, CheckedPage>()
  readonly #files: ReadonlySet<string>
  readonly #redirects: RedirectTable
  readonly #unread: readonly string[]
  readonly #base: string
  readonly #site: LoadedSite
  #byName: ReadonlyMap<string, readonly string[]> | undefined
  #guessCount = 0

  constructor(site: LoadedSite, tree: SourceTree, pages: readonly CheckedPage[]) {
    for (const checked of pages) {
      const { path, alias } = checked.page
      this.#pages.set(path === 'index' ? '/' : `/${path}`, checked)
      if (alias !== undefined) this.#pages.set(`/${alias}`, checked)
    }
    const home = pages.find(({ page }) => page.path === 'index') ?? pages[0]
    if (home !== undefined && !this.#pages.has('/')) this.#pages.set('/', home)
    this.#files = new Set([
      ...tree.files.filter((file) => STATIC_FILE.test(file)),
      ...specificationPaths(site),
      ...SITE_FILES,
    ])
    const redirects = allRedirects(
      site,
      pages.map(({ page }) => page),
    )
    this.#redirects = new RedirectTable(redirects, (url) => this.#pages.has(decode(url)))
    this.#unread = unreadFolders(site)
    this.#base = basePath(site)
    this.#site = site
  }

  /** Returns what is at a path of the site, or undefined if the path does not exist. */
  find(path: string): Found | undefined {
    const wanted = plainPath(path)
    const found = this.#findAt(wanted) ?? this.#redirected(wanted)
    if (found !== undefined || this.#base === '') return found
    // If a site has a base path, its authors write links with or without that base path.
    if (wanted !== this.#base && !wanted.startsWith(`${this.#base}/`)) return undefined
    return this.find(wanted.slice(this.#base.length) || '/')
  }

  /** Returns the page at a path, directly or through redirects. */
  pageAt(path: string): CheckedPage | undefined {
    const found = this.find(path)
    const end = found?.kind === 'redirect' ? found.target : found
    return end?.kind === 'page' ? end.page : undefined
  }

  hasFile(path: string): boolean {
    return this.#files.has(path)
  }

  /** Returns the text of a specification, or undefined for other files. */
  specificationText(file: string): string | undefined {
    return this.#site.specification(file)?.text
  }

  /**
   * Returns true if a page at this path could be generated from a specification that was not read.
   */
  mayBeGenerated(path: string): boolean {
    return this.#unread.some((folder) => `${path}/`.startsWith(folder))
  }

  /** Returns a suggestion for a missing address that the page `from` links to. */
  adviceFor(
    path: string,
    { from, otherwise }: { readonly from?: string; readonly otherwise: string },
  ): Advice {
    const above = path.replace(/\/index$/, '')
    const first = this.find(above)?.kind === 'page' ? undefined : this.pageAt(above)
    if (first !== undefined)
      return { hint: `The path is a folder; its first page is \`${first.page.url}\`.` }
    const guess = this.#guess(path, from)
    if (guess === undefined) return { hint: otherwise }
    const { url, isExact } = guess
    return { hint: `Did you mean \`${url}\`?`, ...(isExact && { correction: url }) }
  }

  /**
   * Returns the address that a link on the page `from` was probably meant for, but never the
   * address of `from` itself.
   */
  #guess(path: string, from = ''): { url: string; isExact: boolean } | undefined {
    const wanted = plainPath(path).replace(/(?:\.mdx?|\/(?:index|README))$/, '')
    const alike = this.#namedLike(wanted).filter((url) => url !== from)
    const lower = wanted.toLowerCase()
    const other = alike.find((url) => url.toLowerCase() === lower)
    if (other !== undefined) return { url: other, isExact: true }
    const moved = alike.filter((url) => isMoved(wanted, url))
    const [only] = moved
    if (only !== undefined && moved.length === 1) return { url: only, isExact: false }
    // The same first folder is preferred, because it may be a language or version, and every
    // language or version may have such a page.
    for (const near of [wanted, from]) {
      const own = moved.filter((url) => segmentsOf(url)[0] === segmentsOf(near)[0])
      const [url] = own
      if (url !== undefined && own.length === 1) return { url, isExact: false }
    }
    this.#guessCount += 1
    if (this.#guessCount > GUESSES_MAX) return undefined
    const near = nearest(wanted, this.#pages.keys())
    if (near === undefined || near === from || !isTypoOf(wanted, near)) return undefined
    return { url: near, isExact: correctionOf(wanted, this.#pages.keys()) === near }
  }

  /**
   * Returns the addresses with the same last segment. They are indexed only once, because a large
   * site may have thousands of broken links.
   */
  #namedLike(path: string): readonly string[] {
    this.#byName ??= Map.groupBy(this.#pages.keys(), nameOf)
    return this.#byName.get(nameOf(path)) ?? []
  }

  #findAt(path: string): Found | undefined {
    const page = this.#pages.get(path) ?? this.#markdownOf(path)
    if (page !== undefined) return { kind: 'page', page }
    if (this.#files.has(path.slice(1)) || OWN_ADDRESS.test(path)) return { kind: 'file' }
    return this.mayBeGenerated(path) ? { kind: 'unknown' } : undefined
  }

  /**
   * Returns the page of an address such as `/start.md`, which serves the page's Markdown to
   * programs.
   */
  #markdownOf(path: string): CheckedPage | undefined {
    return path.endsWith('.md') ? this.#pages.get(path.slice(0, -3)) : undefined
  }

  #redirected(path: string): Found | undefined {
    const { steps, endless } = this.#redirects.follow(path)
    const last = steps.at(-1)
    if (last === undefined) return undefined
    const { destination } = last
    // Redirect loops are reported where they are defined.
    if (endless) return { kind: 'unknown' }
    // If the destination is not the configured one, a wildcard was filled in.
    const isAlias = steps.some(
      ({ destination, redirect }) =>
        destination !== redirect.destination || redirect.permanent === false,
    )
    if (!destination.startsWith('/'))
      return { kind: 'redirect', destination, target: { kind: 'elsewhere' }, isAlias }
    const end = destination.replace(/[?#].*$/s, '')
    const target = this.#findAt(plainPath(end))
    return { kind: 'redirect', destination, target, isAlias }
  }
}

/**
 * Returns true if only folders were added or removed, as in `/guides/care/soil` for `/guides/soil`.
 */
function isMoved(wanted: string, url: string): boolean {
  const [name, ...folders] = segmentsOf(wanted).toReversed()
  const [other, ...others] = segmentsOf(url).toReversed()
  if (name === undefined || name !== other || folders.length === 0 || others.length === 0)
    return false
  const [few, many] = folders.length < others.length ? [folders, others] : [others, folders]
  return few.every((folder) => many.includes(folder))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Normalizes a path as a web server does: decoded, without repeated or trailing slashes. */
function plainPath(path: string): string {
  return decode(path)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

function decode(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Returns the base path, such as `/docs` for a site at https://example.com/docs. */
function basePath({ config }: LoadedSite): string {
  const base = canonicalBase({ config })
  return base === undefined ? '' : new URL(base).pathname.replace(/\/+$/, '')
}

/** Returns folders whose pages are generated from specifications that could not be read. */
function unreadFolders(site: LoadedSite): readonly string[] {
  const folders = new Set<string>()
  const stack: unknown[] = [site.navigation.root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { children = [], specifications = [] } = node as {
      readonly children?: readonly unknown[]
      readonly specifications?: readonly { readonly source: string; readonly directory?: string }[]
    }
    stack.push(...children)
    for (const { source, directory } of specifications) {
      if (site.specification(source) !== undefined) continue
      const folder = joinPath('', directory ?? GENERATED_DIRECTORY) || GENERATED_DIRECTORY
      folders.add(`/${folder}/`)
    }
  }
  return [...folders]
}
