/**
 * Answers questions without a model: quotes the documentation, shows the best-fitting sections
 * without calling them an answer, or says that nothing fits.
 */
import type { Answerer } from './answer.ts'

export const UNANSWERED_TEXT = 'The documentation does not answer this.'
/** The text to show if there are matches but no answer. The matches are returned separately. */
export const MATCHES_TEXT = 'These sections match the question best.'

/** Answers with an unchanged quote from the page's Markdown. */
export const answerFromPassages: Answerer = async (question, { library, signal, give }) => {
  signal.throwIfAborted()
  await give({ type: 'step', tool: 'search', of: question.text })
  const found = await library.findMatches(question.text, {
    page: question.page?.url.replace(/#.*$/, ''),
  })
  signal.throwIfAborted()
  const { matches, hasAnswer, missing, nearest } = found
  const [first, ...others] = matches
  // No section is a match if the question names something that the site does not mention.
  if (first === undefined || missing.length > 0) {
    await give({ type: 'text', text: UNANSWERED_TEXT })
    return {
      status: 'unanswered',
      reason: 'low-support',
      sources: [],
      nearest,
      matches: [],
      missing,
    }
  }
  if (!hasAnswer) {
    await give({ type: 'text', text: MATCHES_TEXT })
    const places = matches.map(({ url, title }) => ({ url, title }))
    return { status: 'unanswered', reason: 'low-support', sources: [], nearest: places, matches }
  }
  const { text, ...source } = first
  await give({ type: 'step', tool: 'read', of: source.url })
  await give({ type: 'text', text })
  return { status: 'answered', sources: [source], nearest: [], matches: others }
}
