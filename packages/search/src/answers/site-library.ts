import type { AnswerSource } from './answer.ts'

/**
 * Queries on one deployment with one reader's access, shared by MCP, CLI and assistant. All methods
 * are asynchronous and all results limited: a deployment is untrusted input, so the service keeps
 * libraries in another process.
 */
export type SiteLibrary = {
  /** Memory of its vectors; undefined without semantic search. */
  readonly vectorBytes?: number
  /** Lists the site's pages in reading order. */
  readonly pages: (wanted: WantedPages) => Promise<PageList>
  readonly findPage: (url: string) => Promise<PageMatch>
  /** Finds the API reference page of an operation such as `GET /plants/{id}`. */
  readonly findOperation: (operation: string) => Promise<OperationMatch>
  /** Returns the sections that best match a question, best first. */
  readonly search: (
    question: string,
    limit: number,
    options?: SearchOptions,
  ) => Promise<readonly FoundSection[]>
  /** Returns the initial context for a model. */
  readonly findContext: (question: string, wanted: WantedContext) => Promise<LibraryContext>
  /** Quotes the passage that answers a question. */
  readonly findPassage: (question: string) => Promise<Passage>
  /** Estimates how likely the documentation answers a question. */
  readonly support?: (question: string) => Promise<QuestionSupport>
  /** Returns the Markdown of a page, or of one section if the URL has a fragment. */
  readonly read: (url: string) => Promise<string | undefined>
  /** Finds sections that contain a text literally, ignoring case. */
  readonly grep: (text: string, wanted: WantedSections) => Promise<readonly LibrarySection[]>
}

export type WantedPages = {
  /** Only pages at this path and below it: `/guides`. */
  readonly under?: string | undefined
  /** Only pages whose URL has this prefix. */
  readonly startsWith?: string | undefined
  /** Number of matching pages to skip. */
  readonly from?: number | undefined
  readonly limit: number
  /** Ends the list when its URLs and titles exceed this many characters. */
  readonly lengthMax?: number | undefined
}

type PageList = {
  readonly pages: readonly LibraryPage[]
  /** Number of all matching pages. */
  readonly total: number
}

type PageMatch = {
  readonly page: LibraryPage | undefined
  /** The most similar URL, if there is no such page. */
  readonly nearest: string | undefined
}

export type OperationMatch = {
  readonly page: LibraryPage | undefined
  /** The most similar other operations; empty if there is no API reference. */
  readonly similar: readonly string[]
}

export type SearchOptions = {
  /** Maximum characters of each section's text. */
  readonly textLengthMax?: number
}

export type WantedContext = {
  /** Number of sections to search for. */
  readonly sections: number
  /** The page that the reader is viewing. */
  readonly url: string | undefined
  readonly pages: WantedPages
}

export type LibraryContext = {
  readonly found: readonly FoundSection[]
  readonly pages: readonly LibraryPage[]
  /** The page that the reader is viewing, if the library has it. */
  readonly current: { readonly page: LibraryPage; readonly text: string } | undefined
}

export type WantedSections = {
  readonly limit: number
  /** Only pages at this path and below it. */
  readonly under?: string | undefined
}

export type LibraryPage = {
  readonly path: string
  /** Relative to the site root: `/guides/start`. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** Names of the page's ancestors, outermost first: product, version, tab, group. */
  readonly trail: readonly string[]
  /** The operation that an API reference page describes: `GET /plants/{id}`. */
  readonly operation?: string
}

export type LibrarySection = {
  readonly page: LibraryPage
  /** Empty for the text before the first heading. */
  readonly id: string
  readonly headings: readonly string[]
  readonly text: string
}

export type FoundSection = {
  readonly section: LibrarySection
  /** Higher is better; only comparable within one search. */
  readonly score: number
}

export type Passage = {
  /** Undefined if the documentation does not answer the question. */
  readonly quote: { readonly text: string; readonly source: AnswerSource } | undefined
  /** The closest pages. */
  readonly nearest: readonly AnswerSource[]
}

export type QuestionSupport = {
  /** From 0 to 1; above 0.5, there is an answer. */
  readonly likelihood: number
  /** The measured signals, for calibration. */
  readonly signals: readonly number[]
}
