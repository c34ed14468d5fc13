/**
 * Opens real sites in Chromium as `octavo dev` serves them, and counts what goes wrong.
 * Opens the start page and some pages that it links to, on a desktop and on a phone. Counts console
 * errors, policy violations, failed requests to the site, and pages wider than the screen.
 *
 *   npm run lab corpus/browser -- [folder of the corpus] [--pages 1] [--only name] [--octavo main.js]
 *                             [--pictures folder]
 *
 * `--octavo` is the path of another version's command, to compare with. The corpus is not part of
 * this repository: a folder with `sites/`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { COMMAND, startDev } from '../parts/start-dev.ts'

const SCREENS = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 844 } }
/** Matches network errors of third-party resources, which are not reachable here. */
const EXTERNAL_ERRORS =
  /net::ERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|PROXY|TUNNEL|ABORTED|CONNECTION)/

/** Matches raster images, videos and fonts, which the corpus does not contain. */
const SKIPPED_URLS = /\.(?:png|jpe?g|gif|webp|avif|ico|mp4|webm|woff2?|ttf|otf)(?:[?#]|$)/i

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '1' },
    only: { type: 'string' },
    octavo: { type: 'string', default: COMMAND },
    pictures: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})

type Counts = { errors: number; refused: number; failed: number; wide: number }

const NAMES = ['errors', 'refused', 'failed', 'wide'] as const
const all = newCounts()
const seen = new Map<string, number>()
await withCorpus(positionals[0], async (folder) => {
  const browser = await chromium.launch({
    executablePath: values.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  printRow('site', NAMES)
  for (const site of configFolders(join(folder, 'sites'))) {
    if (values.only !== undefined && !site.includes(values.only)) continue
    const counts = await openSite(browser, join(folder, 'sites', site), site)
    for (const name of NAMES) all[name] += counts[name]
    printRow(site, Object.values(counts))
  }
  printRow('all', Object.values(all))
  for (const [text, count] of [...seen].toSorted((a, b) => b[1] - a[1]).slice(0, 40)) {
    console.log(`${String(count).padStart(6)}  ${text}`)
  }
  await browser.close()
})

async function openSite(browser: Browser, folder: string, name: string): Promise<Counts> {
  const counts = newCounts()
  const { origin, server } = await startDev(folder, values.octavo)
  try {
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      watch(page, origin, counts)
      await visit(page, `${origin}/`)
      const others = await linkedPages(page, origin)
      await keepPicture(page, `${name}-start-${screen}`)
      counts.wide += Number(await isWide(page))
      for (const [index, address] of others.slice(0, Number(values.pages) - 1).entries()) {
        await visit(page, address)
        await keepPicture(page, `${name}-${index + 1}-${screen}`)
        counts.wide += Number(await isWide(page))
      }
      await context.close()
    }
  } finally {
    server.kill()
  }
  return counts
}

/** Waits for scripts that run after loading, but not for hosts that never respond. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 }).catch(() => undefined)
  await page.waitForTimeout(800)
}

function watch(page: Page, origin: string, counts: Counts): void {
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() !== 'error' || EXTERNAL_ERRORS.test(text)) return
    // A failed request is already counted by its status.
    if (text.startsWith('Failed to load resource')) return
    const isRefused = /Content Security Policy/i.test(text)
    counts[isRefused ? 'refused' : 'errors'] += 1
    note(text)
  })
  page.on('pageerror', (error) => {
    counts.errors += 1
    note(error.message)
  })
  page.on('response', (response) => {
    if (!response.url().startsWith(origin) || response.status() < 400) return
    if (SKIPPED_URLS.test(response.url())) return
    counts.failed += 1
    note(`${response.status()} ${new URL(response.url()).pathname}`)
  })
}

function note(text: string): void {
  const short = text.replaceAll(/127\.0\.0\.1:\d+/g, 'site').slice(0, 160)
  seen.set(short, (seen.get(short) ?? 0) + 1)
}

/** Returns some of the pages that the page links to, spread over all links. */
async function linkedPages(page: Page, origin: string): Promise<readonly string[]> {
  const links = await page.$$eval('a[href^="/"]', (found) =>
    found.map((link) => (link as unknown as { href: string }).href),
  )
  const pages = [...new Set(links.map((link) => link.replace(/[?#].*$/, '')))].filter(
    (link) => link.startsWith(origin) && link !== `${origin}/` && !/\.\w+$/.test(link),
  )
  const step = Math.max(1, Math.floor(pages.length / Number(values.pages)))
  return pages.filter((_, index) => index % step === 0)
}

function isWide(page: Page): Promise<boolean> {
  return page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
  )
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (values.pictures === undefined) return
  mkdirSync(values.pictures, { recursive: true })
  await page.screenshot({ path: join(values.pictures, `${name}.png`) })
}

function newCounts(): Counts {
  return { errors: 0, refused: 0, failed: 0, wide: 0 }
}

function printRow(name: string, cells: readonly (string | number)[]): void {
  console.log(name.padEnd(50), cells.map((cell) => String(cell).padStart(8)).join(''))
}
