import type { PageLink } from '@octavo/content'
import type { CompiledPage } from '../compile/compile-page.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'

/** What checks have to know of a page once it is compiled; its HTML is not kept. */
export type CheckedPage = {
  readonly page: PlannedPage
  readonly links: readonly PageLink[]
  /** Everything on it that a link can lead to. */
  readonly ids: ReadonlySet<string>
  /** Code of its author may add parts in the browser, so nobody knows all of them. */
  readonly isOpen: boolean
  /** Files that it is made of besides its own. */
  readonly files: readonly string[]
  readonly failed: boolean
}

const ID = / id="([^"]*)"/g

export function checkedPage(page: PlannedPage, parts: readonly CompiledPage[]): CheckedPage {
  const ids = new Set<string>()
  for (const { html } of parts) {
    for (const [, id = ''] of html.matchAll(ID)) ids.add(unescapeHtml(id))
  }
  return {
    page,
    ids,
    links: parts.flatMap(({ links }) => links),
    isOpen: parts.some(({ islands }) => islands !== undefined),
    files: parts.flatMap(({ files }) => files),
    failed: parts.some(({ failed }) => failed === true),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The inverse of what the theme escapes. */
function unescapeHtml(text: string): string {
  return text.includes('&')
    ? text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (it) => ENTITIES[it] ?? it)
    : text
}
