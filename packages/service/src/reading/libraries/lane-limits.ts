/**
 * Limits of the two processes for libraries. Small and large indexes have separate processes, so
 * that a site with a large index only slows down similar sites, and not the many small ones.
 */
export type LaneLimits = {
  /** The heap limit of the process. The process crashes if it needs more. */
  readonly heapMb: number
  /**
   * The approximate maximum size of all open libraries together. Beyond it, the least recently used
   * ones are closed.
   */
  readonly librariesBytes: number
  /** The maximum approximate size of one library. */
  readonly libraryBytes: number
  /** The number of libraries that may be opened at the same time. */
  readonly opensAtOnce: number
  /** The maximum duration of a step. A process that does not respond in time is stopped. */
  readonly stepMs: number
  /** The maximum CPU time of a request, for all of its steps. */
  readonly requestCpuMs: number
}

const MB = 1024 * 1024

export const LANES = {
  small: {
    heapMb: 384,
    librariesBytes: 96 * MB,
    libraryBytes: 24 * MB,
    opensAtOnce: 4,
    stepMs: 3_000,
    requestCpuMs: 10_000,
  },
  large: {
    heapMb: 640,
    librariesBytes: 256 * MB,
    libraryBytes: 192 * MB,
    opensAtOnce: 1,
    stepMs: 15_000,
    requestCpuMs: 20_000,
  },
} as const satisfies Record<string, LaneLimits>

export type LaneName = keyof typeof LANES

/** The maximum size of a small index, including its sections and vectors. */
export const SMALL_INDEX_BYTES = 4 * MB

/**
 * How long a project is refused after its library crashed processes or took too long. Each further
 * refusal lasts longer.
 */
export const REFUSED_MS = { first: 60_000, factor: 4, most: 3_600_000 } as const
/** A project is refused if two processes crash within this time while they work for it. */
export const SUSPECTED_MS = 600_000
/** How long an unreadable index is refused. A new deployment is not affected. */
export const UNREADABLE_MS = 600_000
