/** Converts found sections and pages to the sources of an answer. */
import type { AnswerSource } from './answer.ts'
import type { FoundSection, LibrarySection } from './site-library.ts'

const NEAREST_MAX = 3

export function sourceOf({ page, id, headings }: LibrarySection): AnswerSource {
  const title = [page.title, ...headings.filter((heading) => heading !== page.title)].join(' › ')
  return { url: id === '' ? page.url : `${page.url}#${id}`, title }
}

/** Returns the pages of the best sections, to suggest when a question has no answer. */
export function nearestPages(found: readonly FoundSection[]): readonly AnswerSource[] {
  const pages = new Map(found.map(({ section: { page } }) => [page.url, page.title]))
  return [...pages].slice(0, NEAREST_MAX).map(([url, title]) => ({ url, title }))
}
