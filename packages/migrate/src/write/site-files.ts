/** Turns a site of another tool into the files of an Octavo site. */
import { slug } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import type { ForeignSite, NavItem, NavTree } from '../site/foreign-site.ts'
import { printFrontmatter } from './print-frontmatter.ts'

/** Returns the content of each file by path. */
export function siteFiles(
  site: ForeignSite,
  folder: ForeignFolder,
): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const write = (path: string, text: string) => files.set(path, new TextEncoder().encode(text))
  for (const [to, from] of site.assets) {
    const bytes = folder.readBytes(from)
    if (bytes !== undefined) files.set(to, bytes)
  }
  for (const [to, text] of site.made) write(to, text)
  for (const { path, frontmatter, body } of site.pages)
    write(`${path}.mdx`, `${printFrontmatter(frontmatter)}\n${body.trim()}\n`)
  const writer = new NavigationWriter((path, title, url) =>
    write(`${path}.mdx`, printFrontmatter({ title, url })),
  )
  const config = {
    ...site.settings,
    navigation: writer.tree(site.navigation),
    redirects: site.redirects.length === 0 ? undefined : site.redirects,
  }
  write('docs.json', `${JSON.stringify(config, null, 2)}\n`)
  return files
}

const LISTS = { tab: 'tabs', version: 'versions', language: 'languages' } as const

class NavigationWriter {
  readonly #writeLink: (path: string, title: string, url: string) => void
  readonly #links = new Set<string>()

  constructor(writeLink: (path: string, title: string, url: string) => void) {
    this.#writeLink = writeLink
  }

  tree(tree: NavTree): Record<string, unknown> {
    if (tree.kind === 'items') return { groups: this.#groups(tree.items) }
    const parts = tree.parts.map(({ name, fields, href, tree: below }) => ({
      [tree.by]: name,
      ...fields,
      href,
      ...(below === undefined ? undefined : this.tree(below)),
    }))
    return { [LISTS[tree.by]]: parts }
  }

  /** Puts loose pages into groups without a name, since a level has one kind of child. */
  #groups(items: readonly NavItem[]): readonly unknown[] {
    const groups: unknown[] = []
    let loose: NavItem[] = []
    const flush = () => {
      if (loose.length > 0) groups.push({ group: '', pages: this.#pages(loose) })
      loose = []
    }
    for (const item of items) {
      if (item.kind !== 'group') loose.push(item)
      else {
        flush()
        groups.push(this.#item(item))
      }
    }
    flush()
    return groups
  }

  #pages(items: readonly NavItem[]): readonly unknown[] {
    return items.map((item) => this.#item(item))
  }

  #item(item: NavItem): unknown {
    if (item.kind === 'page') return item.path
    if (item.kind === 'link') return this.#link(item.title, item.href)
    const { title, root, isExpanded, items } = item
    return {
      group: title,
      root,
      expanded: isExpanded === true ? true : undefined,
      pages: this.#pages(items),
    }
  }

  /** A link among pages is a page whose frontmatter has the address. */
  #link(title: string, href: string): string {
    const name = `links/${slug(title) || 'link'}`
    let path = name
    for (let number = 2; this.#links.has(path); number += 1) path = `${name}-${number}`
    this.#links.add(path)
    this.#writeLink(path, title, href)
    return path
  }
}
