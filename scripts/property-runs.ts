/**
 * Sets the number of runs per property test: 100, or PROPERTY_RUNS, as in
 * `PROPERTY_RUNS=100000 npm test -- property`.
 */
import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * A failed property reports the smallest case that it finds in this time. Looking for the smallest
 * of a large case can take hours, and no time limit of Vitest ends a test that never waits.
 */
const TIME_MAX_MS = 280_000

const runs = process.env.PROPERTY_RUNS
fc.configureGlobal({
  numRuns: Number(runs ?? 100),
  ...(runs === undefined && { interruptAfterTimeLimit: TIME_MAX_MS, markInterruptAsFailure: true }),
})
if (runs !== undefined) vi.setConfig({ testTimeout: 60 * 60 * 1_000 })
