import type { Pair } from './sample-request.ts'

/** Matches placeholders such as `<token>`, which readers replace in the code. */
const PLACEHOLDER = /^<[\w-]+>$/

/**
 * Prints the query of a URL, percent-encoded. With the purpose `code`, placeholders stay readable.
 */
export function printQuery(pairs: readonly Pair[], purpose: 'code' | 'send'): string {
  if (pairs.length === 0) return ''
  const encode = (text: string) =>
    purpose === 'code' && PLACEHOLDER.test(text) ? text : encodeText(text)
  return `?${pairs.map(([name, value]) => `${encodeText(name)}=${encode(value)}`).join('&')}`
}

/** Percent-encodes text. Lone surrogates become replacement characters. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
