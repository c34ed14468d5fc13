/**
 * What an index says of its language, so that a question finds what it is about: words that say
 * nothing alone, and endings by which forms of one word differ. Both travel with the index, since the
 * script of the dialog is the same for all languages.
 */
import { eachWord, splitWord } from './split-words.ts'
import { WRITTEN_WORDS } from './written-words.ts'

export type LanguageWords = {
  /** Of the language. Indexes that were written before it was known have none. */
  readonly code?: string
  /** Terms that weigh nothing beside others: `how`, `do`, `the`. */
  readonly functionWords: readonly string[]
  /** `ing`, `ed`: longest first. Forms of one word are the same without them. */
  readonly endings: readonly string[]
}

/** For a code of the requirements' list. */
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
