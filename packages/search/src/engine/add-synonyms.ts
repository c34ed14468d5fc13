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

/** Every word is looked up here, so the groups are taken apart once. */
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
