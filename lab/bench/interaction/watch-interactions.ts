/**
 * Measures how long a reader waits: the time from a key or a click to the next paint, as the
 * browser reports it.
 */
import type { Page } from 'playwright-core'

export const CPU_SLOWDOWN = 4
/** The minimum duration that browsers report for an interaction. */
const UNREPORTED_MS = 16

export type Waits = {
  /** The duration of each interaction, in steps of 8 ms; never empty. */
  readonly times: readonly number[]
  /** The longest task that followed, which would delay the next interaction. */
  readonly taskMs: number
}

/**
 * A script that runs in the page. It is a string, because `document` has no types here. An
 * interaction consists of several events, such as key down and key up, and has the duration of the
 * longest one.
 */
const WATCH = `if (self.waits === undefined) {
  const watch = (options, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe(options)
  const seeEvent = ({ interactionId, duration }) => {
    const { times } = self.waits
    if (interactionId) times.set(interactionId, Math.max(duration, times.get(interactionId) ?? 0))
  }
  watch({ type: 'event', durationThreshold: ${UNREPORTED_MS} }, seeEvent)
  watch({ type: 'first-input' }, seeEvent)
  watch({ type: 'longtask' }, ({ duration }) => {
    self.waits.taskMs = Math.max(self.waits.taskMs, duration)
  })
}
self.waits = { times: new Map(), taskMs: 0 }`
const READ = '({ times: [...self.waits.times.values()], taskMs: self.waits.taskMs })'

/** The time to wait until the browser has reported the last paint. */
const SETTLE_MS = 800

export async function watchInteractions(page: Page, act: () => Promise<void>): Promise<Waits> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(WATCH)
  await act()
  await page.waitForTimeout(SETTLE_MS)
  const { times, taskMs } = await page.evaluate<Waits>(READ)
  return { times: times.length > 0 ? times : [UNREPORTED_MS], taskMs }
}
