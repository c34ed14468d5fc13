/**
 * Opens pages of built sites in Chromium, light and dark, wide and narrow, and prints what axe-core
 * finds, what shifts while the page loads, and what is wider than the window.
 *
 *   npm run axe -- [--pages 15] [--chromium /usr/bin/chromium] FOLDER…
 */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { serveSite } from './attack-browser/serve-site.ts'

const PAGE_TIME_MS_MAX = 30_000
const VIEWS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 360 },
] as const

/** Runs in the page, so it is text: this program knows no `document`. */
const READ_LAYOUT = `new Promise((resolve) => {
  let shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const overflow = document.documentElement.scrollWidth - window.innerWidth
  setTimeout(() => resolve({ shift, overflow }), 100)
})`

type View = (typeof VIEWS)[number]
/** One line for each rule that is broken: the rule, how often, and the first place. */
type Finding = { readonly rule: string; readonly count: number; readonly first: string }

const { values, positionals } = parseArgs({
  options: {
    pages: { type: 'string', default: '15' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
  allowPositionals: true,
})

const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  let findings = 0
  for (const folder of positionals) findings += await checkSite(browser, folder)
  console.log(`${findings} findings`)
  process.exitCode = findings === 0 ? 0 : 1
} finally {
  await browser.close()
}

async function checkSite(browser: Browser, folder: string): Promise<number> {
  const { url, server } = await serveSite(folder, { useHeaders: false })
  let count = 0
  try {
    for (const path of samplePages(folder, Number(values.pages))) {
      for (const view of VIEWS) {
        const found = await checkPage(browser, `${url}${path}`, view)
        count += found.length
        for (const { rule, count, first } of found) {
          console.log(
            `${folder}${path} ${view.colorScheme} ${view.width}: ${rule} ×${count} ${first}`,
          )
        }
      }
    }
  } finally {
    server.close()
  }
  return count
}

/** Pages from all over the site, always the same ones. */
function samplePages(folder: string, pagesMax: number): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:index|404)\.html$/.test(file))
    .map((file) => `/${file.replace(/(?:^|\/)index\.html$/, '')}`)
    .toSorted()
  const step = Math.max(1, Math.floor(all.length / pagesMax))
  return all.filter((_, index) => index % step === 0).slice(0, pagesMax)
}

async function checkPage(browser: Browser, url: string, view: View): Promise<readonly Finding[]> {
  const { colorScheme, width } = view
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
  page.setDefaultTimeout(PAGE_TIME_MS_MAX)
  const { origin } = new URL(url)
  try {
    // Pictures of other sites are the author's choice, and this must not wait for them.
    await page.route('**/*', (route) =>
      new URL(route.request().url()).origin === origin ? route.continue() : route.abort(),
    )
    await page.goto(url)
    return [...(await readLayout(page)), ...(await runAxe(page))]
  } catch (error) {
    return [{ rule: 'not-opened', count: 1, first: String(error).split('\n')[0] ?? '' }]
  } finally {
    await page.close()
  }
}

async function readLayout(page: Page): Promise<readonly Finding[]> {
  const { shift, overflow } = await page.evaluate<{ shift: number; overflow: number }>(READ_LAYOUT)
  return [
    ...(shift > 0 ? [{ rule: 'layout-shift', count: 1, first: shift.toFixed(4) }] : []),
    ...(overflow > 0 ? [{ rule: 'wider-than-window', count: 1, first: `${overflow} px` }] : []),
  ]
}

type AxeViolation = {
  readonly id: string
  readonly nodes: readonly {
    readonly target: readonly string[]
    readonly failureSummary?: string
  }[]
}

async function runAxe(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: readonly AxeViolation[] }>('axe.run()')
  return violations.map(({ id, nodes }) => ({
    rule: id,
    count: nodes.length,
    first: `${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary ?? ''}`
      .replaceAll(/\s+/g, ' ')
      .slice(0, 300),
  }))
}
