import type { LanguageWords } from '../words/language-words.ts'
import { splitWord } from '../words/split-words.ts'
import { synonymGroups } from '../words/word-synonyms.ts'
import type { AddRelated } from './search-engine.ts'
import { stemOf } from './word-stem.ts'

/** What a synonym is worth, of the word itself. */
const QUALITY = 0.5
/** Forms of a synonym count, words that only look like it do not. */
const MATCH_QUALITY_MIN = 0.8

/** Each word of a group also finds the others. The search dialog does without, and stays small. */
export function addSynonyms({ code, endings }: LanguageWords): AddRelated {
  const groups = synonymGroups(code).map((group) =>
    group.flatMap((word) => splitWord(word).pieces.map(({ term }) => term)),
  )
  const stem = (term: string) => stemOf(term, endings)
  return async (word, own, find) => {
    const matches = [...own]
    const taken = new Set(own.map(({ term }) => term))
    for (const group of groups) {
      const others = group.filter((term) => stem(term) !== stem(word.term))
      if (others.length === group.length) continue
      for (const term of others) {
        for (const match of await find({ ...word, term, start: term, isPrefix: false })) {
          if (match.quality < MATCH_QUALITY_MIN || taken.has(match.term)) continue
          taken.add(match.term)
          matches.push({ ...match, quality: match.quality * QUALITY })
        }
      }
    }
    return matches
  }
}
