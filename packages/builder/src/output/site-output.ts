/**
 * The destination of a site's files. Implementations: a folder, a server's memory. All of them pass
 * the tests in `site-output.case.ts`.
 */
import type { Access, AccessRange } from '@octavo/model'

export type OutputFacts = {
  /**
   * A hash of the content's inputs and the builder. Without it, the hash of the bytes is the key.
   */
  readonly key?: string
  readonly access: Access
  /** Parts of the content that only some readers may see, as sorted byte ranges. */
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

/** A file that is written in parts; it exists once it is closed. */
export type PartsOutput = {
  readonly add: (part: string | Uint8Array) => void
  readonly close: () => void
}

export type FinishedOutput = {
  readonly count: number
  /** The number of outputs with changed bytes. */
  readonly writtenCount: number
  readonly removedCount: number
}

export type SiteOutput = {
  /** True if content with this key exists; it is then part of the site. */
  readonly keep: (path: string, facts: KeptFacts) => boolean
  /** Like `keep`, for a file that is named by its content. */
  readonly keepNamed: (path: string, access: Access) => boolean
  /** Only the first content of a path is kept. */
  readonly write: (path: string, content: string | Uint8Array, facts: OutputFacts) => void
  /** Copies a source file unchanged. It may be read now or on demand. */
  readonly copy: (path: string, read: ReadBytes, access: Access) => void
  /** For content that may be too large for memory. */
  readonly openParts: (path: string, facts: KeptFacts) => PartsOutput
  /** Changes the access of an output that is part of the site. */
  readonly label: (path: string, access: Access) => void
  readonly has: (path: string) => boolean
  /** Returns the content of an output. */
  readonly readBytes: (path: string) => Uint8Array
  /** Returns the paths of the previous build. */
  readonly earlier: () => readonly string[]
  /** Returns everything that is part of the site, sorted by path. */
  readonly entries: () => readonly OutputEntry[]
  /** Removes outputs of the previous build that are no longer part of the site. */
  readonly finish: () => FinishedOutput
}

/** Returns undefined for a file that was removed. */
export type ReadBytes = () => Uint8Array | undefined
