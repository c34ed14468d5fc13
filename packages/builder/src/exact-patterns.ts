import { setFlagsFromString } from 'node:v8'

/**
 * V8 first interprets a pattern and compiles it when it is used again. In Node 24 some patterns of
 * grammars (`(?i:…)` with the flag `d`) then cease to match, depending on what ran before: colours
 * would change from build to build, and pages fail. Compiled at once they are right, at no cost.
 */
export const EXACT_PATTERNS = '--no-regexp-tier-up'

/** Must be called before the first pattern of a grammar is used. */
export function useExactPatterns(): void {
  setFlagsFromString(EXACT_PATTERNS)
}
