/** `npm run test:slow`: whole builds and a real browser. Each takes seconds, so `npm test` leaves them out. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.slow.test.ts'],
    setupFiles: ['scripts/quick-matcher.ts'],
    // A browser works for itself: two files at a time take two thirds of the time of one after the other.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A busy machine takes its time: what is waited for comes, or the test is wrong by more than seconds.
    expect: { poll: { timeout: 20_000 } },
    // A test that fails once is run once more, and the report says `retry x1`: a browser on a busy
    // machine has moments that no test can foresee. A test that needs it often is wrong.
    retry: 1,
  },
})
