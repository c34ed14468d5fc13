/** Textbook BM25 over sections: stems, no function words, no further tuning. */

import { stemOf } from '../../../packages/search/src/engine/word-stem.ts'
import {
  eachWord,
  type FoundSection,
  type LibrarySection,
  type languageWords,
  type SiteLibrary,
  splitWord,
} from '../../../packages/search/src/index.ts'

const K1 = 1.2
const B = 0.75

export function plainBm25(
  sections: readonly LibrarySection[],
  { functionWords, endings }: ReturnType<typeof languageWords>,
): SiteLibrary['search'] {
  const skipped = new Set(functionWords)
  const termsOf = (text: string) => {
    const terms: string[] = []
    eachWord(text, (word) => {
      for (const { term } of splitWord(word).pieces)
        if (!skipped.has(term)) terms.push(stemOf(term, endings))
    })
    return terms
  }
  const texts = sections.map(({ page, headings, text }) =>
    termsOf(`${page.title} ${headings.join(' ')} ${text}`),
  )
  const counts = texts.map((terms) => Map.groupBy(terms, (term) => term))
  const inSections = new Map<string, number>()
  for (const own of counts)
    for (const term of own.keys()) inSections.set(term, (inSections.get(term) ?? 0) + 1)
  const usual = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return async (question, limit) => {
    const asked = new Set(termsOf(question))
    const found = sections.map((section, place): FoundSection => {
      let score = 0
      for (const term of asked) {
        const often = counts[place]?.get(term)?.length ?? 0
        const rare = inSections.get(term) ?? 0
        const weight = Math.log(1 + (sections.length - rare + 0.5) / (rare + 0.5))
        const long = (texts[place]?.length ?? 0) / usual
        score += (weight * often * (K1 + 1)) / (often + K1 * (1 - B + B * long))
      }
      return { section, score }
    })
    return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
  }
}
