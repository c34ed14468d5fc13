/** Knows the new address of every page and file of a Docusaurus site. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import type { Assets } from '../folder/assets.ts'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { newUrlOf } from '../site/addresses.ts'
import type { PageSource } from './page-source.ts'

type Site = {
  readonly folder: ForeignFolder
  readonly assets: Assets
  /** The folder of the configuration. */
  readonly base: string
  /** The address of the site, such as `https://a.example`, and the path below it, such as `/docs`. */
  readonly origin: string
  readonly prefix: string
  readonly sources: readonly PageSource[]
  /** Paths of other pages on the new site, such as generated ones. */
  readonly more: readonly string[]
  /** Paths below which the old site has pages that are not moved. */
  readonly left: readonly string[]
}

export class SiteAddresses {
  readonly #site: Site
  readonly #byFile: ReadonlyMap<string, PageSource>
  readonly #urls: ReadonlySet<string>

  constructor(site: Site) {
    this.#site = site
    this.#byFile = new Map(site.sources.map((source) => [source.file, source]))
    this.#urls = new Set([
      ...site.sources.map(({ path }) => newUrlOf(path)),
      ...site.more.map(newUrlOf),
    ])
  }

  /** Returns the address of a file that is named by its path, from a file in the old site. */
  ofFile(from: string, path: string, set: string): string | undefined {
    const { base } = this.#site
    const isSite = path.startsWith('@site/')
    const places = isSite
      ? [joinPath(base, `./${path.slice(6)}`)]
      : [
          joinPath(posix.dirname(from), path.startsWith('/') ? `.${path}` : path),
          joinPath(set, `./${path.replace(/^\/+/, '')}`),
          path.startsWith('/') ? joinPath(base, `.${path}`) : undefined,
          joinPath(posix.join(base, 'static'), `./${path.replace(/^\/+/, '')}`),
        ]
    for (const file of places) {
      if (file === undefined) continue
      const source = this.#byFile.get(file)
      if (source !== undefined) return newUrlOf(source.path)
      const asset = this.#asset(file, set)
      if (asset !== undefined) return asset
    }
    return undefined
  }

  /** Returns the address for a path of the old site; `isLeft` if the page was not moved. */
  ofUrl(url: string): { readonly url: string; readonly isLeft: boolean } | undefined {
    const { prefix, left, origin } = this.#site
    const paths =
      prefix !== '' && `${url}/`.startsWith(`${prefix}/`) ? [url.slice(prefix.length), url] : [url]
    for (const path of paths) {
      const plain = `/${path.replaceAll(/^\/+|(?:\/|\.html)$/g, '')}`
      const known = plain.split('/').map(encodeURIComponent).join('/')
      if (this.#urls.has(known)) return { url: known, isLeft: false }
      const file = posix.join(this.#site.base, 'static', path)
      const asset = this.#asset(file, '')
      if (asset !== undefined) return { url: asset, isLeft: false }
      // Markdown and HTML that the old site offers as files are not copied.
      if (origin !== '' && this.#site.folder.has(file))
        return { url: `${origin}${prefix}${plain}`, isLeft: true }
      if (origin !== '' && left.some((one) => plain === one || plain.startsWith(`${one}/`)))
        return { url: `${origin}${prefix}${plain}`, isLeft: true }
    }
    return undefined
  }

  #asset(file: string, set: string): string | undefined {
    const { base, assets } = this.#site
    const fixed = posix.join(base, 'static')
    const root = file.startsWith(`${fixed}/`)
      ? fixed
      : set !== '' && file.startsWith(`${set}/`)
        ? posix.dirname(set).replace(/^\.$/, '')
        : base
    if (root !== '' && !file.startsWith(`${root}/`)) return undefined
    return assets.add(root, root === '' ? file : file.slice(root.length + 1))
  }
}
