import { setFlagsFromString } from 'node:v8'

const COMPILE_AT_ONCE = '--no-regexp-tier-up'

/** Flags of the processes that compile pages. Only there: a process that runs must not change it. */
export const WORKER_FLAGS: readonly string[] = [COMPILE_AT_ONCE]

/** Whether the engine compiles patterns at once, which the highlighter likes better. */
export function compilesAtOnce(): boolean {
  return process.execArgv.includes(COMPILE_AT_ONCE)
}

/**
 * For the process that plans and writes. It allocates much and keeps little: with its
 * defaults V8 lets the garbage of 20,000 pages grow to five times the heap in use.
 */
export function preferSmallHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
