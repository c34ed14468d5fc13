/**
 * Defines where a site's files are written: to a folder or to a server's memory. All
 * implementations pass the tests in `site-output.case.ts`.
 */
import type { Access, AccessRange } from '@octavo/model'

export type OutputFacts = {
  /**
   * A hash of the builder and of everything that determines the content. By default, it is the hash
   * of the bytes.
   */
  readonly key?: string
  readonly access: Access
  /** Parts of the content that only some readers may see, as byte ranges in ascending order. */
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

/** The key of a part of a file, and numbers whose meaning only the writer of the file knows. */
export type PartNote = readonly [key: string, ...facts: readonly number[]]

/** Writes a file in parts. The file does not exist until it is closed. */
export type PartsOutput = {
  readonly add: (part: string | Uint8Array) => void
  /** Closes the file. The next build can read the notes. */
  readonly close: (notes?: readonly PartNote[]) => void
}

/** Reads a file that the previous build wrote in parts. */
export type EarlierParts = {
  readonly notes: readonly PartNote[]
  /** Returns bytes that are valid until the next read, or undefined if the file is shorter. */
  readonly read: (offset: number, size: number) => Uint8Array | undefined
  readonly close: () => void
}

export type FinishedOutput = {
  readonly count: number
  /** The number of outputs whose bytes have changed. */
  readonly writtenCount: number
  readonly removedCount: number
}

export type SiteOutput = {
  /** If content with this key exists, makes it part of the site and returns true. */
  readonly keep: (path: string, facts: KeptFacts) => boolean
  /** Works like `keep`, for a file whose name contains a hash of its content. */
  readonly keepNamed: (path: string, access: Access) => boolean
  /** Writes content. If a path is written several times, only the first content is kept. */
  readonly write: (path: string, content: string | Uint8Array, facts: OutputFacts) => void
  /** Copies a source file unchanged. The file is read immediately or on demand. */
  readonly copy: (path: string, read: ReadBytes, access: Access) => void
  /** Writes content that may be too large for memory. */
  readonly openParts: (path: string, facts: KeptFacts) => PartsOutput
  /** Opens a file that the previous build wrote in parts and with notes. */
  readonly openEarlier: (path: string) => EarlierParts | undefined
  /** Changes who may read an output that is part of the site. */
  readonly label: (path: string, access: Access) => void
  readonly has: (path: string) => boolean
  /** Returns the content of an output. */
  readonly readBytes: (path: string) => Uint8Array
  /** Returns the paths of all outputs of the previous build. */
  readonly earlier: () => readonly string[]
  /** Returns all outputs that are part of the site, sorted by path. */
  readonly entries: () => readonly OutputEntry[]
  /** Removes outputs of the previous build that are no longer part of the site. */
  readonly finish: () => FinishedOutput
}

/** Returns undefined for a file that no longer exists. */
export type ReadBytes = () => Uint8Array | undefined
