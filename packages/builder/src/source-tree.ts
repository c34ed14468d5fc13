/** The files of a documentation repository, wherever they are: a folder, later also a git tree. */
export type SourceTree = {
  /** Paths from the root with `/`, sorted; ignored files are not among them. */
  readonly files: readonly string[]
  /** The text of a file, or nothing if there is no such file. */
  readonly read: (path: string) => string | undefined
}
