import type { LanguageWords } from '../words/language-words.ts'
import { splitWord } from '../words/split-words.ts'
import { synonymGroups } from '../words/word-synonyms.ts'
import type { AddRelated } from './search-engine.ts'
import { stemOf } from './word-stem.ts'

/** Quality of a synonym relative to the word itself. */
const QUALITY = 0.5
/** Accepts inflected forms of a synonym, but not words that are only similar. */
const MATCH_QUALITY_MIN = 0.8

/**
 * Makes each word of a synonym group also find the others. The search dialog omits this to stay
 * small.
 */
export function addSynonyms({ code, endings }: LanguageWords): AddRelated {
  const stem = (term: string) => stemOf(term, endings)
  const othersOf = synonymsByStem(code, stem)
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
        matches.push({ ...match, quality: match.quality * QUALITY })
      }
    }
    return matches
  }
}

/** Prepares the groups once, because every word is looked up here. */
function synonymsByStem(
  code: string | undefined,
  stem: (term: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const words of synonymGroups(code)) {
    const group = words.flatMap((word) => splitWord(word).pieces.map(({ term }) => term))
    for (const own of new Set(group.map(stem))) {
      const others = group.filter((term) => stem(term) !== own)
      found.set(own, [...(found.get(own) ?? []), ...others])
    }
  }
  return found
}
