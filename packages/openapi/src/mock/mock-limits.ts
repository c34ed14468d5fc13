/** Limits of a request to the mock server. The documentation prints this table. */
export const MOCK_LIMITS = {
  /** The maximum size of a request body in bytes. */
  bodyBytesMax: 10 * 1024 * 1024,
  /** The maximum nesting depth of a value. */
  depthMax: 128,
  /** The maximum number of values and keys in a body. */
  nodesMax: 1_000_000,
  /** The maximum number of fields in a form. */
  formFieldsMax: 1_000,
  /** The maximum number of steps to check one value. */
  valueStepsMax: 2_000_000,
  /** The maximum number of reasons that one response lists. */
  problemsMax: 20,
} as const
