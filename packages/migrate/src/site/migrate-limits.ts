/** The limits of a migration. The documentation lists them. */
export const MIGRATE_LIMITS = {
  /** Files in the folder of the old site. */
  filesMax: 100_000,
  /** Nesting depth of its folders. */
  folderDepthMax: 40,
  /** Bytes of a file. */
  fileSizeMax: 32 * 1024 * 1024,
  /** Configuration files that inherit from each other. */
  inheritDepthMax: 10,
  /** Files that include each other. */
  includeDepthMax: 20,
  /** Characters that the included files add to one page. */
  includedSizeMax: 2 * 1024 * 1024,
  /** Levels of the navigation. */
  navigationDepthMax: 20,
} as const
