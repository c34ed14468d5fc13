/** What a reader waits for: from a key or a click to the next paint, as the browser itself counts. */
import type { Page } from 'playwright-core'

export const CPU_SLOWDOWN = 4
/** Browsers do not tell of what is shorter. */
const UNTOLD_MS = 16

export type Waits = {
  /** Of each thing that the reader did, in steps of 8 ms; at least one. */
  readonly times: readonly number[]
  /** The longest task that followed: it would keep the next interaction waiting. */
  readonly taskMs: number
}

/**
 * Runs in the page, so it is text: this program knows no `document`. An interaction is several events
 * (a key goes down and up); the longest of them counts.
 */
const WATCH = `if (self.waits === undefined) {
  const watch = (options, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe(options)
  const seeEvent = ({ interactionId, duration }) => {
    const { times } = self.waits
    if (interactionId) times.set(interactionId, Math.max(duration, times.get(interactionId) ?? 0))
  }
  watch({ type: 'event', durationThreshold: ${UNTOLD_MS} }, seeEvent)
  watch({ type: 'first-input' }, seeEvent)
  watch({ type: 'longtask' }, ({ duration }) => {
    self.waits.taskMs = Math.max(self.waits.taskMs, duration)
  })
}
self.waits = { times: new Map(), taskMs: 0 }`
const READ = '({ times: [...self.waits.times.values()], taskMs: self.waits.taskMs })'

/** By then the last paint is done and told. */
const SETTLE_MS = 800

export async function watchInteractions(page: Page, act: () => Promise<void>): Promise<Waits> {
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate(WATCH)
  await act()
  await page.waitForTimeout(SETTLE_MS)
  const { times, taskMs } = await page.evaluate<Waits>(READ)
  return { times: times.length > 0 ? times : [UNTOLD_MS], taskMs }
}
