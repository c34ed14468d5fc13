import { type Diagnostic, diagnose, formatCount } from '@octavo/model'
import { MARKDOWN_LENGTH_MAX } from '@octavo/search'

/** Reports Markdown that is longer than agents read from one file. `what` names the page. */
export function checkLength(markdown: string, file: string, what: string): readonly Diagnostic[] {
  if (markdown.length <= MARKDOWN_LENGTH_MAX) return []
  const message = `The Markdown of ${what} has ${formatCount(markdown.length)} characters. Agents read ${formatCount(MARKDOWN_LENGTH_MAX)} of one file, so it is split into several.`
  const hint = 'Make several pages of it, if it has several topics.'
  return [diagnose('content/long-markdown', { file, line: 1, column: 1 }, { message, hint })]
}
