import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    exclude: ['**/*.slow.test.ts', '**/node_modules/**'],
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    setupFiles: ['scripts/property-runs.ts'],
    globalSetup: ['scripts/test-database.ts'],
    // Nothing here keeps state in a module, so the workers need not start anew for each file.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
