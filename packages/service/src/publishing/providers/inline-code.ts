import { printable } from '@octavo/model'

const LENGTH_MAX = 300

/**
 * Formats untrusted text as inline code in Markdown. Git hosts look for mentions, issue numbers,
 * emoji and links in all other text, even if it is escaped, but not in code. The result is one
 * line, cut to `lengthMax`.
 */
export function inlineCode(text: string, lengthMax = LENGTH_MAX): string {
  const line = printable(text.replaceAll(/\s+/g, ' ')).trim()
  const cut = line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
  // Replace unpaired surrogates.
  const shown = cut.toWellFormed()
  if (shown === '') return '` `'
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return fence + pad + shown + pad + fence
}
