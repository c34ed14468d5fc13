/**
 * Libraries run in two processes, by index size, so that a site with a large index takes time and
 * memory only from similar sites and never from the many small ones.
 */
export type LaneLimits = {
  /** Heap limit of the process; it ends if this is exceeded. */
  readonly heapMb: number
  /** The approximate size of all libraries in the process. The least recently used are closed. */
  readonly librariesBytes: number
  /** The approximate size of one library. */
  readonly libraryBytes: number
  /** Libraries opened concurrently. */
  readonly opensAtOnce: number
  /** The time without a reply after which the process is stopped. */
  readonly stepMs: number
  /** CPU time that one request may take in all its steps. */
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

/** An index with more bytes, including sections and vectors, counts as large. */
export const SMALL_INDEX_BYTES = 4 * MB

/**
 * How long a project is refused after its library crashed processes or took too long; longer each
 * time.
 */
export const REFUSED_MS = { first: 60_000, factor: 4, most: 3_600_000 } as const
/** A project is refused if two processes crash during its requests within this time. */
export const SUSPECTED_MS = 600_000
/** How long an unreadable index is refused. A new deployment is tried immediately. */
export const UNREADABLE_MS = 600_000
