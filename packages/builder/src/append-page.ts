import type { CompiledPage } from './compile-page.ts'
import { OriginSet } from './outputs/origins.ts'

export const EMPTY_PAGE: CompiledPage = {
  ...{ html: '', markdown: '', headings: [], links: [], text: '', files: [], diagnostics: [] },
  code: [],
}

/** The author's words, then what the specification says. */
export function appendPage(page: CompiledPage, more: CompiledPage): CompiledPage {
  const set = new OriginSet()
  set.addAll(page.origins)
  set.addAll(more.origins)
  const origins = set.result()
  return {
    ...page,
    html: page.html + more.html,
    markdown: `${page.markdown.trimEnd()}\n\n${more.markdown}`.trimStart(),
    headings: [...page.headings, ...more.headings],
    styles: [...(page.styles ?? []), ...(more.styles ?? [])],
    text: `${page.text}\n${more.text}`.trim(),
    ...(origins && { origins }),
  }
}
