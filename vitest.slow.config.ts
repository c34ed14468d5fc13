/** `npm run test:slow`: whole builds and a real browser. Each takes seconds, so `npm test` leaves them out. */
import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './packages/builder/testing/child-environment.ts'

process.env.NODE_COMPILE_CACHE = COMPILE_CACHE

/** These work on a database of their own each, as the fast tests of the service do. */
const DATABASE = [
  'packages/service/src/reading/access/**/*.slow.test.ts',
  'packages/service/src/publishing/builds/**/*.slow.test.ts',
  'packages/service/src/answers/assistant/**/*.slow.test.ts',
  'packages/service/src/reading/hosting/**/*.slow.test.ts',
  'packages/service/src/reading/libraries/**/*.slow.test.ts',
  'packages/service/src/reading/mcp/**/*.slow.test.ts',
  'packages/service/src/answers/vectors/**/*.slow.test.ts',
]

export default defineConfig({
  test: {
    setupFiles: ['scripts/quick-matcher.ts'],
    // A browser works for itself: two files at a time take two thirds of the time of one after the other.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // A busy machine takes its time: what is waited for comes, or the test is wrong by more than seconds.
    expect: { poll: { timeout: 20_000 } },
    // A test that fails once is run once more, and the report says `retry x1`: a browser on a busy
    // machine has moments that no test can foresee. A test that needs it often is wrong.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['packages/*/src/**/*.slow.test.ts'],
          exclude: [...DATABASE, '**/node_modules/**'],
        },
      },
      // PostgreSQL starts only when one of these is run.
      {
        extends: true,
        test: {
          name: 'builds',
          include: DATABASE,
          globalSetup: ['packages/service/testing/test-database.ts'],
        },
      },
    ],
  },
})
