/** Every limit on a specification. The documentation prints this table. */
export const OPENAPI_LIMITS = {
  /** Characters in one specification. */
  sizeMax: 32 * 1024 * 1024,
  /** Nesting depth of values. */
  depthMax: 128,
  /** Values and keys in one specification. */
  nodesMax: 6_000_000,
  /** Values and keys that YAML aliases and merge keys may add. */
  repeatedNodesMax: 500_000,
  /** References that lead to other references in one chain. */
  referenceHopsMax: 100,
  /** Paths that may refer to the same path item. */
  pathItemUsesMax: 20,
  /** Values in one generated sample. */
  sampleNodesMax: 300,
  /** Characters of names and examples in one generated sample. */
  sampleLengthMax: 6_000,
  /** Nesting depth of a generated sample. */
  sampleDepthMax: 10,
  /** Problems with the same code that are listed per specification; the rest are counted. */
  problemsPerCodeMax: 200,
} as const
