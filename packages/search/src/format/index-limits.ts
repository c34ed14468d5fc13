/**
 * How much the files of one search index may hold. A deployment may contain anything, so every number
 * in its files is checked against one of these before memory is allocated for it. Real sites stay far
 * below: the largest shard of our own builds is about 12 KB, the largest vocabulary about 300 KB.
 */
export const INDEX_LIMITS = {
  /** Bytes of the root after decompression. */
  rootBytesMax: 4 * 1024 * 1024,
  /** Bytes of a shard or the vocabulary after decompression. */
  fileBytesMax: 1024 * 1024,
  /** Times that a compressed file may grow, beyond its first 64 KB. */
  inflateRatioMax: 200,
  /** Objects in the root, words of the interface with braces included, and lists. */
  rootObjectsMax: 100,
  rootListsMax: 300_000,
  pagesMax: 100_000,
  sectionsMax: 500_000,
  shardsMax: 100_000,
  /** Terms of one shard or vocabulary, and their letters. Our own builds write up to 32,000 terms. */
  termsMax: 200_000,
  termCharactersMax: 2_000_000,
  functionWordsMax: 2_000,
  endingsMax: 200,
  /** Characters of a name, a term or a word of the interface. */
  wordLengthMax: 500,
} as const
