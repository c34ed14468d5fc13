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

/** Joins the author's text and the part generated from the specification. */
export function appendPage(page: CompiledPage, more: CompiledPage): CompiledPage {
  const whole: CompiledPage = {
    ...page,
    html: page.html + more.html,
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
  const own = islands.length === 0 ? whole : { ...whole, islands }
  return more.origins === undefined ? own : withOrigins(own, more.origins)
}

/** Text before the first heading of the second page belongs to the last heading of the first. */
function joinSections(
  above: readonly TextSection[],
  [first, ...rest]: readonly TextSection[],
): readonly TextSection[] {
  const last = above.at(-1)
  if (last === undefined || first === undefined) return above
  const text = `${last.text}\n${first.text}`.trim()
  return [...above.slice(0, -1), { ...last, text }, ...rest]
}

/** Returns the page with these additional origins. */
export function withOrigins(page: CompiledPage, origins: Origins): CompiledPage {
  const all = joinOrigins(page.origins, origins)
  return all === undefined ? page : { ...page, origins: all }
}
