/** Reads the navigation of a MkDocs site. */

import { joinPath } from '@octavo/model'
import type { NavItem, NavPart, NavTree } from '../site/foreign-site.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { MigrationReport, Place } from '../site/report.ts'
import { asValues } from '../site/values.ts'

export type NavInput = {
  readonly nav: unknown
  /** The path of the new page for each file in the folder of pages. */
  readonly paths: ReadonlyMap<string, string>
  readonly features: ReadonlySet<string>
  readonly report: MigrationReport
  readonly place: Place
}

export type ReadNav = {
  readonly items: readonly NavItem[]
  /** The titles of pages in the navigation, by their file. */
  readonly titles: ReadonlyMap<string, string>
  readonly listed: ReadonlySet<string>
}

export function readNav(input: NavInput): ReadNav {
  const reader = new NavReader(input)
  const items = Array.isArray(input.nav) ? reader.items(input.nav, 0) : reader.files()
  return { items, titles: reader.titles, listed: reader.listed }
}

class NavReader {
  readonly titles = new Map<string, string>()
  readonly listed = new Set<string>()
  readonly #input: NavInput

  constructor(input: NavInput) {
    this.#input = input
  }

  items(entries: readonly unknown[], depth: number): readonly NavItem[] {
    if (depth > MIGRATE_LIMITS.navigationDepthMax) return []
    return entries.flatMap((entry) => {
      if (typeof entry === 'string') return this.#page(entry, undefined)
      return Object.entries(asValues(entry)).flatMap(([title, value]) => {
        if (typeof value === 'string') return this.#page(value, title === '' ? undefined : title)
        if (Array.isArray(value)) return this.#section(title, value, depth)
        return []
      })
    })
  }

  #page(written: string, title: string | undefined): readonly NavItem[] {
    const { paths, report, place } = this.#input
    if (/^(?:[a-z]+:|\/\/|\/)/i.test(written))
      return [{ kind: 'link', title: title ?? written, href: written }]
    const file = joinPath('', written)
    const path = file === undefined ? undefined : paths.get(file)
    if (file !== undefined && written.endsWith('/')) return this.#folder(file)
    if (file === undefined || path === undefined) {
      report.leave(`The navigation lists \`${written}\`, which is not in the folder.`, place)
      return []
    }
    this.listed.add(file)
    if (title !== undefined) this.titles.set(file, title)
    return [{ kind: 'page', path }]
  }

  #folder(folder: string): readonly NavItem[] {
    const files = [...this.#input.paths.keys()].filter((file) => file.startsWith(`${folder}/`))
    return this.#tree(files, `${folder}/`)
  }

  #section(title: string, entries: readonly unknown[], depth: number): readonly NavItem[] {
    const { features } = this.#input
    const [first] = entries
    const isIndex = typeof first === 'string' && /(?:^|\/)(?:index|README)\.md$/.test(first)
    const root =
      isIndex && features.has('navigation.indexes') ? this.#page(first, undefined)[0] : undefined
    const items = this.items(root === undefined ? entries : entries.slice(1), depth + 1)
    const isExpanded = features.has('navigation.expand')
    const rootPath = root?.kind === 'page' ? root.path : undefined
    // A group needs a page, so an index that is alone is listed as one.
    const pages = items.length === 0 && root !== undefined ? [root] : items
    if (pages.length === 0) return []
    return [
      {
        kind: 'group',
        title,
        root: items.length === 0 ? undefined : rootPath,
        isExpanded,
        items: pages,
      },
    ]
  }

  /** Returns the navigation that MkDocs makes of the files if the configuration has none. */
  files(): readonly NavItem[] {
    return this.#tree([...this.#input.paths.keys()], '')
  }

  #tree(files: readonly string[], prefix: string): readonly NavItem[] {
    const names = [...new Set(files.map((file) => file.slice(prefix.length).split('/')[0] ?? ''))]
    const isIndex = (name: string) => (/^(?:index|README)\.md$/.test(name) ? 0 : 1)
    return names
      .toSorted((a, b) => isIndex(a) - isIndex(b) || (a < b ? -1 : 1))
      .flatMap((name): readonly NavItem[] => {
        if (files.includes(prefix + name)) return this.#page(prefix + name, undefined)
        const below = files.filter((file) => file.startsWith(`${prefix}${name}/`))
        const words = name.replaceAll(/[-_]+/g, ' ')
        const title = words.charAt(0).toUpperCase() + words.slice(1)
        return [{ kind: 'group', title, items: this.#tree(below, `${prefix}${name}/`) }]
      })
  }
}

/** Turns the sections at the top into tabs, if the old site shows them as tabs. */
export function navTreeOf(
  items: readonly NavItem[],
  features: ReadonlySet<string>,
  titleOf: (path: string) => string,
): NavTree {
  const named = items.map((item) => nameGroups(item, titleOf))
  if (!features.has('navigation.tabs')) return { kind: 'items', items: named }
  return { kind: 'divided', by: 'tab', parts: distinct(named.map((item) => tabOf(item, titleOf))) }
}

/** Names sections without a title after their first page. */
function nameGroups(item: NavItem, titleOf: (path: string) => string): NavItem {
  if (item.kind !== 'group') return item
  const items = item.items.map((one) => nameGroups(one, titleOf))
  const first = item.root ?? firstPath(items)
  const title = item.title === '' && first !== undefined ? titleOf(first) : item.title
  return { ...item, title, items }
}

function firstPath(items: readonly NavItem[]): string | undefined {
  const [first] = items
  if (first?.kind === 'page') return first.path
  return first?.kind === 'group' ? (first.root ?? firstPath(first.items)) : undefined
}

function tabOf(item: NavItem, titleOf: (path: string) => string): NavPart {
  if (item.kind === 'link') return { name: item.title, href: item.href }
  if (item.kind === 'page')
    return { name: titleOf(item.path), tree: { kind: 'items', items: [item] } }
  const root: readonly NavItem[] =
    item.root === undefined ? [] : [{ kind: 'page', path: item.root }]
  return { name: item.title, tree: { kind: 'items', items: [...root, ...item.items] } }
}

/** Two tabs of the same name would be one for readers, so a number is added to the second. */
function distinct(parts: readonly NavPart[]): readonly NavPart[] {
  const counts = new Map<string, number>()
  return parts.map((part) => {
    const count = (counts.get(part.name) ?? 0) + 1
    counts.set(part.name, count)
    return count === 1 ? part : { ...part, name: `${part.name} ${count}` }
  })
}
