/**
 * Answers without a model: quotes the documentation, or says that it does not answer the question.
 */
import type { Answerer } from './answer.ts'

export const UNANSWERED_TEXT = 'The documentation does not answer this.'

/** Quotes the page's Markdown unchanged. */
export const answerFromPassages: Answerer = async (question, { library, signal, give }) => {
  signal.throwIfAborted()
  await give({ type: 'step', tool: 'search', of: question.text })
  const { quote, nearest } = await library.findPassage(question.text)
  signal.throwIfAborted()
  if (quote === undefined) {
    await give({ type: 'text', text: UNANSWERED_TEXT })
    return { status: 'unanswered', reason: 'low-support', sources: [], nearest }
  }
  const { text, source } = quote
  await give({ type: 'step', tool: 'read', of: source.url })
  await give({ type: 'text', text })
  return { status: 'answered', sources: [source], nearest: [] }
}
