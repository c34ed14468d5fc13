/**
 * Words that the theme itself says. Translations stand in `languages/`, one file each; a language
 * without its own, and a word that a translation lacks, falls back to English.
 */
export type InterfaceText = {
  readonly skip: string
  readonly menu: string
  readonly search: string
  readonly searchEmpty: string
  readonly searchNothing: string
  readonly searchFailed: string
  readonly searchRetry: string
  readonly searchLoading: string
  readonly searchResults: string
  readonly searchRecent: string
  readonly searchForget: string
  readonly searchChoose: string
  readonly searchOpen: string
  readonly searchClose: string
  readonly sections: string
  readonly pages: string
  readonly onThisPage: string
  readonly breadcrumbs: string
  readonly previous: string
  readonly next: string
  readonly lastModified: string
  readonly deprecated: string
  readonly required: string
  readonly defaultValue: string
  readonly showMore: string
  readonly showLess: string
  readonly copy: string
  readonly download: string
  readonly openInCursor: string
  readonly example: string
  readonly nullable: string
  readonly filterByTag: string
  readonly views: string
  readonly links: string
  readonly language: string
  readonly version: string
  readonly request: string
  readonly response: string
  readonly notFound: string
  readonly notFoundHint: string
  readonly home: string
  readonly codeLanguage: string
  readonly copied: string
  readonly enlarge: string
  readonly close: string
  readonly announcement: string
  readonly dismiss: string
  readonly theme: string
  readonly note: string
  readonly warning: string
  readonly info: string
  readonly tip: string
  readonly check: string
  readonly danger: string
  readonly pageMenu: string
  readonly copyPage: string
  readonly viewMarkdown: string
  readonly downloadSpecification: string
  readonly savePdf: string
  readonly openIn: string
  readonly handOff: string
}

export const ENGLISH: InterfaceText = {
  skip: 'Skip to content',
  menu: 'Menu',
  search: 'Search',
  searchEmpty: 'Type to search titles, headings, text, and API operations.',
  searchNothing: 'Nothing found for “{query}”.',
  searchFailed: 'The search could not be loaded.',
  searchRetry: 'Try again',
  searchLoading: 'Searching…',
  searchResults: 'Results',
  searchRecent: 'Recent searches',
  searchForget: 'Forget recent searches',
  searchChoose: 'to choose',
  searchOpen: 'to open',
  searchClose: 'to close',
  sections: 'Sections',
  pages: 'Pages',
  onThisPage: 'On this page',
  breadcrumbs: 'Breadcrumbs',
  previous: 'Previous',
  next: 'Next',
  lastModified: 'Last modified on',
  deprecated: 'Deprecated',
  required: 'required',
  defaultValue: 'Default',
  showMore: 'Show all',
  showLess: 'Show less',
  copy: 'Copy',
  download: 'Download',
  openInCursor: 'Open in Cursor',
  example: 'Example',
  nullable: 'nullable',
  filterByTag: 'Filter by tag',
  views: 'Views',
  links: 'Links',
  language: 'Language',
  version: 'Version',
  request: 'Request',
  response: 'Response',
  notFound: 'Page not found',
  notFoundHint: 'There is no page at this address. It may have moved.',
  home: 'Go to the start',
  codeLanguage: 'Code language',
  copied: 'Copied',
  enlarge: 'Enlarge image',
  close: 'Close',
  announcement: 'Announcement',
  dismiss: 'Dismiss',
  theme: 'Switch between light and dark',
  note: 'Note',
  warning: 'Warning',
  info: 'Info',
  tip: 'Tip',
  check: 'Done',
  danger: 'Danger',
  pageMenu: 'Actions for this page',
  copyPage: 'Copy page',
  viewMarkdown: 'View as Markdown',
  downloadSpecification: 'Download the API specification',
  savePdf: 'Save as PDF',
  openIn: 'Open in {tool}',
  handOff: 'Read {url}. I want to ask questions about it.',
}

/** What a translation says; a word that it lacks is said in English. */
export type Translation = Readonly<Partial<InterfaceText>>

/** The words by language, as `loadLanguages` gives them. */
export type InterfaceTexts = ReadonlyMap<string, InterfaceText>

/** The words for a language of the list, such as `ar` or `pt-BR`. */
export function interfaceText(language: string, texts: InterfaceTexts | undefined): InterfaceText {
  return texts?.get(language) ?? ENGLISH
}
