/**
 * Checks the navigation of real sites in Chromium, with links, switches and keyboard.
 * It checks that navigation rules 4 to 8 hold, every navigation link resolves, exactly one page is
 * current, switches of version, language, product and dropdown lead to the right page, and
 * everything is reachable by keyboard.
 *
 *   npm run lab corpus/navigation -- [folder of the corpus] [--pages 12] [--sites one,two]
 *
 * The corpus is not part of this repository: a folder with `sites/`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { builderVersion, buildSite, loadSite, readFolder } from '@octavo/builder'
import { isHosted, type Navigation, type NavPage } from '@octavo/model'
import { type Browser, chromium } from 'playwright-core'
import { checkNavigation } from '../../packages/builder/testing/check-navigation.ts'
import { checkRules } from '../../packages/builder/testing/expected-navigation.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { withCorpus } from '../parts/corpus-folder.ts'

/** Sites that use tabs and versions, languages, products, and dropdowns. */
const SITES = [
  'modelcontextprotocol__modelcontextprotocol',
  'helius-labs__docs',
  'odigos-io__odigos',
  'browserbase__stagehand',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '12' },
    sites: { type: 'string', default: SITES.join(',') },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})

const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  let count = 0
  await withCorpus(positionals[0], async (corpus) => {
    for (const name of values.sites.split(','))
      count += await checkSite(browser, join(corpus, 'sites', name))
  })
  console.log(`${count} problems`)
  process.exitCode = count === 0 ? 0 : 1
} finally {
  await browser.close()
}

async function checkSite(browser: Browser, folder: string): Promise<number> {
  const work = mkdtempSync(join(tmpdir(), 'octavo-navigation-'))
  const output = join(work, 'out')
  try {
    const cacheFolder = join(work, 'cache')
    // The site is built for the root of a host, even if its own URL has a path.
    const siteUrl = 'https://docs.example.com'
    const version = builderVersion()
    await buildSite({ folder, output, cacheFolder, version, siteUrl })
    const { site } = loadSite(readFolder(folder))
    if (site === undefined) throw new Error(`${folder} has no configuration that can be read.`)
    const { problems, pageCount } = await checkPages(browser, output, site.navigation)
    console.log(`${folder}: ${pageCount} pages looked at, ${problems.length} problems`)
    for (const problem of problems) console.log(`  ${problem}`)
    return problems.length
  } finally {
    rmSync(work, { recursive: true })
  }
}

async function checkPages(browser: Browser, output: string, navigation: Navigation) {
  const { origin: url, close } = await serveFolder(output)
  // The build reports pages that the author lists but has not written. Pages of hosted
  // specifications are missing, because this build does not fetch them.
  const isExcused = ({ missing, operation }: NavPage) =>
    missing || isHosted(operation?.specification ?? '')
  const missing = new Set(navigation.entries.filter(isExcused).map((one) => one.url))
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const resolves = (path: string) => {
    const file = join(output, decodeURIComponent(path))
    return missing.has(path) || isFile(file) || isFile(join(file, 'index.html'))
  }
  const shown = [...navigation.byPath.values()].filter((page) => {
    return !page.hidden && !isExcused(page) && page.link === undefined
  })
  const listed = new Set(shown.map((page) => page.url))
  const step = Math.max(1, Math.floor(shown.length / Number(values.pages)))
  const sample = shown.filter((_, index) => index % step === 0)
  const page = await browser.newPage()
  // The check must not wait for images from other sites.
  await page.route('**/*', (route) =>
    route.request().url().startsWith(url) ? route.continue() : route.abort(),
  )
  const problems: string[] = []
  for (const entry of sample) {
    await page.goto(url + entry.url, { waitUntil: 'domcontentloaded' })
    problems.push(...(await checkRules(page, entry)))
    problems.push(
      ...(await checkNavigation(page, { resolves, isListed: (at) => listed.has(decodeURI(at)) })),
    )
  }
  await page.close()
  await close()
  return { problems: [...new Set(problems)], pageCount: sample.length }
}
