/**
 * Opens real sites at five widths, light and dark, and finds problems of their headers.
 * Opens a start page, a guide and an API page of each site, as `octavo dev` serves them. Finds
 * controls that are outside of the screen, cut off, covered or overlapping, text with a contrast
 * below 4.5, and pages wider than the screen. The layout viewport is fixed, because it would grow
 * with the page on a phone and hide content that is too wide. Each problem is listed with the
 * author's CSS rules that apply to it.
 *
 *   npm run lab corpus/header -- [folder of the corpus] [--only name] [--pages 3] [--widths 320,390]
 *                             [--octavo main.js] [--pictures folder] [--save file]
 *
 * `--octavo` is the path of another version's command, to compare with. The corpus is not part of
 * this repository: a folder with `sites/`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'
import { COMMAND, startDev } from '../parts/start-dev.ts'
import { type HeaderText, measureContrast } from './header/measure-contrast.ts'

const CONTRAST_MIN = 4.5
const HEIGHT = 800
const SCHEMES = ['light', 'dark'] as const
const KINDS = ['outside', 'cut', 'covered', 'overlap', 'contrast', 'wide'] as const
const FIND_PROBLEMS = readFileSync(join(import.meta.dirname, 'header/find-problems.js'), 'utf8')
/** The time to wait after the load event. Fonts and scripts from other hosts need not load. */
const SETTLE_MS = 500

type Problem = {
  readonly kind: (typeof KINDS)[number]
  readonly what: string
  readonly rules: readonly string[]
}
type Found = Problem & { readonly at: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    pages: { type: 'string', default: '3' },
    widths: { type: 'string', default: '320,360,390,768,1440' },
    octavo: { type: 'string', default: COMMAND },
    pictures: { type: 'string' },
    save: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const widths = values.widths.split(',').map(Number)

await withCorpus(positionals[0], async (folder) => {
  const browser = await chromium.launch({
    executablePath: values.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const all: Record<string, readonly Found[]> = {}
  printRow('site', KINDS)
  try {
    for (const site of configFolders(join(folder, 'sites'))) {
      if (values.only !== undefined && !site.includes(values.only)) continue
      all[site] = await openSite(browser, join(folder, 'sites', site), site)
      printSite(site, all[site])
    }
  } finally {
    await browser.close()
  }
  printRow('all', countKinds(Object.values(all).flat()))
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(all, undefined, 1))
  process.exitCode = Object.values(all).flat().length > 0 ? 1 : 0
})

async function openSite(browser: Browser, folder: string, site: string): Promise<readonly Found[]> {
  const { origin, server } = await startDev(folder, values.octavo)
  const canvas = await browser.newPage()
  const found: Found[] = []
  try {
    let pages: readonly string[] | undefined
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
      await context.route(/.*/, (route) =>
        route.request().url().startsWith(origin) ? route.continue() : route.abort(),
      )
      const page = await context.newPage()
      pages ??= await choosePages(page, origin)
      for (const [index, address] of pages.slice(0, Number(values.pages)).entries()) {
        await visit(page, address)
        for (const width of widths) {
          await page.setViewportSize({ width, height: HEIGHT })
          const path = new URL(address).pathname
          for (const problem of await findProblems(page, canvas))
            found.push({ ...problem, at: `${path} ${width} ${colorScheme}` })
          await keepPicture(page, `${site.replaceAll('/', '_')}-${index}-${width}-${colorScheme}`)
        }
      }
      await context.close()
    }
  } finally {
    server.kill()
    await canvas.close()
  }
  return found
}

/** Returns the start page, the page in the middle of its links, and a page of an API operation. */
async function choosePages(page: Page, origin: string): Promise<readonly string[]> {
  await visit(page, `${origin}/`)
  const start = page.url()
  const guides = await linksTo(page, '.oct-sidebar a:not(:has(.oct-method)), main a')
  const others = guides.filter((link) => link !== start)
  const guide = others[Math.floor(others.length / 2)]
  let [operation] = await linksTo(page, '.oct-sidebar a:has(.oct-method)')
  if (operation === undefined) {
    const [reference] = (await linksTo(page, 'a')).filter((link) => /api|reference/i.test(link))
    if (reference !== undefined) {
      await visit(page, reference)
      operation = (await linksTo(page, '.oct-sidebar a:has(.oct-method)'))[0] ?? reference
    }
  }
  const chosen = [start, operation, guide].filter((one) => one !== undefined)
  return [...new Set(chosen)].filter((address) => address.startsWith(`${origin}/`))
}

async function linksTo(page: Page, selector: string): Promise<readonly string[]> {
  const readLinks = () =>
    page.$$eval(selector, (found) =>
      found.map((link) => (link as unknown as { href: string }).href.replace(/[?#].*$/, '')),
    )
  const links = await readLinks().catch(async () => {
    // The page was reloaded, for example because the server has found a problem in it.
    await page.waitForTimeout(SETTLE_MS)
    return readLinks()
  })
  const { origin } = new URL(page.url())
  const isPage = (link: string) => link.startsWith(`${origin}/`) && !/\.\w+$/.test(link)
  return [...new Set(links.filter(isPage))]
}

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 }).catch(() => undefined)
  await page.waitForTimeout(SETTLE_MS)
}

async function findProblems(page: Page, canvas: Page): Promise<readonly Problem[]> {
  // After two frames, the resize observers of authors' scripts have run.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
  const seen: {
    readonly problems: readonly Problem[]
    readonly texts: readonly HeaderText[]
    readonly bottom: number
  } = await page.evaluate(FIND_PROBLEMS)
  const contrasts = await measureContrast(page, canvas, seen)
  const pale = seen.texts.flatMap(({ what, rules }, index): readonly Problem[] => {
    const contrast = contrasts[index] ?? CONTRAST_MIN
    if (contrast >= CONTRAST_MIN) return []
    return [{ kind: 'contrast', what: `${what} ${contrast.toFixed(2)}`, rules }]
  })
  return [...seen.problems, ...pale]
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (values.pictures === undefined) return
  mkdirSync(values.pictures, { recursive: true })
  await page.screenshot({ path: join(values.pictures, `${name}.png`) })
}

function printSite(site: string, found: readonly Found[]): void {
  printRow(site, countKinds(found))
  const byProblem = Object.groupBy(
    found,
    ({ kind, what }) =>
      `${kind.padEnd(9)} ${what.replaceAll(/ -?\d+–-?\d+| \d+ in \d+| [\d.]+$/g, '')}`,
  )
  for (const [text, same = []] of Object.entries(byProblem)) {
    const [first] = same
    const rules = first?.rules.length ? `  author: ${first.rules.join(' | ')}` : ''
    console.log(`    ${text} (${same.length}×, ${first?.at}: ${first?.what.slice(-24)})${rules}`)
  }
}

function countKinds(found: readonly Found[]): readonly number[] {
  return KINDS.map((kind) => found.filter((one) => one.kind === kind).length)
}

function printRow(name: string, cells: readonly (string | number)[]): void {
  console.log(name.padEnd(50), cells.map((cell) => String(cell).padStart(9)).join(''))
}
