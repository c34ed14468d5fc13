/** Names of the search dialog's messages, which are stored in the index to keep pages small. */
export const SEARCH_WORDS = [
  'searchEmpty',
  'searchNothing',
  'searchLoading',
  'searchResults',
  'searchAll',
  'searchRecent',
  'searchForget',
  'searchChoose',
  'searchOpen',
  'searchClose',
  'searchAsk',
] as const

export type SearchWords = Readonly<Record<(typeof SEARCH_WORDS)[number], string>>
