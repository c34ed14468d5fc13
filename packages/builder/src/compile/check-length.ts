import { type Diagnostic, diagnose, formatCount } from '@octavo/model'
import { MARKDOWN_LENGTH_MAX } from '@octavo/search'

/**
 * Reports a page whose Markdown is longer than what agents read from one file. `what` names the
 * page.
 */
export function checkLength(markdown: string, file: string, what: string): readonly Diagnostic[] {
  if (markdown.length <= MARKDOWN_LENGTH_MAX) return []
  const message = `The Markdown of ${what} has ${formatCount(markdown.length)} characters. Agents read at most ${formatCount(MARKDOWN_LENGTH_MAX)} characters of a file, so it is split into several files.`
  const hint = 'If it covers several topics, split it into several pages.'
  return [diagnose('content/long-markdown', { file, line: 1, column: 1 }, { message, hint })]
}
