import type { AnswerSource } from './answer.ts'

/**
 * What can be asked of one deployment, as one reader may see it: the same for MCP, CLI and assistant.
 * Every method is asynchronous and its result limited, because the service keeps libraries in another
 * process: a deployment is untrusted input.
 */
export type SiteLibrary = {
  /** Bytes of its vectors; undefined if it finds by words alone. */
  readonly vectorBytes?: number
  /** The map of the site, in reading order. */
  readonly pages: (wanted: WantedPages) => Promise<PageList>
  readonly findPage: (url: string) => Promise<PageMatch>
  /** A page of an API reference by what it is about: `GET /plants/{id}`. */
  readonly findOperation: (operation: string) => Promise<OperationMatch>
  /** The sections that fit a question best, the best first. */
  readonly search: (
    question: string,
    limit: number,
    options?: SearchOptions,
  ) => Promise<readonly FoundSection[]>
  /** What a model is shown of the documentation before it answers. */
  readonly findContext: (question: string, wanted: WantedContext) => Promise<LibraryContext>
  /** What the documentation says about a question, quoted. */
  readonly findPassage: (question: string) => Promise<Passage>
  /** How likely the documentation answers a question. */
  readonly support?: (question: string) => Promise<QuestionSupport>
  /** The Markdown of a page, or of one section of it when the address has a fragment. */
  readonly read: (url: string) => Promise<string | undefined>
  /** Sections that hold a text literally, whatever its case. */
  readonly grep: (text: string, wanted: WantedSections) => Promise<readonly LibrarySection[]>
}

export type WantedPages = {
  /** Pages at this path and below it: `/guides`. */
  readonly under?: string | undefined
  /** Pages whose address starts so. */
  readonly startsWith?: string | undefined
  /** How many of these are skipped. */
  readonly from?: number | undefined
  readonly limit: number
  /** Ends the list after so many characters of addresses and titles. */
  readonly lengthMax?: number | undefined
}

type PageList = {
  readonly pages: readonly LibraryPage[]
  /** How many there are in all. */
  readonly total: number
}

type PageMatch = {
  readonly page: LibraryPage | undefined
  /** The address that is most like the one that was asked for, where there is no such page. */
  readonly nearest: string | undefined
}

export type OperationMatch = {
  readonly page: LibraryPage | undefined
  /** Other operations, the most similar ones; empty where there is no API reference. */
  readonly similar: readonly string[]
}

export type SearchOptions = {
  /** Characters of the text of each section. */
  readonly textLengthMax?: number
}

export type WantedContext = {
  /** How many sections that fit the question. */
  readonly sections: number
  /** The page that the reader looks at. */
  readonly url: string | undefined
  readonly pages: WantedPages
}

export type LibraryContext = {
  readonly found: readonly FoundSection[]
  readonly pages: readonly LibraryPage[]
  /** The page that the reader looks at, if the library has it. */
  readonly current: { readonly page: LibraryPage; readonly text: string } | undefined
}

export type WantedSections = {
  readonly limit: number
  /** Pages at this path and below it. */
  readonly under?: string | undefined
}

export type LibraryPage = {
  readonly path: string
  /** From the root of the site: `/guides/start`. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** Names of what the page belongs to, the outermost first: product, version, tab, group. */
  readonly trail: readonly string[]
  /** What a page of an API reference is about: `GET /plants/{id}`. */
  readonly operation?: string
}

export type LibrarySection = {
  readonly page: LibraryPage
  /** Empty for what stands before the first heading. */
  readonly id: string
  readonly headings: readonly string[]
  readonly text: string
}

export type FoundSection = {
  readonly section: LibrarySection
  /** Higher is better; comparable within one search only. */
  readonly score: number
}

export type Passage = {
  /** Undefined where the documentation does not answer the question. */
  readonly quote: { readonly text: string; readonly source: AnswerSource } | undefined
  /** The pages that come nearest. */
  readonly nearest: readonly AnswerSource[]
}

export type QuestionSupport = {
  /** From 0 to 1; more than a half is an answer. */
  readonly likelihood: number
  /** What was measured, for those who calibrate it. */
  readonly signals: readonly number[]
}
