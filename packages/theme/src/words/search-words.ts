import { SEARCH_WORDS, type SearchWords } from '@octavo/search'
import type { InterfaceText } from './interface-text.ts'

/** The words of the search dialog in the language of the text. */
export function searchWords(text: InterfaceText): SearchWords {
  return Object.fromEntries(SEARCH_WORDS.map((name) => [name, text[name]])) as SearchWords
}
