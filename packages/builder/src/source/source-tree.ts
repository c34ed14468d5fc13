import type { Diagnostic } from '@octavo/model'

/** The files of a documentation repository, wherever they are: a folder, later also a git tree. */
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
  /** What was wrong with the tree itself. */
  readonly diagnostics: readonly Diagnostic[]
}
