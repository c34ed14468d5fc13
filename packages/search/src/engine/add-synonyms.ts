import { splitWord } from '../words/split-words.ts'
import type { AddRelated } from './search-engine.ts'
import { stemOf } from './word-stem.ts'

/**
 * Minimum quality of a synonym's match: includes inflected forms, but not words that are only
 * similar.
 */
const MATCH_QUALITY_MIN = 0.8

export type Synonyms = {
  readonly groups: readonly (readonly string[])[]
  readonly endings: readonly string[]
  /** Quality of a match of a synonym relative to a match of the word itself. */
  readonly quality: number
}

/** Makes each word of a synonym group also find the other words of the group. */
export function addSynonyms({ groups, endings, quality }: Synonyms): AddRelated {
  const stem = (term: string) => stemOf(term, endings)
  const othersOf = synonymsByStem(groups, stem)
  return async (word, own, find) => {
    const others = othersOf.get(stem(word.term))
    if (others === undefined) return own
    const matches = [...own]
    const taken = new Set(own.map(({ term }) => term))
    for (const term of others) {
      const synonym = { ...word, term, start: term, isPrefix: false, isExact: true }
      for (const match of await find(synonym)) {
        if (match.quality < MATCH_QUALITY_MIN || taken.has(match.term)) continue
        taken.add(match.term)
        matches.push({ ...match, quality: match.quality * quality })
      }
    }
    return matches
  }
}

/** Maps each stem to its synonyms in advance, because every word of a query is looked up. */
function synonymsByStem(
  groups: Synonyms['groups'],
  stem: (term: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const words of groups) {
    const group = words.flatMap((word) => splitWord(word).pieces.map(({ term }) => term))
    for (const own of new Set(group.map(stem))) {
      const others = group.filter((term) => stem(term) !== own)
      found.set(own, [...(found.get(own) ?? []), ...others])
    }
  }
  return found
}
