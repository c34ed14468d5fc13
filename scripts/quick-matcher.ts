/**
 * `expect(milliseconds).toBeQuick(1_000)`: asserts a maximum duration on a machine of normal speed.
 * If the machine is slow at the moment, the limit grows in proportion.
 */
import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    toBeQuick(limit: number): R
  }
}

const STEPS = 20_000_000
/** The duration of the steps below on a machine of normal speed. */
const USUAL_MS = 20
/** The maximum factor of the limit. With a larger one, the limit would be meaningless. */
const SLOWNESS_MAX = 10

expect.extend({
  toBeQuick(ms: number, limit: number) {
    const allowed = ms < limit ? limit : limit * slowness()
    return {
      pass: ms < allowed,
      message: () => `took ${Math.round(ms)} ms, at most ${Math.round(allowed)} are allowed`,
    }
  },
})

function slowness(): number {
  const started = performance.now()
  let sum = 0
  for (let step = 0; step < STEPS; step += 1) sum += step % 7
  const ms = performance.now() - started
  // The sum is used, so that the engine cannot optimize the loop away.
  return Math.min(SLOWNESS_MAX, Math.max(1, sum > 0 ? ms / USUAL_MS : 1))
}
