export const VECTOR_LIMITS = {
  /** Passages of a deployment. One with more is searched by words. */
  passages: 100_000,
  /** Bytes of its vectors. */
  bytes: 256 * 1024 * 1024,
  /** Time of one round; what is left is done in the next, after other projects. */
  roundMs: 2 * 60_000,
  /** Texts that are embedded at once; between two batches a round can end. */
  batch: 32,
  /** What failed, or was not wanted, is tried again after this. */
  retrySeconds: 10 * 60,
  unwantedSeconds: 3_600,
} as const
