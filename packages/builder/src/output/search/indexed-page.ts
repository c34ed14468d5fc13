/** A page in the form that search shows. */
import { breadcrumbs, type NavDivision, type NavGroup, type NavPage } from '@octavo/model'
import type { IndexedPage, PageFacts, PageSection } from '@octavo/search'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'

/**
 * Characters kept for display; the rest can be found, but the beginning of its section is shown.
 */
const PAGE_TEXT_MAX = 16_000
const SECTION_TEXT_MIN = 300

export function indexedPage(page: PlannedPage, sections: readonly PageSection[]): IndexedPage {
  const { url, title, entry } = page
  const method = operationOf(page)?.method
  const total = sections.reduce((sum, { text }) => sum + text.length, 0)
  const share = Math.max(SECTION_TEXT_MIN, Math.floor(PAGE_TEXT_MAX / sections.length))
  const textMax = total <= PAGE_TEXT_MAX ? PAGE_TEXT_MAX : share
  return {
    url,
    title,
    crumbs: entry === undefined ? [] : breadcrumbs(entry).map(({ label }) => label),
    ...(method === undefined ? {} : { method }),
    sections: sections.map(({ id, heading, text }, index) => {
      const own = index === 0 ? `${page.description ?? ''} ${text}` : text
      const line = own.replaceAll(/[^\S ]+ *| {2,}/g, ' ').trim()
      return [id, heading, cutText(line, textMax)]
    }),
  }
}

/** Never splits a surrogate pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** Prints the sections of a page as one line of JSON, each with the headings above it. */
export function printSections(page: PlannedPage, sections: CompiledPage['sections']): string {
  const { path, url, title, description, entry } = page
  const operation = operationOf(page)
  return JSON.stringify({
    path,
    url,
    title,
    description,
    trail: entry === undefined ? [] : trailOf(entry),
    ...(operation && { operation: `${operation.method.toUpperCase()} ${operation.path}` }),
    sections: sections.map(({ id, path: around, heading, text }) => ({
      id,
      headings: heading === '' ? around : [...around, heading],
      text,
    })),
  })
}

/**
 * Returns the labels around a page, the outermost first: a question may name its product or
 * version.
 */
export function trailOf(entry: NavPage): readonly string[] {
  const labels: string[] = []
  let at: NavDivision | NavGroup | undefined = entry.parent
  for (; at !== undefined; at = at.parent) {
    const isNamed = at.type === 'group' || (at.kind !== 'root' && at.kind !== 'language')
    if (isNamed) labels.unshift(at.label)
  }
  return labels
}

/** Returns the data of a page that is indexed besides its text. */
export function pageFacts(page: PlannedPage): PageFacts {
  const { sidebarTitle, keywords } = page.frontmatter.fields
  const { title, description } = page
  return { title, description, sidebarTitle, keywords, operation: operationOf(page) }
}

export function operationOf({
  backing,
  entry,
}: PlannedPage): { readonly method: string; readonly path: string } | undefined {
  return backing?.kind === 'operation' ? backing.listing : entry?.operation
}
