/** Every address that a built site answers, and what is there. */
import { isHosted, joinPath, nearest, RedirectTable } from '@octavo/model'
import { canonicalBase } from '@octavo/theme'
import type { LoadedSite } from '../load-site.ts'
import { STATIC_FILE } from '../outputs/assets.ts'
import { SITE_FILES } from '../outputs/site-files.ts'
import type { SourceTree } from '../source-tree.ts'
import { specificationFiles } from '../specification-files.ts'
import type { CheckedPage } from './checked-page.ts'

export type Found =
  | { readonly kind: 'page'; readonly page: CheckedPage }
  | { readonly kind: 'file' }
  | { readonly kind: 'elsewhere' }
  /** Where the way ends; `target` is nothing when it ends nowhere. */
  | {
      readonly kind: 'redirect'
      readonly destination: string
      readonly target: Found | undefined
      /** Another name for a whole folder, such as `/latest/:path*`, which is there to be linked to. */
      readonly isAlias: boolean
    }
  /** Nobody can tell: the pages there are made from something that was not read. */
  | { readonly kind: 'unknown' }

/** Where pages of a specification go that has no directory of its own. */
const GENERATED_DIRECTORY = 'api-reference'
/** Made for agents or by the host, on every site. */
const OWN_ADDRESS =
  /^\/(?:skill\.md|mcp|agents\.md|\.well-known\/.+|_octavo\/.+|(?:.+\/)?(?:rss|feed)\.xml)$/i
/** Beyond this the nearest address is not looked for: each takes a look at all pages. */
const GUESSES_MAX = 100

export class SiteAddresses {
  readonly #pages = new Map<string, CheckedPage>()
  readonly #files: ReadonlySet<string>
  readonly #redirects: RedirectTable
  readonly #unread: readonly string[]
  readonly #base: string
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
      ...specificationFiles(site, tree).map(({ path }) => path),
      ...SITE_FILES,
    ])
    this.#redirects = new RedirectTable(site.redirects, (url) => this.#pages.has(decode(url)))
    this.#unread = unreadFolders(site)
    this.#base = basePath(site)
  }

  /** What is at a path of the site; nothing when nothing is. */
  find(path: string): Found | undefined {
    const wanted = plainPath(path)
    const found = this.#findAt(wanted) ?? this.#redirected(wanted)
    if (found !== undefined || this.#base === '') return found
    // Authors of a site that is served below a path write links with it or without.
    if (wanted !== this.#base && !wanted.startsWith(`${this.#base}/`)) return undefined
    return this.find(wanted.slice(this.#base.length) || '/')
  }

  hasFile(path: string): boolean {
    return this.#files.has(path)
  }

  /** The address that was probably meant. */
  guess(path: string): string | undefined {
    const wanted = plainPath(path)
    const lower = wanted.toLowerCase()
    const [name = ''] = wanted.split('/').slice(-1)
    const urls = [...this.#pages.keys()]
    const other = urls.find((url) => url.toLowerCase() === lower)
    if (other !== undefined) return other
    const same = name === '' ? [] : urls.filter((url) => url.endsWith(`/${name}`))
    if (same.length === 1) return same[0]
    this.#guessCount += 1
    return this.#guessCount > GUESSES_MAX ? undefined : nearest(wanted, urls)
  }

  #findAt(path: string): Found | undefined {
    const page = this.#pages.get(path) ?? this.#markdownOf(path)
    if (page !== undefined) return { kind: 'page', page }
    if (this.#files.has(path.slice(1)) || OWN_ADDRESS.test(path)) return { kind: 'file' }
    const isUnread = this.#unread.some((folder) => `${path}/`.startsWith(folder))
    return isUnread ? { kind: 'unknown' } : undefined
  }

  /** `/start.md` is the Markdown of the page, for programs. */
  #markdownOf(path: string): CheckedPage | undefined {
    return path.endsWith('.md') ? this.#pages.get(path.slice(0, -3)) : undefined
  }

  #redirected(path: string): Found | undefined {
    const { steps, endless } = this.#redirects.follow(path)
    const last = steps.at(-1)
    if (last === undefined) return undefined
    const { destination } = last
    // A loop is reported where it is written.
    if (endless) return { kind: 'unknown' }
    // What was filled in is the rest of the path.
    const isAlias = steps.some((step) => step.destination !== step.redirect.destination)
    if (!destination.startsWith('/'))
      return { kind: 'redirect', destination, target: { kind: 'elsewhere' }, isAlias }
    const end = destination.replace(/[?#].*$/s, '')
    const target = this.#findAt(plainPath(end))
    return { kind: 'redirect', destination, target, isAlias }
  }
}

/** As a web server reads it: decoded, one slash where there are several, none at the end. */
function plainPath(path: string): string {
  return decode(path)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `/docs`, for a site whose address is https://example.com/docs. */
function basePath({ config }: LoadedSite): string {
  const base = canonicalBase({ config })
  return base === undefined ? '' : new URL(base).pathname.replace(/\/+$/, '')
}

/** Folders whose pages are made from specifications that could not be read here. */
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
      if (!isHosted(source) && site.specification(source) !== undefined) continue
      const folder = joinPath('', directory ?? GENERATED_DIRECTORY) || GENERATED_DIRECTORY
      folders.add(`/${folder}/`)
    }
  }
  return [...folders]
}
