/** Makes the navigation of the lists of pages. */
import { posix } from 'node:path'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import type { ForeignPage, NavItem, NavTree } from '../site/foreign-site.ts'
import type { MigrationReport } from '../site/report.ts'
import { titleOf } from '../site/titles.ts'
import type { Space } from './find-spaces.ts'
import { type Entry, readSummary, type Summary } from './read-summary.ts'

export type Listed = { readonly title: string; readonly label?: string }

type Input = {
  readonly folder: ForeignFolder
  readonly spaces: readonly Space[]
  readonly report: MigrationReport
}

type Navigation = {
  /** The titles of pages in the lists, by file. */
  readonly listed: ReadonlyMap<string, Listed>
  /** The name of the site, if a list has one. */
  readonly name: string | undefined
  readonly treeOf: (paths: ReadonlyMap<string, MovedPage>) => NavTree
}

type MovedPage = {
  readonly page: ForeignPage
  /** The pages of API operations that the page showed. */
  readonly below: readonly ForeignPage[]
}

const NO_NAME = /^(?:table of contents|summary|contents|index)$/i

export function readNavigation({ folder, spaces, report }: Input): Navigation {
  const summaries = new Map(
    spaces.map((space) => [space, readSummary(folder.read(space.summary) ?? '', space.summary)]),
  )
  const listed = new Map<string, Listed>()
  for (const { sections } of summaries.values())
    for (const { items } of sections) for (const entry of items) addTitles(entry, folder, listed)
  const names = [...summaries.values()].flatMap(({ title }) => title ?? [])
  return {
    listed,
    name: names.find((title) => !NO_NAME.test(title)),
    treeOf: (paths) => treeOf(summaries, paths, report),
  }
}

function addTitles(
  { title, shortTitle, file, fragment, items }: Entry,
  folder: ForeignFolder,
  listed: Map<string, Listed>,
): void {
  if (file !== undefined && fragment === '' && folder.has(file) && !listed.has(file))
    listed.set(file, shortTitle === undefined ? { title } : { title, label: shortTitle })
  for (const item of items) addTitles(item, folder, listed)
}

function treeOf(
  summaries: ReadonlyMap<Space, Summary>,
  paths: ReadonlyMap<string, MovedPage>,
  report: MigrationReport,
): NavTree {
  const writer = new NavWriter(paths, report)
  const parts = [...summaries].map(([space, summary]) => {
    const items = summary.sections.flatMap(({ title, items: entries }): readonly NavItem[] => {
      const below = entries.flatMap((entry) => writer.item(entry, space))
      if (title === undefined || below.length === 0) return below
      return [{ kind: 'group', title, items: below }]
    })
    return { space, tree: { kind: 'items', items } as const }
  })
  const shown = parts.filter(({ tree }) => tree.items.length > 0)
  const [only] = shown
  if (only === undefined) return { kind: 'items', items: [] }
  if (shown.length === 1) return only.tree
  for (const { space } of shown)
    report.approximate(
      `This space is a tab, and its pages are at \`/${space.prefix}\`. GitBook keeps the names and addresses of spaces elsewhere.`,
      { file: space.summary, line: 1 },
    )
  return {
    kind: 'divided',
    by: 'tab',
    parts: shown.map(({ space, tree }) => ({ name: nameOf(space, summaries.get(space)), tree })),
  }
}

function nameOf({ root, prefix }: Space, summary: Summary | undefined): string {
  if (summary?.title !== undefined && !NO_NAME.test(summary.title)) return summary.title
  const folder = posix.basename(prefix === '' ? root : prefix)
  return /^(?:|docs?|book|src|content)$/.test(folder) ? 'Documentation' : titleOf(folder)
}

class NavWriter {
  readonly #paths: ReadonlyMap<string, MovedPage>
  readonly #report: MigrationReport

  constructor(paths: ReadonlyMap<string, MovedPage>, report: MigrationReport) {
    this.#paths = paths
    this.#report = report
  }

  item(entry: Entry, space: Space): readonly NavItem[] {
    const { title, items } = entry
    const own = this.#own(entry, space)
    const operations = own?.kind === 'page' ? (this.#pageOf(entry)?.below ?? []) : []
    const below: readonly NavItem[] = [
      ...operations.map(({ path }) => ({ kind: 'page', path }) as const),
      ...items.flatMap((item) => this.item(item, space)),
    ]
    if (below.length === 0) return own === undefined ? [] : [own]
    const root = own?.kind === 'page' ? own.path : undefined
    const first = own?.kind === 'link' ? [own] : []
    return [{ kind: 'group', title, root, items: [...first, ...below] }]
  }

  #pageOf({ file = '' }: Pick<Entry, 'file'>): MovedPage | undefined {
    return this.#paths.get(file) ?? this.#paths.get(`${file}.md`)
  }

  #own({ title, file, href, fragment, line, items }: Entry, space: Space): NavItem | undefined {
    const place = { file: space.summary, line }
    if (href !== undefined) return { kind: 'link', title, href }
    if (file === undefined) {
      if (items.length === 0)
        this.#report.leave(`The list of pages has no page for “${title}”.`, place)
      return undefined
    }
    const path = this.#pageOf({ file })?.page.path
    if (path === undefined) {
      this.#report.leave(
        `The list of pages names \`${file}\`, which was not moved or does not exist.`,
        place,
      )
      return undefined
    }
    return fragment === ''
      ? { kind: 'page', path }
      : { kind: 'link', title, href: `/${path.replace(/(?:^|\/)index$/, '')}${fragment}` }
  }
}
