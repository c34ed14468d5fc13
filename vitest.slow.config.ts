/** `npm run test:slow`: whole builds and a real browser. Each takes seconds, so `npm test` leaves them out. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.slow.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
