/**
 * Sets the number of runs per property test: 100, or PROPERTY_RUNS, as in
 * `PROPERTY_RUNS=100000 npm test -- property`. With PROPERTY_SEED, all runs try the same cases: CI
 * sets it for changes, so that a failure is the fault of the change. Nightly runs try new cases.
 */
import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * A failed property reports the smallest case that it finds in this time. Looking for the smallest
 * of a large case can take hours, and no time limit of Vitest ends a test that never waits.
 */
const TIME_MAX_MS = 280_000

const runs = process.env.PROPERTY_RUNS
const seed = process.env.PROPERTY_SEED
fc.configureGlobal({
  numRuns: Number(runs ?? 100),
  ...(seed !== undefined && { seed: Number(seed) }),
  ...(runs === undefined && { interruptAfterTimeLimit: TIME_MAX_MS, markInterruptAsFailure: true }),
})
if (runs !== undefined) vi.setConfig({ testTimeout: 60 * 60 * 1_000 })
