/**
 * Limits for the files of one search index. A deployment may contain anything, so every number in
 * its files is checked against these limits before memory is allocated. Real sites stay far below:
 * in our own builds, the largest shard has about 12 KB and the largest vocabulary about 300 KB.
 */
export const INDEX_LIMITS = {
  /** Maximum bytes of the root after decompression. */
  rootBytesMax: 4 * 1024 * 1024,
  /** Maximum bytes of a shard or the vocabulary after decompression. */
  fileBytesMax: 1024 * 1024,
  /** Maximum decompression ratio. 64 KB are always allowed in addition. */
  inflateRatioMax: 200,
  /** Maximum number of `{` and `[` in the root, including braces in interface texts. */
  rootObjectsMax: 100,
  rootListsMax: 300_000,
  pagesMax: 100_000,
  sectionsMax: 500_000,
  shardsMax: 100_000,
  /**
   * Maximum terms per shard or vocabulary, and maximum letters of these terms. Our own builds write
   * up to 32,000 terms.
   */
  termsMax: 200_000,
  termCharactersMax: 2_000_000,
  functionWordsMax: 2_000,
  endingsMax: 200,
  synonymGroupsMax: 200,
  /** Maximum words per group of synonyms, and maximum terms of the site's name. */
  synonymsMax: 20,
  /** Maximum characters of a name, term or interface text. */
  wordLengthMax: 500,
} as const
