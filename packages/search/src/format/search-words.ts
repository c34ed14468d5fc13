/** Words of the search dialog. They travel with the index, so that pages stay small. */
export const SEARCH_WORDS = [
  'searchEmpty',
  'searchNothing',
  'searchLoading',
  'searchResults',
  'searchRecent',
  'searchForget',
  'searchChoose',
  'searchOpen',
  'searchClose',
  'searchAsk',
] as const

export type SearchWords = Readonly<Record<(typeof SEARCH_WORDS)[number], string>>
