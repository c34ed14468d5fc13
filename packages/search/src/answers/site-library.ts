import type { AnswerSource } from './answer.ts'

/**
 * Queries on one deployment with one reader's access, shared by MCP, the CLI and the assistant. All
 * methods are asynchronous because the service runs libraries in another process. All results are
 * limited because a deployment is untrusted.
 */
export type SiteLibrary = {
  /** Bytes of memory that the vectors use; undefined without semantic search. */
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
  /** Returns excerpts of the sections that fit a question, to show to readers. */
  readonly findMatches: (question: string, options?: MatchOptions) => Promise<Matches>
  /** Returns the Markdown of a page, or of one section if the URL has a fragment. */
  readonly read: (url: string) => Promise<string | undefined>
  /** Finds sections that contain a string literally, ignoring case. */
  readonly grep: (text: string, wanted: WantedSections) => Promise<readonly LibrarySection[]>
}

export type WantedPages = {
  /** Only list pages at this path and below it, such as `/guides`. */
  readonly under?: string | undefined
  /** Only list pages whose URL has this prefix. */
  readonly startsWith?: string | undefined
  /** Number of matching pages to skip. */
  readonly from?: number | undefined
  readonly limit: number
  /** End the list when its URLs and titles exceed this many characters. */
  readonly lengthMax?: number | undefined
}

type PageList = {
  readonly pages: readonly LibraryPage[]
  /** Number of all matching pages, including those not in this list. */
  readonly total: number
}

type PageMatch = {
  readonly page: LibraryPage | undefined
  /** The most similar URL, if the wanted page does not exist. */
  readonly nearest: string | undefined
}

export type OperationMatch = {
  readonly page: LibraryPage | undefined
  /** The most similar other operations; empty if the site has no API reference. */
  readonly similar: readonly string[]
}

export type SearchOptions = {
  /** Maximum characters of each section's text. */
  readonly textLengthMax?: number
}

export type MatchOptions = {
  /** The URL of a page whose sections are preferred. */
  readonly page?: string | undefined
  readonly limit?: number | undefined
  /** True to return only one section of each page. */
  readonly onePerPage?: boolean | undefined
}

export type WantedContext = {
  /** Number of sections to search for. */
  readonly sections: number
  /** The URL of the page that the reader is viewing. */
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
  /** Only search pages at this path and below it. */
  readonly under?: string | undefined
}

export type LibraryPage = {
  readonly path: string
  /** URL relative to the site root, such as `/guides/start`. */
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
  /** ID of the heading; empty for the text before the first heading. */
  readonly id: string
  readonly headings: readonly string[]
  readonly text: string
}

export type FoundSection = {
  readonly section: LibrarySection
  /** Higher is better. Scores are only comparable within one search. */
  readonly score: number
}

/** A section that fits a question, with an excerpt of its Markdown. */
export type Match = AnswerSource & { readonly text: string }

export type Matches = {
  /** The matches, best first. */
  readonly matches: readonly Match[]
  /** True if the first match is judged to answer the question. */
  readonly hasAnswer: boolean
  /** How likely the first match is to answer the question, from 0 to 1. */
  readonly likelihood: number
  /** Names in the question that the site does not mention. */
  readonly missing: readonly string[]
  /** The pages that are closest to the question. */
  readonly nearest: readonly AnswerSource[]
}
