import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    // The property tests run 1,000 cases each here; `npm run properties` runs 100,000.
    testTimeout: 20_000,
  },
})
