import { SEARCH_WORDS, type SearchWords } from '@octavo/search'
import type { InterfaceText } from './interface-text.ts'

/** Returns the text of the search dialog. */
export function searchWords(text: InterfaceText): SearchWords {
  return Object.fromEntries(SEARCH_WORDS.map((name) => [name, text[name]])) as SearchWords
}
