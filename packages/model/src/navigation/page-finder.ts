import { diagnose, type Report } from '../diagnostic.ts'
import { type JsonNode, placeOf } from '../json/json-node.ts'
import { nearest } from '../nearest.ts'
import type { KnownPage, PageIndex } from './site-facts.ts'

/** Finds the file behind a listed page, and says what was probably meant when there is none. */
export class PageFinder {
  readonly #pages: PageIndex
  #byName: Map<string, string[]> | undefined

  constructor(pages: PageIndex) {
    this.#pages = pages
  }

  /** The page itself, or `path/index` where only that exists. */
  find(path: string): KnownPage | undefined {
    return this.#pages.get(path) ?? this.#pages.get(`${path}/index`)
  }

  reportMissing(path: string, node: JsonNode, report: Report): void {
    const guess = this.#guess(path)
    report(
      diagnose('nav/missing-page', placeOf(node), {
        message: `There is no page "${path}": neither ${path}.mdx nor ${path}.md exists.`,
        hint:
          guess === undefined ? 'Add the file, or remove the entry.' : `Did you mean \`${guess}\`?`,
      }),
    )
  }

  /** Same name elsewhere, else a similar name in the same folder: both cheap on a large site. */
  #guess(path: string): string | undefined {
    this.#byName ??= groupByName(this.#pages.keys())
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    const sameName = this.#byName.get(`name:${name}`) ?? []
    const ends = sameName.find((known) => known.toLowerCase() === path.toLowerCase())
    const longer = sameName.find(
      (known) => known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
    )
    if (ends !== undefined || longer !== undefined) return ends ?? longer
    if (sameName.length === 1) return sameName[0]
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return nearest(path, this.#byName.get(`folder:${folder}`) ?? [])
  }
}

function groupByName(paths: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const slash = path.lastIndexOf('/')
    for (const key of [
      `name:${path.slice(slash + 1).toLowerCase()}`,
      `folder:${path.slice(0, Math.max(0, slash))}`,
    ]) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [path])
      else group.push(path)
    }
  }
  return groups
}
