import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './packages/builder/testing/child-environment.ts'

process.env.NODE_COMPILE_CACHE = COMPILE_CACHE

const SERVICE = 'packages/service/src/**/*.test.ts'

export default defineConfig({
  test: {
    exclude: ['**/*.slow.test.ts', '**/*.soak.test.ts', '**/node_modules/**'],
    setupFiles: ['scripts/property-runs.ts', 'scripts/quick-matcher.ts'],
    // Nothing here keeps state in a module, so the workers need not start anew for each file.
    isolate: false,
    // One worker less than there are cores, which is the default, leaves half of a small machine idle.
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'lab/**/*.test.ts'],
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
