/**
 * Checks what a first visit to pages of built sites costs.
 * Bytes with fonts, scripts, requests and layout shift are compared with our goals. Images, styles
 * and scripts of the author do not count.
 *
 *   npm run lab audit/weight -- [--pages 12] [--all] FOLDER…
 *
 * `--pages` is the number of pages per folder, which are always the same ones; `--all` prints each
 * page and not only those that miss a goal. Files are compressed with Brotli, quality 5.
 */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { launchChromium } from '../../packages/builder/testing/chromium.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { loadPage, type PageLoad } from '../bench/pages/load-page.ts'
import { samplePages } from '../parts/sample-pages.ts'

const GOALS = { ownBytes: 80_000, scriptBytes: 7_000, ownRequests: 10, shift: 0 } as const
const SHIFT_DIGITS = 4

const { values, positionals } = parseArgs({
  options: { pages: { type: 'string', default: '12' }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const loads: PageLoad[] = []
const browser = await launchChromium()
try {
  for (const folder of positionals) await measureSite(folder)
} finally {
  await browser.close()
}
for (const [figure, goal] of Object.entries(GOALS) as [keyof typeof GOALS, number][]) {
  const sorted = loads.map((load) => rounded(load[figure])).toSorted((one, other) => one - other)
  const within = sorted.filter((value) => value <= goal).length
  const median = sorted[Math.floor(sorted.length / 2)]
  console.log(
    `${figure}: ${within} of ${sorted.length} pages within ${goal}, median ${median}, worst ${sorted.at(-1)}`,
  )
  if (median === undefined || median > goal) process.exitCode = 1
}

async function measureSite(folder: string): Promise<void> {
  const { origin, close } = await serveFolder(folder, { compresses: true })
  try {
    for (const path of samplePages(folder, Number(values.pages))) {
      const load = await loadPage(browser, `${origin}${path}`)
      loads.push(load)
      const figures = Object.keys(GOALS) as (keyof typeof GOALS)[]
      const missed = figures.filter((figure) => rounded(load[figure]) > GOALS[figure])
      if (missed.length === 0 && !values.all) continue
      const shown = (values.all ? figures : missed).map((one) => `${one} ${rounded(load[one])}`)
      console.log(`${basename(folder)}${path}: ${shown.join(', ')}`)
    }
  } finally {
    await close()
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(SHIFT_DIGITS))
}
