/** Knows the new address of every page and file of a GitBook repository. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import type { Assets } from '../folder/assets.ts'
import { newUrlOf } from '../site/addresses.ts'
import { isInside, type Space } from './find-spaces.ts'
import { findAnchor } from './heading-anchors.ts'
import type { PageSource } from './page-source.ts'

export class SiteAddresses {
  readonly #assets: Assets
  readonly #spaces: readonly Space[]
  readonly #byFile: ReadonlyMap<string, PageSource>
  readonly #byPath: ReadonlyMap<string, PageSource>

  constructor(sources: readonly PageSource[], spaces: readonly Space[], assets: Assets) {
    this.#assets = assets
    this.#spaces = spaces
    this.#byFile = new Map(sources.map((source) => [source.file, source]))
    this.#byPath = new Map(sources.map((source) => [newUrlOf(source.path), source]))
  }

  /** Returns the page that an address in a file means. */
  page(from: string, path: string): PageSource | undefined {
    const isRooted = path.startsWith('/')
    const folder = isRooted ? this.#rootOf(from) : posix.dirname(from)
    const file = path === '' ? from : joinPath(folder, `./${path}`.replace(/\/+$/, ''))
    if (file === undefined) return undefined
    const below = file === '' ? '' : `${file}/`
    return (
      this.#byFile.get(file) ??
      this.#byFile.get(`${file}.md`) ??
      this.#byFile.get(`${below}README.md`) ??
      this.#byFile.get(`${below}index.md`) ??
      this.#byPath.get(path.replace(/\/$/, '') || '/')
    )
  }

  /** Returns the address of a file that is not a page, and copies it. */
  asset(from: string, path: string, isSpecification: boolean): string | undefined {
    const isRooted = path.startsWith('/')
    const file = joinPath(isRooted ? this.#rootOf(from) : posix.dirname(from), `./${path}`)
    if (file === undefined) return undefined
    const main = this.#spaces.find(({ prefix }) => prefix === '')?.root ?? ''
    const base = isInside(file, main) ? main : ''
    const inside = base === '' ? file : file.slice(base.length + 1)
    return this.#assets.add(base, inside, isSpecification)
  }

  /** Returns the address of a heading; `isFound` is false if the page has no such heading. */
  ofPage(
    { path, anchors }: PageSource,
    fragment: string,
  ): { readonly url: string; readonly isFound: boolean } {
    const url = newUrlOf(path)
    const id = fragment.slice(1)
    if (id === '') return { url, isFound: true }
    const anchor = findAnchor(anchors, id)
    // The first heading is the title of the new page, which has no anchor.
    const hash = anchor === undefined || anchor.isTitle ? '' : `#${anchor.id}`
    return { url: url + hash, isFound: anchor !== undefined }
  }

  #rootOf(file: string): string {
    const spaces = this.#spaces.filter(({ root }) => isInside(file, root))
    return spaces.toSorted((a, b) => b.root.length - a.root.length)[0]?.root ?? ''
  }
}
