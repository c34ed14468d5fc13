/** All limits for specifications. The documentation prints this table. */
export const OPENAPI_LIMITS = {
  /** The maximum number of characters in a specification. */
  sizeMax: 32 * 1024 * 1024,
  /** The maximum nesting depth of values. */
  depthMax: 128,
  /** The maximum number of values and keys in a specification. */
  nodesMax: 6_000_000,
  /** The maximum number of values and keys that YAML aliases and merge keys may add. */
  repeatedNodesMax: 500_000,
  /** The maximum number of values that the targets of all overlays may look at. */
  overlayStepsMax: 10_000_000,
  /** The maximum number of references in a chain. */
  referenceHopsMax: 100,
  /** The maximum number of paths that may refer to the same path item. */
  pathItemUsesMax: 20,
  /** The maximum number of values in a generated sample. */
  sampleNodesMax: 300,
  /** The maximum number of characters in the names and examples of a generated sample. */
  sampleLengthMax: 6_000,
  /** The maximum nesting depth of a generated sample. */
  sampleDepthMax: 10,
  /** The maximum number of steps to check all examples of a specification. */
  exampleStepsMax: 2_000_000,
  /** The maximum number of steps to check one example. */
  oneExampleStepsMax: 100_000,
  /**
   * The maximum number of problems with the same code that are listed. Any others are only counted.
   */
  problemsPerCodeMax: 200,
} as const
