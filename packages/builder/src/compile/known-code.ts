/**
 * Code that was highlighted before. Loading a grammar takes longer than all the rest of one page,
 * and an edit rarely touches the code: a page is compiled with the code of its version before.
 */
import { hashBytes } from '../source/hash-bytes.ts'

/** Where highlighted code stands in the HTML of a page, by `codeKey`. */
export type CodePlaces = readonly (readonly [key: string, start: number, length: number])[]

/** Highlighted code by `codeKey`, lines joined. */
export type KnownCode = readonly (readonly [key: string, html: string])[]

export function codeKey(text: string, language: string): string {
  return hashBytes(language, text).slice(0, 32)
}

/** Finds code in the HTML that it has become a part of. Code with marked lines is not found. */
export function findCode(html: string, code: KnownCode): CodePlaces {
  const places: [string, number, number][] = []
  for (const [key, part] of code) {
    const start = part === '' ? -1 : html.indexOf(part)
    if (start >= 0) places.push([key, start, part.length])
  }
  return places
}

export function takeCode(page: { readonly html: string; readonly code: CodePlaces }): KnownCode {
  return page.code.map(([key, start, length]) => [key, page.html.slice(start, start + length)])
}
