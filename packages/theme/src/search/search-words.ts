import type { InterfaceText } from '../interface-text.ts'

/** Words of the search dialog. They travel with the index, so that pages stay small. */
const NAMES = [
  'searchEmpty',
  'searchNothing',
  'searchLoading',
  'searchResults',
  'searchRecent',
  'searchForget',
  'searchChoose',
  'searchOpen',
  'searchClose',
] as const satisfies readonly (keyof InterfaceText)[]

export type SearchWords = Pick<InterfaceText, (typeof NAMES)[number]>

export function searchWords(text: InterfaceText): SearchWords {
  return Object.fromEntries(NAMES.map((name) => [name, text[name]])) as SearchWords
}
