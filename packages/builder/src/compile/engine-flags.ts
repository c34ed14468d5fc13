import { setFlagsFromString } from 'node:v8'

const COMPILE_REGEXPS_EAGERLY = '--no-regexp-tier-up'

/** Flags of the processes that compile pages. They cannot be changed in a running process. */
export const WORKER_FLAGS: readonly string[] = [COMPILE_REGEXPS_EAGERLY]

/** True if V8 compiles regular expressions immediately, which is faster for the highlighter. */
export function compilesAtOnce(): boolean {
  return process.execArgv.includes(COMPILE_REGEXPS_EAGERLY)
}

/**
 * For the process that plans and writes. It allocates much and keeps little: with V8's defaults,
 * the garbage of 20,000 pages grows to five times the live heap.
 */
export function preferSmallHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
