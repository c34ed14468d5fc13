import type { TextSection } from '@octavo/content'
import type { CompiledPage } from './compile-page.ts'
import { joinOrigins, type Origins } from './origins.ts'

export const EMPTY_PAGE: CompiledPage = {
  html: '',
  markdown: '',
  headings: [],
  links: [],
  ids: [],
  sections: [{ id: '', path: [], heading: '', text: '' }],
  files: [],
  diagnostics: [],
  code: [],
}

/** Matches the method and address of an operation and the button that opens the playground. */
const ENDPOINT = /^<div class="oct-endpoint"[^>]*>.*?<\/div>/s

/**
 * Joins the author's text and the part generated from the specification. The method and address are
 * moved directly below the title, so that readers find them even if the text is long.
 */
export function appendPage(page: CompiledPage, more: CompiledPage): CompiledPage {
  const [endpoint = ''] = ENDPOINT.exec(more.html) ?? []
  const whole: CompiledPage = {
    ...page,
    html: endpoint + page.html + more.html.slice(endpoint.length),
    markdown: `${page.markdown.trimEnd()}\n\n${more.markdown}`.trimStart(),
    headings: [...page.headings, ...more.headings],
    links: [...page.links, ...more.links],
    files: [...new Set([...page.files, ...more.files])],
    diagnostics: [...page.diagnostics, ...more.diagnostics],
    ids: [...page.ids, ...more.ids],
    styles: [...new Set([...(page.styles ?? []), ...(more.styles ?? [])])],
    features: [...new Set([...(page.features ?? []), ...(more.features ?? [])])],
    utilities: [...new Set([...(page.utilities ?? []), ...(more.utilities ?? [])])],
    sections: joinSections(page.sections, more.sections),
  }
  const islands = [...new Set([...(page.islands ?? []), ...(more.islands ?? [])])]
  const islandCode = [...(page.islandCode ?? []), ...(more.islandCode ?? [])]
  const own = islands.length === 0 ? whole : { ...whole, islands, islandCode }
  return more.origins === undefined ? own : withOrigins(own, more.origins)
}

/**
 * Joins the sections of two pages. Text before the first heading of the second page is added to the
 * last section of the first page.
 */
function joinSections(
  above: readonly TextSection[],
  [first, ...rest]: readonly TextSection[],
): readonly TextSection[] {
  const last = above.at(-1)
  if (last === undefined || first === undefined) return above
  const text = `${last.text}\n${first.text}`.trim()
  return [...above.slice(0, -1), { ...last, text }, ...rest]
}

export function withOrigins(page: CompiledPage, origins: Origins): CompiledPage {
  const all = joinOrigins(page.origins, origins)
  return all === undefined ? page : { ...page, origins: all }
}
