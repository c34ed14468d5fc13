/** Sets the number of runs per property: 100, or `PROPERTY_RUNS=100000 npm test -- property`. */
import fc from 'fast-check'
import { vi } from 'vitest'

const runs = process.env.PROPERTY_RUNS
fc.configureGlobal({ numRuns: Number(runs ?? 100) })
if (runs !== undefined) vi.setConfig({ testTimeout: 60 * 60 * 1_000 })
