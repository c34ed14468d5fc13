/**
 * The messages between our process and a library process, strictly alternating: one step, one
 * reply. So it is always known which project the process works for, and which one is responsible if
 * there is no reply.
 */
import type { ManifestRoot, Reader } from '@octavo/model'
import type { DeploymentFile, SiteLibrary, WantedFile } from '@octavo/search'

export type LibraryStep =
  | { readonly kind: 'open'; readonly key: string; readonly of: OpenedView }
  | { readonly kind: 'call'; readonly key: string; readonly call: LibraryCall }
  | { readonly kind: 'files'; readonly files: readonly SentFile[] }

export type SentStep = LibraryStep & {
  /** The request that the step belongs to. */
  readonly request: number
  /** Libraries that are no longer needed. */
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
  /** Opens only the texts to embed. */
  | { readonly kind: 'texts'; readonly isOtherModel: boolean }
)

type SentVectors = { readonly parts: number; readonly isOtherModel: boolean }

export type TextList = { readonly texts: readonly string[]; readonly total: number }

export type LibraryMethod =
  | Exclude<keyof SiteLibrary, 'vectorBytes' | 'support'>
  /** Returns the texts to embed. */
  | 'texts'

export type LibraryCall = {
  readonly method: LibraryMethod
  readonly args: readonly unknown[]
  /** The vector of the question, if the library has vectors. */
  readonly vector?: { readonly question: string; readonly numbers: Int8Array } | undefined
}

/**
 * A file that a request needs. Requests to one library may wait for the same file, so one step can
 * advance several of them.
 */
export type AskedFile = { readonly request: number; readonly id: number } & (
  | { readonly kind: 'file'; readonly wanted: WantedFile }
  | { readonly kind: 'vectors'; readonly part: number }
  /** No file: the request continues after others had their turn. */
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
  /** CPU time of the step, which does not depend on the load of the machine. */
  readonly cpuMs: number
}

export type LibraryResult = { readonly request: number } & LibraryOutcome

export type LibraryOutcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** A required file was not sent. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'closed' }

export type OpenedFacts = { readonly vectorBytes: number }
