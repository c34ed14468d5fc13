/** Resource limits for a repository. Documented in docs/reference/limits.mdx. */

export type GitLimits = {
  /** Files in the documentation folder. */
  readonly filesMax: number
  readonly fileBytesMax: number
  /** All files of the documentation folder together. */
  readonly checkoutBytesMax: number
  /** The cached clone on disk, and the bytes that one fetch receives. */
  readonly cloneBytesMax: number
  readonly branchesMax: number
  readonly listSecondsMax: number
  readonly fetchSecondsMax: number
  /** Time limit of one command that reads the cached clone. */
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
