/** Every limit of compiling islands, in one place. Those of reading a file are the content's. */
export const ISLAND_LIMITS = {
  /** Files that are compiled at once; if one of them fails, they are compiled one by one. */
  batchMax: 16,
  /** Files of the site that one batch, or one file alone, may be made of. */
  filesMax: 400,
  /** Characters of those files together: every module has its own copy of what it imports. */
  sourceSizeMax: 4 * 1024 * 1024,
  /** Characters of one compiled module. */
  moduleSizeMax: 1024 * 1024,
} as const
