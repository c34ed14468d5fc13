/** Makes the items of a sidebar that follows the folders. */
import { toValue } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { readYaml } from '../folder/read-yaml.ts'
import type { MigrationReport } from '../site/report.ts'
import { asValues, type Values } from '../site/values.ts'
import type { DocSet } from './doc-sets.ts'
import { numberOf, type PageSource, withoutNumber } from './page-source.ts'

/** Returns what `_category_.json` of a folder says. */
export type FolderSettings = (folder: string) => Values

export function folderSettings(folder: ForeignFolder, report: MigrationReport): FolderSettings {
  const known = new Map<string, Values>()
  return (path) => {
    const found = known.get(path)
    if (found !== undefined) return found
    const names = ['_category_.json', '_category_.yml', '_category_.yaml']
    const file = names.map((name) => (path === '' ? name : `${path}/${name}`)).find(folder.has)
    // YAML includes JSON.
    const node = file === undefined ? undefined : readYaml(folder, file, report)
    const values = asValues(node === undefined ? undefined : toValue(node))
    known.set(path, values)
    return values
  }
}

type Input = {
  readonly set: DocSet
  readonly sources: readonly PageSource[]
  readonly settings: FolderSettings
}

type Placed = { readonly position: number; readonly name: string; readonly item: unknown }

export function readFolders(dirName: string, input: Input): readonly unknown[] {
  const folder = dirName.replaceAll(/^\.?\/*|\/+$/g, '')
  return itemsOf(folder, input)
}

function itemsOf(folder: string, input: Input): readonly unknown[] {
  const { sources, set, settings } = input
  const prefix = folder === '' ? '' : `${folder}/`
  const inside = sources.filter(({ original }) => original.startsWith(prefix))
  const names = new Set(
    inside.map(({ original }) => original.slice(prefix.length).split('/')[0] ?? ''),
  )
  const placed = [...names].flatMap((name): readonly Placed[] => {
    const page = inside.find(({ original }) => original === prefix + name)
    if (page !== undefined) {
      const label = page.meta.sidebar_label
      const item = {
        type: 'doc',
        id: page.id,
        label: typeof label === 'string' ? label : undefined,
      }
      return [{ position: positionOf(page.meta.sidebar_position, name), name, item }]
    }
    const path = prefix + name
    const own = settings(set.folder === '' ? path : `${set.folder}/${path}`)
    const items = itemsOf(path, input)
    const index = inside.find(({ original }) => isIndexOf(original, path))
    const link = own.link ?? (index === undefined ? undefined : { type: 'doc', id: index.id })
    const below =
      index === undefined || asValues(link).type !== 'doc'
        ? items
        : items.filter((item) => asValues(item).id !== index.id)
    const label = typeof own.label === 'string' ? own.label : withoutNumber(name)
    const item = { type: 'category', ...own, label, items: below, link }
    return [{ position: positionOf(own.position, name), name, item }]
  })
  return placed
    .toSorted((a, b) => a.position - b.position || (a.name < b.name ? -1 : 1))
    .map(({ item }) => item)
}

function isIndexOf(original: string, folder: string): boolean {
  const name = original.startsWith(`${folder}/`) ? original.slice(folder.length + 1) : ''
  const last = withoutNumber(folder.split('/').at(-1) ?? '').toLowerCase()
  const plain = withoutNumber(name.replace(/\.mdx?$/, '')).toLowerCase()
  return ['index', 'readme', last].includes(plain)
}

function positionOf(written: unknown, name: string): number {
  return typeof written === 'number' ? written : (numberOf(name) ?? Number.MAX_SAFE_INTEGER)
}
