/** All limits of compiling islands. Limits of reading a file are in the content package. */
export const ISLAND_LIMITS = {
  /** Files that are compiled together; if one of them fails, they are compiled one by one. */
  batchMax: 16,
  /** Site files that one batch, or one file alone, may include. */
  filesMax: 400,
  /** Total characters of those files: every module has its own copy of its imports. */
  sourceSizeMax: 4 * 1024 * 1024,
  /** Characters of one compiled module. */
  moduleSizeMax: 1024 * 1024,
} as const
