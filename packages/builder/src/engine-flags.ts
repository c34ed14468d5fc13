import { setFlagsFromString } from 'node:v8'

const COMPILE_AT_ONCE = '--no-regexp-tier-up'

/** Flags of the processes that compile pages. Only there: a process that runs must not change it. */
export const WORKER_FLAGS: readonly string[] = [COMPILE_AT_ONCE]

/** Whether the engine compiles patterns at once, which the highlighter likes better. */
export function compilesAtOnce(): boolean {
  return process.execArgv.includes(COMPILE_AT_ONCE)
}

/**
 * For the process that plans and writes. It holds little and throws much away: left alone, V8 lets
 * the rubbish of 20,000 pages pile up to five times what is in use.
 */
export function holdLittleMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
