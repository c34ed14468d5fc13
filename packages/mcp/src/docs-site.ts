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
  /**
   * Compares the live deployment with an earlier one. The tool for changes is only offered if this
   * is set.
   */
  readonly findChanges?: (since: Since) => Promise<SiteChanges | NoDeployment>
  /** Called after each tool call. */
  readonly onCall?: (tool: string, outcome: 'success' | 'error') => void
}

export type ProblemReport = {
  /** The path of the page; undefined if the problem is not about a single page. */
  readonly page: string | undefined
  readonly problem: string
}

/** The number of a deployment that was live, or a time at which one was live. */
export type Since = { readonly number: number } | { readonly at: Date }

export type LiveDeployment = { readonly number: number; readonly publishedAt: Date }

/** The result if the wanted deployment was never live or is no longer kept. */
export type NoDeployment = { readonly oldest: LiveDeployment | undefined }

/** What changed between two deployments, as far as the reader may know. */
export type SiteChanges = {
  readonly from: LiveDeployment
  /** The number of the live deployment. */
  readonly to: number
  /** Addresses of pages. */
  readonly pages: {
    readonly added: readonly string[]
    readonly changed: readonly string[]
    readonly removed: readonly string[]
    readonly moved: readonly { readonly from: string; readonly to: string }[]
  }
  /** The changes of each specification in each deployment, oldest first. */
  readonly api: readonly ApiChangesOfFile[]
  /** False if the comparison of a deployment is not stored. */
  readonly isApiComplete: boolean
}

export type ApiChangesOfFile = {
  readonly deployment: number
  readonly file: string
  /** The number of all changes; `changes` may have only the first ones. */
  readonly count: number
  readonly changes: readonly {
    readonly level: string
    readonly message: string
    /** The first operations that it affects; empty for the whole API. */
    readonly operations: readonly string[]
    readonly operationCount: number
  }[]
  /** Why the specification could not be compared. */
  readonly problem?: string | undefined
}
