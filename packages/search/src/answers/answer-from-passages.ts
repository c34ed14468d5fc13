/** Answers without a model: quotes what the documentation says, or says that it does not. */
import type { Answerer } from './answer.ts'
import { nearestPages, sourceOf } from './answer-source.ts'
import { chooseQuote } from './choose-quote.ts'
import type { FoundSection, LibrarySection } from './site-library.ts'

export const UNANSWERED_TEXT = 'The documentation does not answer this.'

/** Sections that are looked at. */
const SECTIONS_MAX = 12
/** More than this is an answer. */
const LIKELIHOOD_MIN = 0.5

/** The quotation is Markdown of the page as it is; nothing is added to it. */
export const answerFromPassages: Answerer = async (question, { library, signal, give }) => {
  signal.throwIfAborted()
  await give({ type: 'step', tool: 'search', of: question.text })
  const found = await library.search(question.text, SECTIONS_MAX)
  const support = await library.support?.(question.text)
  const quote =
    (support?.likelihood ?? 1) > LIKELIHOOD_MIN
      ? await findQuote(question.text, found, library)
      : undefined
  signal.throwIfAborted()
  if (quote === undefined) {
    await give({ type: 'text', text: UNANSWERED_TEXT })
    const nearest = nearestPages(found)
    return { status: 'unanswered', reason: 'low-support', sources: [], nearest }
  }
  const source = sourceOf(quote.section)
  await give({ type: 'step', tool: 'read', of: source.url })
  await give({ type: 'text', text: quote.text })
  return { status: 'answered', sources: [source], nearest: [] }
}

type Library = Parameters<Answerer>[1]['library']

/** From the best section that has any text: some are nothing but a heading. */
async function findQuote(
  question: string,
  found: readonly FoundSection[],
  library: Library,
): Promise<{ readonly text: string; readonly section: LibrarySection } | undefined> {
  for (const { section } of found) {
    const { url } = sourceOf(section)
    const markdown = (await library.read(url)) ?? section.text
    const text = chooseQuote(section.id === '' ? ownPart(markdown) : markdown, question)
    if (text !== '') return { text, section }
  }
  return undefined
}

/** A page up to its first heading, without its title and description; all of it where that is empty. */
function ownPart(markdown: string): string {
  const body = markdown.replace(/^#\s[^\n]*\n+(?:>[^\n]*\n+)?/, '')
  const end = body.search(/^#{1,6}\s/m)
  const top = end < 0 ? body : body.slice(0, end)
  return top.trim() === '' ? body : top
}
