import type { Diagnostic } from '@octavo/model'
import type { Repository } from './git-repository.ts'

/**
 * The files of a documentation repository, in a folder or in memory. All implementations pass the
 * tests in `source-tree.case.ts`.
 */
export type SourceTree = {
  /** Sorted paths from the root with `/`, without ignored files. */
  readonly files: readonly string[]
  /** Returns the text of a file; undefined if it is not in the tree or too large. */
  readonly read: (path: string) => string | undefined
  /** Changes whenever the file does; cheaper than reading it. */
  readonly stampOf: (path: string) => string
  /** Returns the bytes of a file; undefined if it is not in the tree or was removed. */
  readonly readBytes: (path: string) => Uint8Array | undefined
  /** Returns the first bytes of a file; undefined if it is not in the tree. */
  readonly readHead: (path: string, lengthMax: number) => Uint8Array | undefined
  /** Returns when a file last changed, as ISO 8601; undefined if its history is unknown. */
  readonly changedAt: (path: string) => string | undefined
  /** Returns the repository on the web, if known. */
  readonly repository?: () => Repository | undefined
  /** The folder on disk; undefined for a tree in memory. */
  readonly folder: string | undefined
  /** Problems of the tree itself. */
  readonly diagnostics: readonly Diagnostic[]
}
