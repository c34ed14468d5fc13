/** Converts a page to the form that search results show. */
import { breadcrumbs, type NavDivision, type NavGroup, type NavPage } from '@octavo/model'
import type { IndexedPage, PageFacts, PageSection } from '@octavo/search'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'

/**
 * Maximum number of characters of a page to store for results. Further text can be found, but the
 * result shows the beginning of its section.
 */
const PAGE_TEXT_MAX = 16_000
const SECTION_TEXT_MIN = 300
/** The heading of a response, which says nothing without the name of its operation. */
const STATUS = /^(?:\d{3}|[1-5]XX|default)$/i

/** What search knows of a page besides its text. */
export type SearchedPage = {
  readonly path: string
  readonly url: string
  readonly title: string
  readonly description: string | undefined
  readonly sidebarTitle: string | undefined
  readonly keywords: readonly string[] | undefined
  /** The labels that a result shows above the title. */
  readonly crumbs: readonly string[]
  /** The labels of all ancestors. */
  readonly trail: readonly string[]
  readonly operation: PageFacts['operation']
}

export function searchedPage(page: PlannedPage): SearchedPage {
  const { path, url, title, description, entry } = page
  const { sidebarTitle, keywords } = page.frontmatter.fields
  const operation = operationOf(page)
  return {
    path,
    url,
    title,
    description,
    sidebarTitle,
    keywords,
    crumbs: entry === undefined ? [] : breadcrumbs(entry).map(({ label }) => label),
    trail: entry === undefined ? [] : trailOf(entry),
    operation: operation && { method: operation.method, path: operation.path },
  }
}

export function indexedPage(page: SearchedPage, sections: readonly PageSection[]): IndexedPage {
  const { url, title, description = '', crumbs } = page
  const { method, path } = page.operation ?? {}
  const total = sections.reduce((sum, { text }) => sum + text.length, 0)
  const share = Math.max(SECTION_TEXT_MIN, Math.floor(PAGE_TEXT_MAX / sections.length))
  const textMax = total <= PAGE_TEXT_MAX ? PAGE_TEXT_MAX : share
  return {
    url,
    title,
    crumbs,
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    sections: sections.map(({ id, heading, text }, index) => {
      // The text of an operation often begins with its description.
      const about = text.startsWith(description) ? '' : description
      const own = index === 0 ? `${about} ${text}` : text
      const line = own.replaceAll(/[^\S ]+ *| {2,}/g, ' ').trim()
      const isStatus = method !== undefined && STATUS.test(heading)
      return [id, isStatus ? `${title} · ${heading}` : heading, cutText(line, textMax)]
    }),
  }
}

/** Shortens text without splitting a surrogate pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** Prints the sections of a page as one line of JSON, each with the headings above it. */
export function printSections(page: SearchedPage, sections: CompiledPage['sections']): string {
  const { path, url, title, description, trail, operation } = page
  return JSON.stringify({
    path,
    url,
    title,
    description,
    trail,
    ...(operation && { operation: `${operation.method.toUpperCase()} ${operation.path}` }),
    sections: sections.map(({ id, path: around, heading, text }) => ({
      id,
      headings: heading === '' ? around : [...around, heading],
      text,
    })),
  })
}

/**
 * Returns the labels of a page's ancestors, outermost first, because a question may name a product
 * or version.
 */
function trailOf(entry: NavPage): readonly string[] {
  const labels: string[] = []
  let at: NavDivision | NavGroup | undefined = entry.parent
  for (; at !== undefined; at = at.parent) {
    const isNamed = at.type === 'group' || (at.kind !== 'root' && at.kind !== 'language')
    if (isNamed) labels.unshift(at.label)
  }
  return labels
}

export function operationOf({
  backing,
  entry,
}: PlannedPage): { readonly method: string; readonly path: string } | undefined {
  return backing?.kind === 'operation' ? backing.listing : entry?.operation
}
