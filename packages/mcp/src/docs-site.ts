import type { Reader } from '@octavo/model'
import type { DeploymentReader, SiteLibrary } from '@octavo/search'

/** A deployment as one reader may ask it. Everything that tools give comes from here. */
export type DocsSite = {
  readonly name: string
  readonly deployment: DeploymentReader
  /** Who asks: nothing is read that this reader may not see. */
  readonly reader: Reader
  /** The library of one scope for the same reader. Callers cache it. */
  readonly openLibrary: (scope: string | undefined) => Promise<SiteLibrary>
  /** The address of the site with its base path, `https://example.com/docs`; empty for a local folder. */
  readonly url: string
  /** Stores a problem that an agent found. Without it there is no tool for that. */
  readonly reportProblem?: (report: ProblemReport) => Promise<void>
  /** Hears of each call of a tool. */
  readonly onCall?: (tool: string, outcome: 'success' | 'error') => void
}

export type ProblemReport = {
  /** The path of the page, or nothing for the documentation as a whole. */
  readonly page: string | undefined
  readonly problem: string
}
