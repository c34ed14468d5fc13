import type { Diagnostic } from '@octavo/model'
import type { Repository } from './git-repository.ts'

/**
 * The files of a documentation repository, which are in a folder or in memory. All implementations
 * pass the tests in `source-tree.case.ts`.
 */
export type SourceTree = {
  /** Sorted paths relative to the root, with `/` and without ignored files. */
  readonly files: readonly string[]
  /** Returns the text of a file, or undefined if the file is not in the tree or too large. */
  readonly read: (path: string) => string | undefined
  /**
   * Returns a stamp that changes whenever the file changes. This takes less time than reading the
   * file.
   */
  readonly stampOf: (path: string) => string
  /** Returns the head of a file, which was made from its text in this run or an earlier one. */
  readonly headOf?: <Head>(path: string, make: () => Head) => Head
  /** Returns the bytes of a file, or undefined if the file is not in the tree or was removed. */
  readonly readBytes: (path: string) => Uint8Array | undefined
  /** Returns the first bytes of a file, or undefined if the file is not in the tree. */
  readonly readHead: (path: string, lengthMax: number) => Uint8Array | undefined
  /** Returns when a file was last changed, as ISO 8601, or undefined if the history is unknown. */
  readonly changedAt: (path: string) => string | undefined
  /** Returns the repository on the web, if known. */
  readonly repository?: () => Repository | undefined
  /** The folder on disk, or undefined for a tree in memory. */
  readonly folder: string | undefined
  /** Problems with the tree itself. */
  readonly diagnostics: readonly Diagnostic[]
}
