/**
 * Limits for the files of one search index. A deployment may contain anything, so every number in
 * its files is checked against these before memory is allocated. Real sites stay far below: the
 * largest shard of our own builds has about 12 KB, the largest vocabulary about 300 KB.
 */
export const INDEX_LIMITS = {
  /** Bytes of the root after decompression. */
  rootBytesMax: 4 * 1024 * 1024,
  /** Bytes of a shard or the vocabulary after decompression. */
  fileBytesMax: 1024 * 1024,
  /** Maximum decompression ratio, in addition to 64 KB that are always allowed. */
  inflateRatioMax: 200,
  /** Number of `{` and `[` in the root, including braces in interface texts. */
  rootObjectsMax: 100,
  rootListsMax: 300_000,
  pagesMax: 100_000,
  sectionsMax: 500_000,
  shardsMax: 100_000,
  /** Terms per shard or vocabulary, and their letters. Our own builds write up to 32,000 terms. */
  termsMax: 200_000,
  termCharactersMax: 2_000_000,
  functionWordsMax: 2_000,
  endingsMax: 200,
  /** Characters of a name, term or interface text. */
  wordLengthMax: 500,
} as const
