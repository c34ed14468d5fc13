/**
 * Four kinds of tests, chosen by file name:
 *
 *   unit      `*.test.ts`                     `npm test`
 *   service   `*.test.ts` of the service      `npm test`, with PostgreSQL
 *   e2e       `*.e2e.test.ts`                 `npm run test:e2e`: whole builds, a browser, other programs
 *   soak      `*.soak.test.ts`                `npm run test:soak`: minutes each, before a release
 *
 * PostgreSQL starts when a test of a project that needs it is run, and not otherwise.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './packages/builder/testing/child-environment.ts'
import { RetriedTests } from './scripts/retried-tests.ts'

process.env.NODE_COMPILE_CACHE = COMPILE_CACHE

const SERVICE = 'packages/service/src/**'
const POSTGRES = ['packages/service/testing/test-database.ts']
const LONG = '**/*.{e2e,soak}.test.ts'

const FAST = {
  // Nothing here keeps state in a module, so the workers need not start anew for each file.
  isolate: false,
  // One worker less than there are cores, which is the default, leaves half of a small machine idle.
  maxWorkers: availableParallelism(),
  // No test comes near these alone; ten at a time on a busy machine do.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  sequence: { groupOrder: 0 },
}

const E2E = {
  // A browser works for itself: two files at a time take two thirds of the time of one after the other.
  maxWorkers: 2,
  testTimeout: 300_000,
  hookTimeout: 60_000,
  // A busy machine takes its time: what is waited for comes, or the test is wrong by more than seconds.
  expect: { poll: { timeout: 20_000 } },
  // A browser on a busy machine has moments that no test can foresee. `retried-tests.ts` lists what needed it.
  retry: 1,
  sequence: { groupOrder: 2 },
}

const SOAK = {
  maxWorkers: 1,
  testTimeout: 600_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  sequence: { groupOrder: 3 },
}

export default defineConfig({
  test: {
    setupFiles: ['scripts/property-runs.ts', 'scripts/quick-matcher.ts'],
    exclude: ['**/node_modules/**'],
    reporters: ['default', new RetriedTests()],
    projects: [
      {
        extends: true,
        test: {
          ...FAST,
          name: 'unit',
          include: ['{packages/*/src,scripts,lab}/**/*.test.ts'],
          exclude: [SERVICE, LONG],
        },
      },
      {
        extends: true,
        test: {
          ...FAST,
          // Half of their time is waiting: for retries, time limits and PostgreSQL.
          maxWorkers: 2 * availableParallelism(),
          // Workers, hosts and servers run at the same time here. `retried-tests.ts` lists what needed it.
          retry: 1,
          // Projects with other numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
          name: 'service',
          include: [`${SERVICE}/*.test.ts`],
          exclude: [LONG],
          globalSetup: POSTGRES,
        },
      },
      {
        extends: true,
        test: {
          ...E2E,
          name: 'e2e',
          include: ['{packages/*/src,scripts}/**/*.e2e.test.ts'],
          exclude: [SERVICE],
        },
      },
      {
        extends: true,
        test: {
          ...E2E,
          name: 'e2e-service',
          include: [`${SERVICE}/*.e2e.test.ts`],
          globalSetup: POSTGRES,
        },
      },
      {
        extends: true,
        test: {
          ...SOAK,
          name: 'soak',
          include: ['{packages/*/src,lab}/**/*.soak.test.ts'],
          globalSetup: POSTGRES,
        },
      },
    ],
  },
})
