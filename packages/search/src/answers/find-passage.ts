/** Finds the passage of the documentation that answers a question. */
import { nearestPages, sourceOf } from './answer-source.ts'
import { chooseQuote } from './choose-quote.ts'
import type { FoundSection, Passage, SiteLibrary } from './site-library.ts'

/** Maximum sections to consider. */
const SECTIONS_MAX = 12
/** Above this likelihood, the documentation is considered to answer the question. */
const LIKELIHOOD_MIN = 0.5

type Library = Pick<SiteLibrary, 'search' | 'support' | 'read'>

export async function findPassage(question: string, library: Library): Promise<Passage> {
  const found = await library.search(question, SECTIONS_MAX)
  const support = await library.support?.(question)
  const isLikely = (support?.likelihood ?? 1) > LIKELIHOOD_MIN
  return {
    quote: isLikely ? await findQuote(question, found, library) : undefined,
    nearest: nearestPages(found),
  }
}

/** Quotes the best section that has any text; some sections are only a heading. */
async function findQuote(
  question: string,
  found: readonly FoundSection[],
  library: Library,
): Promise<Passage['quote']> {
  for (const { section } of found) {
    const source = sourceOf(section)
    const markdown = (await library.read(source.url)) ?? section.text
    const text = chooseQuote(section.id === '' ? introOf(markdown) : markdown, question)
    if (text !== '') return { text, source }
  }
  return undefined
}

/**
 * Returns the text of a page before its first heading, without title and description, or the whole
 * page if that is empty.
 */
function introOf(markdown: string): string {
  const body = markdown.replace(/^#\s[^\n]*\n+(?:>[^\n]*\n+)?/, '')
  const end = body.search(/^#{1,6}\s/m)
  const top = end < 0 ? body : body.slice(0, end)
  return top.trim() === '' ? body : top
}
