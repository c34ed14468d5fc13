/** Runs a journey on a throttled CPU and measures how long each reaction took. */
import type { Browser } from 'playwright-core'
import type { Journey } from './journeys.ts'
import { CPU_SLOWDOWN, watchInteractions } from './watch-interactions.ts'

export type StepTimes = {
  readonly step: string
  /** The time from each action to the paint of its effect. */
  readonly times: readonly number[]
}

export async function measureJourney(
  browser: Browser,
  { viewport, steps }: Journey,
  url: string,
): Promise<readonly StepTimes[]> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'networkidle' })
    const measured: StepTimes[] = []
    for (const { name, needs, act } of steps) {
      if ((await page.locator(`${needs}:visible`).count()) === 0) continue
      const { times } = await watchInteractions(page, () => act(page))
      measured.push({ step: name, times })
    }
    return measured
  } finally {
    await context.close()
  }
}
