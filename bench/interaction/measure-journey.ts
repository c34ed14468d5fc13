/** Goes through a journey on a machine four times slower and reads how long each answer took. */
import type { Browser, Page } from 'playwright-core'
import type { Journey } from './journeys.ts'

export type StepTimes = {
  readonly step: string
  /** From each thing that the reader did until its effect was painted, in steps of 8 ms. */
  readonly times: readonly number[]
}

const CPU_SLOWDOWN = 4
/** What is shorter than the browser tells. */
const UNTOLD_MS = 16
/** By then the last paint of a step is done and told. */
const SETTLE_MS = 600

/**
 * Runs in the page before anything else, so it is text: this program knows no `document`. An
 * interaction is several events (a key goes down and up); the longest of them counts.
 */
const WATCH = `self.interactions = new Map()
for (const options of [{ type: 'event', durationThreshold: ${UNTOLD_MS} }, { type: 'first-input' }])
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, startTime } of list.getEntries()) {
      if (!interactionId) continue
      const before = self.interactions.get(interactionId)
      if (before === undefined || before.duration < duration)
        self.interactions.set(interactionId, { duration, startTime })
    }
  }).observe({ ...options, buffered: true })`

export async function measureJourney(
  browser: Browser,
  { viewport, steps }: Journey,
  url: string,
): Promise<readonly StepTimes[]> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    await page.addInitScript(WATCH)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'networkidle' })
    const measured: StepTimes[] = []
    for (const { name, needs, act } of steps) {
      if ((await page.locator(`${needs}:visible`).count()) === 0) continue
      await page.waitForTimeout(SETTLE_MS)
      await readTimes(page)
      await act(page)
      await page.waitForTimeout(SETTLE_MS)
      const times = await readTimes(page)
      measured.push({ step: name, times: times.length > 0 ? times : [UNTOLD_MS] })
    }
    return measured
  } finally {
    await context.close()
  }
}

/** What was seen since it was last read. */
function readTimes(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(`(() => {
    const times = [...self.interactions.values()].map((one) => one.duration)
    self.interactions.clear()
    return times
  })()`)
}
