/**
 * `expect(milliseconds).toBeQuick(1_000)`: so long at most on a machine of the usual speed. Where the
 * machine is slow at that moment, as shared ones are at times, the limit is as much longer.
 */
import { expect } from 'vitest'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    toBeQuick(limit: number): R
  }
}

const STEPS = 20_000_000
/** What so many steps take on a machine of the usual speed. */
const USUAL_MS = 20
/** Beyond that a limit says nothing. */
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
  // The sum is used, or an engine would leave the loop out.
  return Math.min(SLOWNESS_MAX, Math.max(1, sum > 0 ? ms / USUAL_MS : 1))
}
