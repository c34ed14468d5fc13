/** Knows the new address of every page, file and name of a MkDocs site. */
import type { Assets } from '../folder/assets.ts'
import { newUrlOf } from '../site/addresses.ts'
import type { PageSource } from './page-source.ts'

type Site = {
  readonly assets: Assets
  readonly pagesFolder: string
  readonly prefix: string
  readonly sources: readonly PageSource[]
  readonly hasReferences: boolean
}

export class SiteAddresses {
  readonly #site: Site
  readonly #assets: Assets
  readonly #byFile: ReadonlyMap<string, PageSource>
  readonly #byUrl: ReadonlyMap<string, PageSource>
  readonly #names: ReadonlyMap<string, string>

  constructor(site: Site) {
    this.#site = site
    this.#assets = site.assets
    this.#byFile = new Map(site.sources.map((source) => [source.original, source]))
    this.#byUrl = new Map(
      site.sources.flatMap((source) => [[plainUrl(source.oldUrl), source] as const]),
    )
    this.#names = site.hasReferences ? readNames(site.sources) : new Map()
  }

  /** Returns the address of a page or file by its path in the folder of pages. */
  ofFile(file: string, fragment: string): string | undefined {
    const page =
      this.#byFile.get(file) ??
      this.#byFile.get(`${file}.md`) ??
      this.#byFile.get(`${file}/index.md`.replace(/^\//, ''))
    if (page !== undefined) return this.#ofPage(page, fragment)
    const path = this.asset(file)
    return path === undefined ? undefined : `${path}${fragment}`
  }

  /** Returns the address for a path of the old site. */
  ofUrl(url: string, fragment: string): string | undefined {
    const { prefix } = this.#site
    const paths =
      prefix !== '' && `${url}/`.startsWith(`${prefix}/`) ? [url.slice(prefix.length), url] : [url]
    for (const path of paths) {
      const page = this.#byUrl.get(plainUrl(path))
      if (page !== undefined) return this.#ofPage(page, fragment)
      const asset = this.asset(path.replace(/^\//, ''))
      if (asset !== undefined) return `${asset}${fragment}`
    }
    return undefined
  }

  /** Returns the address of a documented name, or of a heading anywhere in the site. */
  ofName(name: string): string | undefined {
    for (let part = name; part !== ''; part = part.replace(/(?:^|[.#])[^.#]*$/, '')) {
      const address = this.#names.get(part) ?? this.#ofClass(part.split('.').at(-1) ?? '')
      if (address !== undefined) return address
    }
    return undefined
  }

  /** A class can be documented under a shorter name than the one of its module. */
  #ofClass(name: string): string | undefined {
    if (!/^[A-Z]/.test(name)) return undefined
    const found = [...this.#names].filter(([one]) => one.endsWith(`.${name}`))
    return found.length === 1 ? found[0]?.[1] : undefined
  }

  /** Copies a file of the pages; returns its address, or undefined if it does not exist. */
  asset(file: string): string | undefined {
    return this.#assets.add(this.#site.pagesFolder, file)
  }

  #ofPage(page: PageSource, fragment: string): string {
    const { path, titleAnchor, names, isPlaceholder } = page
    // The first heading is the title of the new page, which has no anchor.
    const isTitle = titleAnchor !== undefined && fragment === `#${titleAnchor}`
    const inside = names
      .filter((name) => fragment.startsWith(`#${name}.`))
      .toSorted((a, b) => b.length - a.length)[0]
    const anchor = inside === undefined ? fragment : `#${inside}`
    // Anchors that the old tool generated with the reference do not exist.
    const isGone = names.length > 0 && inside === undefined && !hasAnchor(page, fragment)
    return `${newUrlOf(path)}${isTitle || isPlaceholder || isGone ? '' : anchor}`
  }
}

function hasAnchor({ anchors, names, text }: PageSource, fragment: string): boolean {
  const id = fragment.slice(1)
  return id === '' || anchors.includes(id) || names.includes(id) || text.includes(`"${id}"`)
}

function plainUrl(url: string): string {
  const path = url.replace(/(?:\/index)?\.html$|\/$/, '')
  return path === '/index' ? '' : path
}

/** Returns the addresses of names in generated references, and of headings that exist once. */
function readNames(sources: readonly PageSource[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { path, anchors, titleAnchor } of sources)
    for (const anchor of anchors)
      if (!names.has(anchor))
        names.set(anchor, `${newUrlOf(path)}${anchor === titleAnchor ? '' : `#${anchor}`}`)
  for (const { path, names: generated } of sources)
    for (const name of generated) names.set(name, `${newUrlOf(path)}#${name}`)
  return names
}
