/** `npm run soak:tests`: tests that take minutes. CI leaves them out; run them before a release. */
import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './packages/builder/testing/child-environment.ts'

process.env.NODE_COMPILE_CACHE = COMPILE_CACHE

export default defineConfig({
  test: {
    setupFiles: ['scripts/quick-matcher.ts'],
    globalSetup: ['packages/service/testing/test-database.ts'],
    include: ['packages/*/src/**/*.soak.test.ts', 'lab/**/*.soak.test.ts'],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
