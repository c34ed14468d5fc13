import type { Reader } from '@octavo/model'
import type { DeploymentReader, SiteLibrary } from '@octavo/search'

/** A deployment as one reader may see it. All results of tools come from here. */
export type DocsSite = {
  readonly name: string
  readonly deployment: DeploymentReader
  /** The reader, whose access limits everything that is read. */
  readonly reader: Reader
  /** Opens the library of one scope for the same reader. Callers cache it. */
  readonly openLibrary: (scope: string | undefined) => Promise<SiteLibrary>
  /** The site's URL with its base path, `https://example.com/docs`; empty for a local folder. */
  readonly url: string
  /** Stores a problem that an agent found. Without it, the tool for that is not offered. */
  readonly reportProblem?: (report: ProblemReport) => Promise<void>
  /** Called after each tool call. */
  readonly onCall?: (tool: string, outcome: 'success' | 'error') => void
}

export type ProblemReport = {
  /** The path of the page; undefined for the documentation as a whole. */
  readonly page: string | undefined
  readonly problem: string
}
