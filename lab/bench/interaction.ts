/**
 * Measures how soon a page reacts, from a reader's action to the next paint, on a slow machine.
 * Chromium runs four times slower than this machine.
 *
 *   npm run lab bench/interaction -- built-site [--page /path] [--rounds 5] [--only search]
 *
 * The site is an output folder of `octavo build`; `lab/bench/site/make-site.mjs --menus` creates a
 * large one. The result of a round is its slowest reaction. Other load on the machine adds to all
 * of them, so the fastest round shows the time that the page itself needs.
 */
import { parseArgs } from 'node:util'
import { launchChromium } from '../../packages/builder/testing/chromium.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { JOURNEYS } from './interaction/journeys.ts'
import { measureJourney } from './interaction/measure-journey.ts'
import { firstPath } from './search/built-index.ts'

const GOAL_MS = 100

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
})
const [site = 'dist'] = positionals

const served = await serveFolder(site)
const browser = await launchChromium()
try {
  const start = values.page ?? firstPath(site)
  for (const journey of JOURNEYS) {
    if (values.only !== undefined && values.only !== journey.name) continue
    /** The slowest reaction time of each round, by step. */
    const byStep = new Map<string, number[]>()
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const url = served.origin + (journey.path ?? start)
      for (const { step, times } of await measureJourney(browser, journey, url))
        byStep.set(step, [...(byStep.get(step) ?? []), Math.max(...times)])
    }
    for (const [step, times] of byStep) printTimes(`${journey.name}: ${step}`, times)
  }
} finally {
  await browser.close()
  await served.close()
}

function printTimes(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const [least = 0, middle = 0, worst = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)]
  const inMs = (value: number) => `${value} ms`.padStart(7)
  console.log(
    `${name.padEnd(32)} ${inMs(least)} at best, ${inMs(middle)} in the middle, ${inMs(worst)} at worst`,
  )
  if (middle > GOAL_MS) process.exitCode = 1
}
