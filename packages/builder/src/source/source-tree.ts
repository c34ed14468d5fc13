import type { Diagnostic } from '@octavo/model'
import type { Repository } from './git-repository.ts'

/**
 * The files of a documentation repository, wherever they are: a folder, or memory. All implementations
 * keep the promises of `source-tree.case.ts`.
 */
export type SourceTree = {
  /** Paths from the root with `/`, sorted; ignored files are not among them. */
  readonly files: readonly string[]
  /** The text of one of the files; nothing for any other path, or for a file that is too large. */
  readonly read: (path: string) => string | undefined
  /** Changes whenever the file does, and costs less than reading it. */
  readonly stampOf: (path: string) => string
  /** The bytes of one of the files; nothing for any other path, or for a file that is gone. */
  readonly readBytes: (path: string) => Uint8Array | undefined
  /** The first bytes of one of the files; nothing for any other path. */
  readonly readHead: (path: string, lengthMax: number) => Uint8Array | undefined
  /** When a file last changed, as ISO 8601, where its history is known. */
  readonly changedAt: (path: string) => string | undefined
  /** Where the files are on the web, if that is known. */
  readonly repository?: () => Repository | undefined
  /** Where the files are on this machine's disk; nothing for a tree that is not there. */
  readonly folder: string | undefined
  /** What was wrong with the tree itself. */
  readonly diagnostics: readonly Diagnostic[]
}
