export type {
  Answerer,
  AnswerOutcome,
  AnswerPart,
  AnswerSource,
  Question,
  UnansweredReason,
} from './answers/answer.ts'
export {
  answerFromPassages,
  MATCHES_TEXT,
  UNANSWERED_TEXT,
} from './answers/answer-from-passages.ts'
export { nearestPages, sourceOf } from './answers/answer-source.ts'
export {
  checkSize,
  createDeploymentReader,
  type DeploymentFile,
  type DeploymentReader,
  type DeploymentStorage,
  type LibraryFiles,
  type WantedFile,
} from './answers/deployment-reader.ts'
export { findContext } from './answers/find-context.ts'
export type { Inflate } from './answers/inflate.ts'
export { LIBRARY_LIMITS } from './answers/library-meter.ts'
export {
  embeddingTexts,
  type OpenedLibrary,
  openLibrary,
  readerWithFullAccess,
} from './answers/open-library.ts'
export { createPageMap, isUnder } from './answers/page-map.ts'
export {
  type LabeledQuestion,
  parseQuestions,
  printQuestions,
  readQuestions,
  SITE_QUESTION_LIMITS,
} from './answers/parse-questions.ts'
export { hasPassage } from './answers/passage-text.ts'
export type { LibraryView, QuestionVectors } from './answers/question-ranking.ts'
export { MARKDOWN_LIMITS, readMarkdown } from './answers/read-markdown.ts'
export {
  type AnswerChange,
  compareAnswers,
  parseShownAnswers,
  printShownAnswers,
  type ShownAnswer,
  showAnswer,
} from './answers/shown-answers.ts'
export type {
  FoundSection,
  LibraryPage,
  LibrarySection,
  Match,
  Matches,
  SiteLibrary,
} from './answers/site-library.ts'
export { cutSnippet, type MarkedText, markText } from './engine/cut-snippet.ts'
export { SearchEngine, type SearchHit, type SearchResult } from './engine/search-engine.ts'
export { stemOf } from './engine/word-stem.ts'
export { ByteWriter } from './format/bytes.ts'
export {
  INDEX_FORMAT,
  type IndexedPage,
  PAGES_PER_FOLDER,
  PageFiles,
  pageFolder,
  type SearchRoot,
} from './format/index-format.ts'
export { INDEX_LIMITS } from './format/index-limits.ts'
export {
  countMarkdownFiles,
  joinMarkdownFiles,
  MARKDOWN_LENGTH_MAX,
  markdownPartPath,
  parseMarkdownPartPath,
  printMarkdownFiles,
} from './format/markdown-file.ts'
export type { PageSection } from './format/page-section.ts'
export {
  SEARCH_FOLDER,
  type SearchScope,
  SearchScopes,
  searchRootUrl,
} from './format/search-scopes.ts'
export { SEARCH_WORDS, type SearchWords } from './format/search-words.ts'
export { UnreadableIndex } from './format/unreadable-index.ts'
export { type LanguageWords, languageWords, termsOf } from './words/language-words.ts'
export { eachWord, isPlainText, splitWord } from './words/split-words.ts'
export { makeIndex } from './writer/make-index.ts'
export { type PageFacts, PageTerms } from './writer/page-terms.ts'
export {
  countTerms,
  packTermUse,
  recountTerms,
  type TermUse,
  unpackTermUse,
} from './writer/term-counts.ts'
export { TermTable } from './writer/term-table.ts'
