import type { Pair } from './sample-request.ts'

/** `<token>` and similar: a word in code for the reader to replace. */
const PLACEHOLDER = /^<[\w-]+>$/

/** Prints the query of a URL with percent escapes. In code, placeholders stay readable. */
export function printQuery(pairs: readonly Pair[], purpose: 'code' | 'send'): string {
  if (pairs.length === 0) return ''
  const encode = (text: string) =>
    purpose === 'code' && PLACEHOLDER.test(text) ? text : encodeText(text)
  return `?${pairs.map(([name, value]) => `${encodeText(name)}=${encode(value)}`).join('&')}`
}

/** Percent-encodes text; a lone surrogate becomes the replacement character. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
