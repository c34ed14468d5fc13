/**
 * What a library process and ours send to one another, strictly in turns: one step, one reply. So we
 * always know for which project the process works, and whom to blame if no reply comes.
 */
import type { ManifestRoot, Reader } from '@octavo/model'
import type { DeploymentFile, SiteLibrary, WantedFile } from '@octavo/search'

export type LibraryStep =
  | { readonly kind: 'open'; readonly key: string; readonly of: OpenedView }
  | { readonly kind: 'call'; readonly key: string; readonly call: LibraryCall }
  | { readonly kind: 'files'; readonly files: readonly SentFile[] }

export type SentStep = LibraryStep & {
  /** The request that it belongs to. */
  readonly request: number
  /** Libraries that are no longer needed. */
  readonly closes: readonly string[]
}

export type OpenedView = {
  readonly root: Pick<ManifestRoot, 'search' | 'sections'>
  /** Files of the deployment. */
  readonly fileCount: number
  readonly scope: string | undefined
  readonly reader: Reader
  readonly libraryBytes: number
} & (
  | { readonly kind: 'library'; readonly vectors: SentVectors | undefined }
  /** Only the texts that vectors are made of. */
  | { readonly kind: 'texts'; readonly isOtherModel: boolean }
)

type SentVectors = { readonly parts: number; readonly isOtherModel: boolean }

export type TextList = { readonly texts: readonly string[]; readonly total: number }

export type LibraryMethod =
  | Exclude<keyof SiteLibrary, 'vectorBytes' | 'support'>
  /** Of the texts that vectors are made of alone. */
  | 'texts'

export type LibraryCall = {
  readonly method: LibraryMethod
  readonly args: readonly unknown[]
  /** The vector of the question that is asked, where the library has vectors. */
  readonly vector?: { readonly question: string; readonly numbers: Int8Array } | undefined
}

/** Requests to one library may wait for the same file, so one step can bring several of them on. */
export type AskedFile = { readonly request: number; readonly id: number } & (
  | { readonly kind: 'file'; readonly wanted: WantedFile }
  | { readonly kind: 'vectors'; readonly part: number }
  /** No file at all: it comes back when others had their turn. */
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
  /** What the step took of the processor, which is the same on a machine that is busy. */
  readonly cpuMs: number
}

export type LibraryResult = { readonly request: number } & LibraryOutcome

export type LibraryOutcome =
  | { readonly kind: 'value'; readonly value: unknown; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** A file of it was not sent. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'closed' }

export type OpenedFacts = { readonly vectorBytes: number }
