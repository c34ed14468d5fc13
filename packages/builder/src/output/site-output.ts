/**
 * Where the files of a site go. Implementations: a folder, the memory of a server. All of them keep
 * the promises of `site-output.case.ts`.
 */
import type { Access, AccessRange } from '@octavo/model'

export type OutputFacts = {
  /** What the content was made of, by which builder. Without a key it is known by its bytes. */
  readonly key?: string
  readonly access: Access
  /** Parts of the content that fewer may see, in bytes and in order. */
  readonly ranges?: readonly AccessRange[]
}

export type KeptFacts = Required<Pick<OutputFacts, 'key' | 'access'>>

/** An output as the manifest lists it. */
export type OutputEntry = {
  readonly path: string
  readonly sha256: string
  readonly size: number
  readonly access: Access
  readonly ranges?: readonly AccessRange[]
}

/** A file that is written piece by piece; it is there once it is closed. */
export type PartsOutput = {
  readonly add: (part: string | Uint8Array) => void
  readonly close: () => void
}

export type FinishedOutput = {
  readonly count: number
  /** Those that have other bytes than before. */
  readonly writtenCount: number
  readonly removedCount: number
}

export type SiteOutput = {
  /** True when content with this key is there already; then it is part of the site. */
  readonly keep: (path: string, facts: KeptFacts) => boolean
  /** The same for a file that is named by its content. */
  readonly keepNamed: (path: string, access: Access) => boolean
  /** The first content of a path counts. */
  readonly write: (path: string, content: string | Uint8Array, facts: OutputFacts) => void
  /** A file of the source that is served as it is. It may be read now, or when it is asked for. */
  readonly copy: (path: string, read: ReadBytes, access: Access) => void
  /** For content that may be too large to be held in memory. */
  readonly openParts: (path: string, facts: KeptFacts) => PartsOutput
  /** Changes who may read an output that is part of the site. */
  readonly label: (path: string, access: Access) => void
  readonly has: (path: string) => boolean
  /** What an output of the site holds. */
  readonly readBytes: (path: string) => Uint8Array
  /** Paths that were part of the site before. */
  readonly earlier: () => readonly string[]
  /** Everything that is part of the site, sorted by path. */
  readonly entries: () => readonly OutputEntry[]
  /** Removes what was part of the site before and is no more. */
  readonly finish: () => FinishedOutput
}

/** Nothing for a file that is gone. */
export type ReadBytes = () => Uint8Array | undefined
