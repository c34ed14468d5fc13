/**
 * Code that was highlighted before. Loading a grammar takes longer than all the rest of one page,
 * and an edit rarely touches the code: a page is compiled with the code of its version before.
 */
import type { PageNode } from '@octavo/content'
import { codeBlocks, type Highlight, type Highlighter, type PageCode } from '@octavo/theme'
import { hashBytes } from '../source/hash-bytes.ts'

/**
 * Where highlighted code stands in the HTML of a page, by `codeKey`. The code itself is not kept
 * beside the HTML: pages with much code would be stored twice.
 */
export type CodePlaces = readonly (readonly [key: string, start: number, length: number])[]

/** Highlighted code by `codeKey`, lines joined. */
export type KnownCode = readonly (readonly [key: string, html: string])[]

function codeKey(text: string, language: string): string {
  return hashBytes(language, text).slice(0, 32)
}

/** One place for each code, however often it stands on the page. */
export function codePlaces(code: readonly PageCode[]): CodePlaces {
  const places = new Map<string, CodePlaces[number]>()
  for (const { text, language, start, length } of code) {
    const key = codeKey(text, language)
    if (!places.has(key)) places.set(key, [key, start, length])
  }
  return [...places.values()]
}

export function takeCode(page: { readonly html: string; readonly code: CodePlaces }): KnownCode {
  return page.code.map(([key, start, length]) => [key, page.html.slice(start, start + length)])
}

/** Highlights the code of a page. Grammars are loaded only for code that is not known. */
export async function prepareHighlight(
  nodes: readonly PageNode[],
  known: KnownCode,
  { highlight, load }: Highlighter,
): Promise<Highlight> {
  const knownLines = new Map(known)
  const find = (text: string, language: string): string | undefined =>
    knownLines.size === 0 ? undefined : knownLines.get(codeKey(text, language))
  const others = codeBlocks(nodes).filter(
    ({ text, language }) => find(text, language) === undefined,
  )
  await load(new Set(others.map(({ language }) => language)))
  return (text, language) => {
    const lines = language === undefined ? undefined : find(text, language)
    return lines?.split('\n') ?? highlight(text, language)
  }
}
