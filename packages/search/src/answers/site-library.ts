/** What can be asked of one deployment, as one reader may see it: the same for MCP, CLI and assistant. */
export type SiteLibrary = {
  /** Bytes of its vectors; none if it finds by words alone. */
  readonly vectorBytes?: number
  /** The map of the site, in reading order. */
  readonly pages: readonly LibraryPage[]
  /** The sections that fit a question best, the best first. */
  readonly search: (question: string, limit: number) => Promise<readonly FoundSection[]>
  /** How likely the documentation answers a question. */
  readonly support?: (question: string) => Promise<QuestionSupport>
  /** The Markdown of a page, or of one section of it when the address has a fragment. */
  readonly read: (url: string) => Promise<string | undefined>
  /** Sections that hold a text literally, whatever its case. */
  readonly grep: (
    text: string,
    limit: number,
    isWanted?: (page: LibraryPage) => boolean,
  ) => readonly LibrarySection[]
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

export type QuestionSupport = {
  /** From 0 to 1; more than a half is an answer. */
  readonly likelihood: number
  /** What was measured, for those who calibrate it. */
  readonly signals: readonly number[]
}
