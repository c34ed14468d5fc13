import { setFlagsFromString } from 'node:v8'

const COMPILE_REGEXPS_EAGERLY = '--no-regexp-tier-up'

/** Node flags for the processes that compile pages. They cannot be changed in a running process. */
export const WORKER_FLAGS: readonly string[] = [COMPILE_REGEXPS_EAGERLY]

/**
 * Checks whether V8 compiles regular expressions immediately, which makes the highlighter faster.
 */
export function compilesAtOnce(): boolean {
  return process.execArgv.includes(COMPILE_REGEXPS_EAGERLY)
}

/**
 * Limits the heap of the process that plans and writes the site. This process allocates a lot of
 * memory and keeps little of it: with V8's defaults, the garbage of 20,000 pages would take five
 * times as much memory as the live data.
 */
export function preferSmallHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
