/** The resource limits for a repository, which are documented in docs/reference/limits.mdx. */

export type GitLimits = {
  /**
   * The maximum number of files in the documentation folder. The same limit applies to the number
   * of subfolders.
   */
  readonly filesMax: number
  readonly fileBytesMax: number
  /** The maximum total size of the files in the documentation folder. */
  readonly checkoutBytesMax: number
  /** The maximum size of the cached clone on disk, and of what one fetch receives. */
  readonly cloneBytesMax: number
  readonly branchesMax: number
  readonly listSecondsMax: number
  readonly fetchSecondsMax: number
  /** The time limit of each command that reads the cached clone. */
  readonly readSecondsMax: number
  readonly memoryMb: number
}

export const GIT_LIMITS: GitLimits = {
  filesMax: 100_000,
  fileBytesMax: 100 * 1024 * 1024,
  checkoutBytesMax: 2 * 1024 ** 3,
  cloneBytesMax: 4 * 1024 ** 3,
  branchesMax: 20_000,
  listSecondsMax: 60,
  fetchSecondsMax: 900,
  readSecondsMax: 120,
  memoryMb: 1_024,
}
