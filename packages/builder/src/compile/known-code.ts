/**
 * Reuses highlighted code from the previous version of a page. Loading a grammar takes longer than
 * the rest of the page's compilation, and an edit rarely changes the code.
 */
import type { PageNode } from '@octavo/content'
import { codeBlocks, type Highlight, type Highlighter, type PageCode } from '@octavo/theme'
import { hashBytes } from '../source/hash-bytes.ts'

/**
 * Positions of highlighted code in a page's HTML, by `codeKey`. Only positions are stored, because
 * otherwise the code would be stored twice.
 */
export type CodePlaces = readonly (readonly [key: string, start: number, length: number])[]

/** Highlighted code by `codeKey`. The lines of each block are joined. */
export type KnownCode = readonly (readonly [key: string, html: string])[]

function codeKey(text: string, language: string): string {
  return hashBytes(language, text).slice(0, 32)
}

/**
 * Returns one position for each distinct code block, even if it appears several times on the page.
 */
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

/**
 * Prepares the highlighting of a page's code. Only the grammars for code that is not in `known` are
 * loaded.
 */
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
