/** What a reader waits for: from a key or a click to the next paint, as the browser itself counts. */
import type { Page } from 'playwright-core'

export type Waits = {
  /** Interaction to next paint, the worst; events shorter than 16 ms are not told. */
  readonly worstMs: number
  /** The longest task that followed: it would keep the next interaction waiting. */
  readonly taskMs: number
}

/** Runs in the page, so it is text: this program knows no `document`. */
const WATCH = `self.waits = { worstMs: 0, taskMs: 0 }
new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    if (one.interactionId > 0) self.waits.worstMs = Math.max(self.waits.worstMs, one.duration)
}).observe({ type: 'event', durationThreshold: 16 })
new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    self.waits.taskMs = Math.max(self.waits.taskMs, one.duration)
}).observe({ type: 'longtask' })`

/** Observers are told some time after the paint. */
const SETTLE_MS = 1_500

export async function watchInteractions(page: Page, act: () => Promise<void>): Promise<Waits> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(WATCH)
  await act()
  await page.waitForTimeout(SETTLE_MS)
  return page.evaluate<Waits>('self.waits')
}
