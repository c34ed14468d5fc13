import { printable } from '@octavo/model'

const LENGTH_MAX = 300

/**
 * Formats untrusted text as inline code in Markdown, because Git hosts convert mentions, issue
 * numbers, emoji and URLs in all other text, even if they are escaped. The result is a single line
 * with at most `lengthMax` characters of the text.
 */
export function inlineCode(text: string, lengthMax = LENGTH_MAX): string {
  const line = printable(text.replaceAll(/\s+/g, ' ')).trim()
  const cut = line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
  // Unpaired surrogates are replaced.
  const shown = cut.toWellFormed()
  if (shown === '') return '` `'
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return fence + pad + shown + pad + fence
}
