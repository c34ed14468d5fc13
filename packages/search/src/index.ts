export { cutSnippet, type MarkedText, markText } from './engine/cut-snippet.ts'
export { type SearchAnswer, SearchEngine, type SearchHit } from './engine/search-engine.ts'
export { ByteWriter } from './format/bytes.ts'
export {
  INDEX_FORMAT,
  type IndexedPage,
  PAGES_PER_FOLDER,
  PageFiles,
  pageFolder,
  type SearchRoot,
} from './format/index-format.ts'
export type { PageSection } from './format/page-section.ts'
export {
  SEARCH_FOLDER,
  type SearchScope,
  SearchScopes,
  searchRootUrl,
} from './format/search-scopes.ts'
export { SEARCH_WORDS, type SearchWords } from './format/search-words.ts'
export { languageWords } from './words/language-words.ts'
export { eachWord, isPlainText, splitWord } from './words/split-words.ts'
export { makeIndex } from './writer/make-index.ts'
export { type PageFacts, PageTerms } from './writer/page-terms.ts'
export { TermTable } from './writer/term-table.ts'
