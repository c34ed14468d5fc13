/** Arranges the sidebars of all folders of documentation: tabs, and versions. */
import type { NavItem, NavPart, NavTree } from '../site/foreign-site.ts'
import { titleOf } from '../site/titles.ts'
import { asValues, type Values } from '../site/values.ts'
import type { DocSet } from './doc-sets.ts'
import type { DocusaurusConfig } from './read-config.ts'
import type { Sidebar } from './read-sidebars.ts'

export type SetSidebars = { readonly set: DocSet; readonly sidebars: readonly Sidebar[] }

export function navigationOf(all: readonly SetSidebars[], config: DocusaurusConfig): NavTree {
  const shown = all
    .map(({ set, sidebars }) => ({
      set,
      sidebars: sidebars.filter(({ items }) => items.length > 0),
    }))
    .filter(({ sidebars }) => sidebars.length > 0)
  const instances = [...Map.groupBy(shown, ({ set }) => set.instance).values()]
  const [only, ...others] = instances
  if (only === undefined) return { kind: 'items', items: [] }
  if (others.length === 0) return treeOf(only, config)
  const parts = instances.flatMap((sets): readonly NavPart[] => {
    const [first] = sets
    if (first === undefined) return []
    const isVersioned = first.set.version !== undefined
    // Without versions, each sidebar is a tab of its own.
    if (!isVersioned && first.sidebars.length > 1) return tabsOf(first, config)
    return [{ name: nameOf(first, first.sidebars[0], config), tree: treeOf(sets, config) }]
  })
  return { kind: 'divided', by: 'tab', parts: distinct(parts) }
}

function treeOf(sets: readonly SetSidebars[], config: DocusaurusConfig): NavTree {
  const versions = sets.filter(({ set }) => set.version !== undefined)
  const [first] = sets
  if (first === undefined) return { kind: 'items', items: [] }
  if (versions.length < 2) return sidebarTree(first, config)
  return {
    kind: 'divided',
    by: 'version',
    parts: versions.map((one) => ({
      name: one.set.version?.label ?? '',
      fields: one.set.version?.isLast === true ? { default: true } : {},
      tree: sidebarTree(one, config),
    })),
  }
}

function sidebarTree(one: SetSidebars, config: DocusaurusConfig): NavTree {
  const [only, ...others] = one.sidebars
  if (others.length === 0) return { kind: 'items', items: only?.items ?? [] }
  return { kind: 'divided', by: 'tab', parts: distinct(tabsOf(one, config)) }
}

/** Returns the sidebars as tabs, in the order of the navbar. */
function tabsOf(one: SetSidebars, config: DocusaurusConfig): readonly NavPart[] {
  const items = navbarItems(config)
  const orderOf = (sidebar: Sidebar) => {
    const at = items.indexOf(navbarItem(one, sidebar, config) ?? {})
    return at < 0 ? items.length : at
  }
  return one.sidebars
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map((sidebar) => ({
      name: nameOf(one, sidebar, config),
      tree: { kind: 'items', items: sidebar.items },
    }))
}

/** A sidebar is named after the link of the navbar that opens it. */
function nameOf(one: SetSidebars, sidebar: Sidebar | undefined, config: DocusaurusConfig): string {
  const found = navbarItem(one, sidebar, config)
  if (found !== undefined) return String(found.label)
  if (one.sidebars.length > 1) return titleOf(sidebar?.name ?? '')
  return one.set.instance === 'default' ? 'Docs' : titleOf(one.set.instance)
}

function navbarItems({ values }: DocusaurusConfig): readonly unknown[] {
  const { items } = asValues(asValues(values.themeConfig).navbar)
  return Array.isArray(items) ? items : []
}

/** Returns the link of the navbar that opens a sidebar. */
function navbarItem(
  { set }: SetSidebars,
  sidebar: Sidebar | undefined,
  config: DocusaurusConfig,
): Values | undefined {
  const paths = new Set(pathsOf(sidebar?.items ?? []))
  return navbarItems(config)
    .map(asValues)
    .find(({ type, sidebarId, docsPluginId = 'default', to, docId, label }) => {
      if (typeof label !== 'string') return false
      if (type === 'docSidebar') return sidebarId === sidebar?.name && docsPluginId === set.instance
      if (type === 'doc' && docsPluginId === set.instance)
        return [...paths].some((path) => path.endsWith(String(docId)))
      if (typeof to !== 'string') return false
      const plain = to.replaceAll(/^\/+|\/+$/g, '')
      return paths.has(plain) || paths.has(`${plain}/index`)
    })
}

function pathsOf(items: readonly NavItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.kind === 'page') return [item.path]
    return item.kind === 'group'
      ? [...(item.root === undefined ? [] : [item.root]), ...pathsOf(item.items)]
      : []
  })
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
