import type { Reader } from '@octavo/model'
import type { DeploymentReader, SiteLibrary } from '@octavo/search'

/** A deployment as one reader can see it. The tools read everything from here. */
export type DocsSite = {
  readonly name: string
  readonly deployment: DeploymentReader
  /**
   * The reader on whose behalf the agent reads. The tools return only what this reader can access.
   */
  readonly reader: Reader
  /** Opens the library of a scope for the reader. Callers should cache the result. */
  readonly openLibrary: (scope: string | undefined) => Promise<SiteLibrary>
  /**
   * The URL of the site with its base path, such as `https://example.com/docs`; empty for a local
   * folder.
   */
  readonly url: string
  /**
   * Stores a problem that an agent reports. The tool for reports is only offered if this is set.
   */
  readonly reportProblem?: (report: ProblemReport) => Promise<void>
  /** Called after each tool call. */
  readonly onCall?: (tool: string, outcome: 'success' | 'error') => void
}

export type ProblemReport = {
  /** The path of the page; undefined if the problem is not about a single page. */
  readonly page: string | undefined
  readonly problem: string
}
