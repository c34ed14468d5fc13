/** Writes the pages that Docusaurus generates for categories. */

import { newUrlOf } from '../site/addresses.ts'
import type { ForeignPage, NavItem } from '../site/foreign-site.ts'
import { type DocSet, joinRoute } from './doc-sets.ts'
import type { PageSource } from './page-source.ts'
import type { CategoryPage, SidebarInput } from './read-sidebars.ts'
import { attribute } from './read-tags.ts'

type CategoryPages = {
  readonly adder: (set: DocSet) => SidebarInput['addCategory']
  readonly pages: () => readonly ForeignPage[]
}

export function categoryPages(sources: readonly PageSource[]): CategoryPages {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const found = new Map<string, CategoryPage>()
  const adder = (set: DocSet): SidebarInput['addCategory'] => {
    return ({ slug = '', title, description, items }) => {
      const wanted = joinRoute(set.route, slug)
      let path = wanted
      for (let number = 1; found.has(path) && number < 1_000; number += 1)
        path = `${wanted}-${number}`
      if (!byPath.has(path)) found.set(path, { path, title, description, items })
      return path
    }
  }
  const pages = () =>
    [...found.values()].map(({ path, title, description, items }): ForeignPage => {
      const cards = items.flatMap((item) => cardOf(item, byPath, found))
      const body = ['<CardGroup cols={2}>', '', ...cards, '', '</CardGroup>'].join('\n')
      return { source: undefined, path, frontmatter: { title, description }, body }
    })
  return { adder, pages }
}

function cardOf(
  item: NavItem,
  byPath: ReadonlyMap<string, PageSource>,
  found: ReadonlyMap<string, CategoryPage>,
): readonly string[] {
  if (item.kind === 'link')
    return [`<Card title=${attribute(item.title)} href=${attribute(item.href)} />`]
  const path = item.kind === 'page' ? item.path : (item.root ?? firstPath(item.items))
  if (path === undefined) return []
  const source = byPath.get(path)
  const title =
    item.kind === 'group' ? item.title : (source?.title ?? found.get(path)?.title ?? path)
  return [`<Card title=${attribute(title)} href=${attribute(newUrlOf(path))} />`]
}

function firstPath(items: readonly NavItem[]): string | undefined {
  const [first] = items
  if (first?.kind === 'page') return first.path
  return first?.kind === 'group' ? (first.root ?? firstPath(first.items)) : undefined
}
