/** `npm run properties`: the property tests alone, 100,000 times each. */
import { defineConfig } from 'vitest/config'

const SERVICE = 'packages/service/src/**/*.property.test.ts'

export default defineConfig({
  test: {
    setupFiles: ['scripts/property-runs.ts', 'scripts/quick-matcher.ts'],
    env: { PROPERTY_RUNS: '100000' },
    testTimeout: 60 * 60 * 1_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.property.test.ts'],
          exclude: [SERVICE],
        },
      },
      // PostgreSQL starts only when one of these is run.
      {
        extends: true,
        test: {
          name: 'service',
          include: [SERVICE],
          globalSetup: ['packages/service/testing/test-database.ts'],
        },
      },
    ],
  },
})
