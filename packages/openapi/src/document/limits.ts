/** Every limit on a specification, in one place. The documentation prints this table. */
export const OPENAPI_LIMITS = {
  /** Characters of one specification. */
  sizeMax: 32 * 1024 * 1024,
  /** Nesting of values. */
  depthMax: 128,
  /** Values and keys of one specification. */
  nodesMax: 6_000_000,
  /** Values and keys that YAML aliases and merge keys may add by repeating others. */
  repeatedNodesMax: 500_000,
  /** References that lead to references, one behind the other. */
  referenceHopsMax: 100,
  /** Paths that may refer to one and the same path item. */
  pathItemUsesMax: 20,
  /** Values in one generated sample. */
  sampleNodesMax: 300,
  /** Characters of the names and examples in one generated sample. */
  sampleLengthMax: 6_000,
  /** Levels of a generated sample. */
  sampleDepthMax: 10,
  /** Problems of one kind that are listed for one specification; the rest are counted. */
  problemsPerCodeMax: 200,
} as const
