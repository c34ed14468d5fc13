/** A page as search sees it: cut at its headings. */
import { breadcrumbs } from '@octavo/model'
import type { IndexedPage, PageFacts, PageSection } from '@octavo/search'
import type { CompiledPage } from '../../compile/compile-page.ts'
import type { PlannedPage } from '../../plan/plan-pages.ts'

type Content = Pick<CompiledPage, 'headings' | 'text'>

/** The first has no heading: it is what stands before all others. */
export function pageSections({ headings, text }: Content): readonly PageSection[] {
  const sections: PageSection[] = []
  let open = { id: '', heading: '' }
  let start = 0
  for (const { id, text: heading } of headings) {
    const at = findLine(text, heading, start)
    // A heading that is not in the text has a section all the same: its name is what is searched.
    const end = at < 0 ? start : at
    sections.push({ ...open, text: text.slice(start, end).trim() })
    open = { id, heading }
    start = at < 0 ? start : at + heading.length
  }
  sections.push({ ...open, text: text.slice(start).trim() })
  return sections
}

/** Headings stand on lines of their own. */
function findLine(text: string, line: string, from: number): number {
  if (line === '') return -1
  for (let at = text.indexOf(line, from); at >= 0; at = text.indexOf(line, at + 1)) {
    const end = at + line.length
    const isStart = at === 0 || text.charCodeAt(at - 1) === LINE_BREAK
    if (isStart && (end === text.length || text.charCodeAt(end) === LINE_BREAK)) return at
  }
  return -1
}

const LINE_BREAK = 10

/** Letters that are kept to show; the rest is found, but shown by the beginning of its section. */
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

/** Never through the middle of a letter that takes two places. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** What the index says of a page beside its text. */
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
