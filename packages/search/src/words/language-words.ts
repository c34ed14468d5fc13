/**
 * Language data of an index, for better results: function words, and endings in which the forms of
 * a word differ. Both are stored in the index, since the dialog's script is the same for all
 * languages.
 */
import { eachWord, splitWord } from './split-words.ts'
import { WRITTEN_WORDS } from './written-words.ts'

export type LanguageWords = {
  /** The language code. Older indexes do not have it. */
  readonly code?: string
  /** Terms that hardly count next to others: `how`, `do`, `the`. */
  readonly functionWords: readonly string[]
  /** Longest first: `ing`, `ed`. Forms of a word are equal without them. */
  readonly endings: readonly string[]
}

/** Takes a language code from the requirements' list. */
export function languageWords(language: string): LanguageWords {
  const known = Object.hasOwn(WRITTEN_WORDS, language) ? WRITTEN_WORDS[language] : undefined
  const { words, endings } = known ?? { words: '', endings: '' }
  const terms = new Set<string>()
  eachWord(words, (word) => {
    for (const { term, kind } of splitWord(word).pieces) if (kind !== 'tail') terms.add(term)
  })
  const each = new Set(endings.split(/\s+/).filter((ending) => ending !== ''))
  const longestFirst = [...each].sort((a, b) => b.length - a.length)
  return { code: language, functionWords: [...terms], endings: longestFirst }
}
