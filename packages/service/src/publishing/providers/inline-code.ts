import { printable } from '@octavo/model'

const LENGTH_MAX = 300

/**
 * A text that somebody else wrote, as inline code of Markdown. Hosts look for mentions, issue
 * numbers, emoji and links in all other text, even where it is escaped; in code they look for
 * nothing. One line, cut to `lengthMax`.
 */
export function inlineCode(text: string, lengthMax = LENGTH_MAX): string {
  const line = printable(text.replaceAll(/\s+/g, ' ')).trim()
  const cut = line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
  // Half of a surrogate pair is no text.
  const shown = cut.toWellFormed()
  if (shown === '') return '` `'
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return fence + pad + shown + pad + fence
}
