import type { Pair } from './sample-request.ts'

/** `<token>` and the like: a word in code that the reader replaces. */
const PLACEHOLDER = /^<[\w-]+>$/

/** The query of an address with percent escapes. In code a placeholder stays readable. */
export function printQuery(pairs: readonly Pair[], purpose: 'code' | 'send'): string {
  if (pairs.length === 0) return ''
  const encode = (text: string) =>
    purpose === 'code' && PLACEHOLDER.test(text) ? text : encodeText(text)
  return `?${pairs.map(([name, value]) => `${encodeText(name)}=${encode(value)}`).join('&')}`
}

/** Percent escapes; a lone surrogate, which has none, becomes the replacement character. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
