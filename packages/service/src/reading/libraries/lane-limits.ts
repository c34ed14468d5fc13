/**
 * Libraries are kept in two processes, by the size of their index, so that a site with a large index
 * takes time and memory from others like it and never from the many small ones.
 */
export type LaneLimits = {
  /** Heap of the process; beyond it the process ends. */
  readonly heapMb: number
  /** About what all libraries of the process take. Those that were not asked for longest are closed. */
  readonly librariesBytes: number
  /** The same of one library. */
  readonly libraryBytes: number
  /** Libraries that are opened at once. */
  readonly opensAtOnce: number
  /** Time without a reply after which the process is stopped. */
  readonly stepMs: number
  /** Time of the processor that one request may take, all steps together. */
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

/** An index with more bytes, sections and vectors included, is a large one. */
export const SMALL_INDEX_BYTES = 4 * MB

/** For how long a project is refused whose library ended processes, or took too long: each time longer. */
export const REFUSED_MS = { first: 60_000, factor: 4, most: 3_600_000 } as const
/** A project whose requests are the last of two processes within this time is refused. */
export const SUSPECTED_MS = 600_000
/** For how long an index is refused that cannot be read. Another deployment is tried at once. */
export const UNREADABLE_MS = 600_000
