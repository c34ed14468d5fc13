/** Limits for compiling islands. The limits for reading a file are in the content package. */
export const ISLAND_LIMITS = {
  /** Maximum number of files to compile together. If one fails, they are compiled one by one. */
  batchMax: 16,
  /** Maximum number of the site's files that a batch, or a single file, may include. */
  filesMax: 400,
  /**
   * Maximum total length of these files in characters, because every module contains a copy of its
   * imports.
   */
  sourceSizeMax: 4 * 1024 * 1024,
  /** Maximum length of a compiled module in characters. */
  moduleSizeMax: 1024 * 1024,
} as const
