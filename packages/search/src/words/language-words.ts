/**
 * Language data of an index: function words, and the endings by which forms of a word differ. Both
 * are stored in the index, since the script of the search dialog is the same for all languages.
 */
import { eachWord, splitWord } from './split-words.ts'
import { WRITTEN_WORDS } from './written-words.ts'

export type LanguageWords = {
  /** The language code. Older indexes do not have it. */
  readonly code?: string
  /** Terms that hardly count next to other terms: `how`, `do`, `the`. */
  readonly functionWords: readonly string[]
  /**
   * Endings such as `ing` and `ed`, the longest first. Words that only differ in their endings are
   * forms of one word.
   */
  readonly endings: readonly string[]
  /** Groups of words that the site's author declares to mean the same. */
  readonly synonyms?: readonly (readonly string[])[]
  /** The terms of the site's name, which hardly count at the end of a query: `install acme`. */
  readonly siteName?: readonly string[]
}

/** Returns the data of a language. The code is one from the list in the requirements. */
export function languageWords(language: string): LanguageWords {
  const known = Object.hasOwn(WRITTEN_WORDS, language) ? WRITTEN_WORDS[language] : undefined
  const { words, endings } = known ?? { words: '', endings: '' }
  const terms = new Set(termsOf(words))
  const each = new Set(endings.split(/\s+/).filter((ending) => ending !== ''))
  const longestFirst = [...each].sort((a, b) => b.length - a.length)
  return { code: language, functionWords: [...terms], endings: longestFirst }
}

/** Returns the terms of a text in their order. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = []
  eachWord(text, (word) => {
    for (const { term, kind } of splitWord(word).pieces) if (kind !== 'tail') terms.push(term)
  })
  return terms
}
