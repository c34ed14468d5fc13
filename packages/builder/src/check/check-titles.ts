/** Checks the titles by which readers and programs choose pages. */
import {
  diagnose,
  divisionsOf,
  type NavDivision,
  type NavGroup,
  type NavPage,
  type Report,
} from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'

export type TitleCheck = {
  readonly site: LoadedSite
  /** The pages in the order of the navigation. */
  readonly pages: readonly PlannedPage[]
  readonly report: Report
}

export function checkTitles(check: TitleCheck): void {
  checkDuplicates(check, checkNeighbors(check))
}

/**
 * Reports adjacent entries with the same title, which readers cannot tell apart. Returns the path
 * of each reported page with the path of its neighbor.
 */
function checkNeighbors({ site, report }: TitleCheck): ReadonlyMap<string, string> {
  const files = new Map(site.pages.map(({ path, file }) => [path, file]))
  const reported = new Map<string, string>()
  const stack: (NavDivision | NavGroup)[] = [site.navigation.root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const seen = new Map<string, NavPage>()
    for (const child of node.children) {
      if (child.type !== 'page') {
        stack.push(child)
        continue
      }
      const file = files.get(child.path)
      if (child.hidden || child.missing || child.operation !== undefined || file === undefined)
        continue
      // Pages of operations are distinguished by their method.
      if (site.backings.has(child.path)) continue
      const key = `${child.label}\n${child.tag ?? ''}`
      const first = seen.get(key)
      if (first === undefined) seen.set(key, child)
      else if (first.path !== child.path) {
        reported.set(child.path, first.path)
        report(sameTitle(child, file, files.get(first.path)))
      }
    }
  }
  return reported
}

function sameTitle({ label }: NavPage, file: string, other: string | undefined) {
  return diagnose(
    'nav/same-title',
    { file, line: 1, column: 1 },
    {
      message: `Two pages next to each other in the sidebar have the title "${label}": this page and ${other ?? 'another'}.`,
      hint: 'Change the `title` or `sidebarTitle` of one of the pages.',
    },
  )
}

/** Reports pages that have the same title as another page in the same language and version. */
function checkDuplicates(
  { site, pages, report }: TitleCheck,
  neighbors: ReadonlyMap<string, string>,
): void {
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  const firsts = new Map<string, string>()
  for (const page of pages) {
    const { path, title, file } = page
    if (file === undefined || !isFoundByTitle(page)) continue
    let other: string | undefined
    for (const edition of editionsOf(page, site)) {
      const key = `${edition}\n${title}`
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, file)
      else other ??= first
    }
    const neighbor = neighbors.get(path)
    const isReported = neighbor !== undefined && titles.get(neighbor) === title
    if (other !== undefined && !isReported) report(duplicateTitle(title, file, other))
  }
}

/**
 * Returns false for pages that search and agents do not list, and for operations, which also show a
 * method.
 */
function isFoundByTitle({ frontmatter: { fields } }: PlannedPage): boolean {
  return fields.noindex !== true && fields.url === undefined && fields.openapi === undefined
}

/**
 * Returns a key for each language and version in which the page is listed, except hidden entries.
 */
function editionsOf({ path, entry }: PlannedPage, { navigation }: LoadedSite): ReadonlySet<string> {
  const entries = navigation.repeated.get(path) ?? (entry === undefined ? [] : [entry])
  return new Set(entries.filter(({ hidden }) => !hidden).map(editionOf))
}

function editionOf(entry: NavPage): string {
  return divisionsOf(entry)
    .filter(({ kind }) => kind === 'language' || kind === 'version')
    .map(({ kind, label }) => `${kind}:${label}`)
    .toSorted()
    .join('\n')
}

function duplicateTitle(title: string, file: string, other: string) {
  return diagnose(
    'nav/duplicate-title',
    { file, line: 1, column: 1 },
    {
      message: `This page and ${other} both have the title "${title}", so search results and agents cannot tell them apart.`,
      hint: 'Make the `title` of one of them more specific. Its `sidebarTitle` can stay short.',
    },
  )
}
