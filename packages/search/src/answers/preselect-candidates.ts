/**
 * Picks the sections that are worth measuring, by searching their text for the question's words.
 * Measuring a section takes a hundred times as long as such a search.
 */
import type { WeightedWord } from '../excerpts/choose-excerpt.ts'
import type { Candidate } from './section-signals.ts'

/** Maximum sections that are measured for a question. */
const CANDIDATES_MAX = 60
/** Number of characters to search at the beginning of a section. */
const SEARCHED_LENGTH = 6_000
const SYNONYM_SHARE = 0.5

export function preselectCandidates(
  candidates: readonly Candidate[],
  words: readonly WeightedWord[],
): readonly Candidate[] {
  if (candidates.length <= CANDIDATES_MAX) return candidates
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  return candidates
    .map((candidate) => ({ candidate, value: candidate.indexed + found(candidate, words) / total }))
    .sort((a, b) => b.value - a.value)
    .slice(0, CANDIDATES_MAX)
    .map(({ candidate }) => candidate)
}

/**
 * Returns the total weight of the question's words that a section contains; synonyms count half.
 */
function found({ section }: Candidate, words: readonly WeightedWord[]): number {
  const { page, id, headings } = section
  const about = id === '' ? page.description : ''
  const start = section.text.slice(0, SEARCHED_LENGTH)
  const text = [page.title, about, ...headings, start].join(' ').toLowerCase()
  return words.reduce((sum, { term, weight, others }) => {
    if (text.includes(term)) return sum + weight
    return others.some((other) => text.includes(other)) ? sum + weight * SYNONYM_SHARE : sum
  }, 0)
}
