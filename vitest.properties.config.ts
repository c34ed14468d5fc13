/** `npm run properties`: the property tests alone, 100,000 times each. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.property.test.ts'],
    setupFiles: ['scripts/property-runs.ts', 'scripts/quick-matcher.ts'],
    globalSetup: ['scripts/test-database.ts'],
    env: { PROPERTY_RUNS: '100000' },
    testTimeout: 60 * 60 * 1_000,
  },
})
