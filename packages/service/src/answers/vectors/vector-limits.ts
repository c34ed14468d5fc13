export const VECTOR_LIMITS = {
  /** The maximum number of passages of a deployment. If it has more, search compares words only. */
  passages: 100_000,
  /** The maximum size of the vectors of a deployment. */
  bytes: 256 * 1024 * 1024,
  /** The time limit of one round. The next round starts after the rounds of other projects. */
  roundMs: 2 * 60_000,
  /** The number of texts per request to the model. A round can end after each request. */
  batch: 32,
  /** The number of seconds until a deployment is tried again after a failure. */
  retrySeconds: 10 * 60,
  unwantedSeconds: 3_600,
} as const
