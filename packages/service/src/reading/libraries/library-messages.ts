/**
 * The messages between this process and a library process. Each step gets exactly one reply, and
 * the next step is sent only after it. So it is always known which project the process is working
 * for, and which project is responsible if it does not reply.
 */
import type { ManifestRoot, Reader } from '@octavo/model'
import type { DeploymentFile, SiteLibrary, WantedFile } from '@octavo/search'

export type LibraryStep =
  | { readonly kind: 'open'; readonly key: string; readonly of: OpenedView }
  | { readonly kind: 'call'; readonly key: string; readonly call: LibraryCall }
  | { readonly kind: 'files'; readonly files: readonly SentFile[] }

export type SentStep = LibraryStep & {
  /** The id of the request to which the step belongs. */
  readonly request: number
  /** The keys of libraries that can be closed. */
  readonly closes: readonly string[]
}

export type OpenedView = {
  readonly root: Pick<ManifestRoot, 'search' | 'sections'>
  /** The number of files in the deployment. */
  readonly fileCount: number
  readonly scope: string | undefined
  readonly reader: Reader
  readonly libraryBytes: number
} & (
  | { readonly kind: 'library'; readonly vectors: SentVectors | undefined }
  /** Opens only the texts to compute vectors for. */
  | { readonly kind: 'texts'; readonly isOtherModel: boolean }
)

type SentVectors = { readonly parts: number; readonly isOtherModel: boolean }

export type TextList = { readonly texts: readonly string[]; readonly total: number }

export type LibraryMethod =
  | Exclude<keyof SiteLibrary, 'vectorBytes'>
  /** Returns the texts to compute vectors for. */
  | 'texts'

export type LibraryCall = {
  readonly method: LibraryMethod
  readonly args: readonly unknown[]
  /** The vector of the question; undefined if the library has no vectors. */
  readonly vector?: { readonly question: string; readonly numbers: Int8Array } | undefined
}

/**
 * A file that a request is waiting for. Several requests to a library may wait for the same file,
 * so one step can continue several requests.
 */
export type AskedFile = { readonly request: number; readonly id: number } & (
  | { readonly kind: 'file'; readonly wanted: WantedFile }
  | { readonly kind: 'vectors'; readonly part: number }
  /** No file is needed. The request continues after other requests had a turn. */
  | { readonly kind: 'pause' }
)

export type SentFile = { readonly id: number } & (
  | { readonly kind: 'file'; readonly file: DeploymentFile | undefined }
  | { readonly kind: 'vectors'; readonly bytes: Uint8Array }
  | { readonly kind: 'pause' }
  | { readonly kind: 'failed' }
)

export type LibraryReply = {
  readonly asked: readonly AskedFile[]
  readonly results: readonly LibraryResult[]
  /** The CPU time of the step, which unlike its duration does not depend on other load. */
  readonly cpuMs: number
}

export type LibraryResult = { readonly request: number } & LibraryOutcome

export type LibraryOutcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** A required file could not be sent. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'closed' }

export type OpenedFacts = { readonly vectorBytes: number }
