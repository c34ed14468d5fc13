/**
 * Textbook BM25 over sections, with stemming and without function words. It is not tuned any
 * further.
 */

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
  const sectionCounts = new Map<string, number>()
  for (const own of counts)
    for (const term of own.keys()) sectionCounts.set(term, (sectionCounts.get(term) ?? 0) + 1)
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return async (question, limit) => {
    const terms = new Set(termsOf(question))
    const found = sections.map((section, place): FoundSection => {
      let score = 0
      for (const term of terms) {
        const frequency = counts[place]?.get(term)?.length ?? 0
        const sectionCount = sectionCounts.get(term) ?? 0
        const weight = Math.log(1 + (sections.length - sectionCount + 0.5) / (sectionCount + 0.5))
        const relativeLength = (texts[place]?.length ?? 0) / averageLength
        score += (weight * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength))
      }
      return { section, score }
    })
    return found.toSorted((a, b) => b.score - a.score).slice(0, limit)
  }
}
