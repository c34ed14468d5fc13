import { setFlagsFromString } from 'node:v8'

/**
 * V8 first interprets a pattern and compiles it when it is used again. In Node 24 some patterns of
 * grammars (`(?i:…)` with the flag `d`) then cease to match, depending on what ran before: colours
 * would change from build to build, and pages fail. Compiled at once they are right, at no cost.
 */
const EXACT_PATTERNS = '--no-regexp-tier-up'

/** Flags of the processes that compile pages. */
export const WORKER_FLAGS: readonly string[] = [EXACT_PATTERNS]

/**
 * Flags of the process that plans and writes. It holds little and throws much away: left alone, V8
 * lets the rubbish of 20,000 pages pile up to five times what is in use. Must be called before the
 * first pattern of a grammar is used.
 */
export function setEngineFlags(): void {
  setFlagsFromString(EXACT_PATTERNS)
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
