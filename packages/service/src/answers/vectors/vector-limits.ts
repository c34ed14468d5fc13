export const VECTOR_LIMITS = {
  /** Passages per deployment. A deployment with more is searched by words only. */
  passages: 100_000,
  /** Bytes of a deployment's vectors. */
  bytes: 256 * 1024 * 1024,
  /** The time of one round; the rest is done in the next round, after other projects. */
  roundMs: 2 * 60_000,
  /** Texts embedded per request; a round can end between two batches. */
  batch: 32,
  /** Seconds until a failed or unneeded deployment is tried again. */
  retrySeconds: 10 * 60,
  unwantedSeconds: 3_600,
} as const
