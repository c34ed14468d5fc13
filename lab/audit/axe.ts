/**
 * Checks built sites for accessibility faults and layout shifts, with axe-core in Chromium.
 * Also prints content wider than the window, requests to other sites and violations of the content
 * security policy. Faults that only the author can fix are counted separately.
 *
 *   npm run lab audit/axe -- [--pages 15] [--narrow] [--chromium /usr/bin/chromium] FOLDER…
 *
 * `--pages` is the number of pages per folder. They are always the same ones, spread over the site,
 * and are opened in light and dark, and with `--narrow` also on a phone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { checkPage, type Finding } from './axe/check-page.ts'

/**
 * The light view is served with the headers of `_headers`; the others have only the policy in the
 * page.
 */
const VIEWS = [
  { colorScheme: 'light', width: 1280, useHeaders: true },
  { colorScheme: 'dark', width: 1280, useHeaders: false },
  { colorScheme: 'light', width: 360, useHeaders: false },
] as const

type View = (typeof VIEWS)[number]

const { values, positionals } = parseArgs({
  options: {
    pages: { type: 'string', default: '15' },
    narrow: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
  allowPositionals: true,
})

const views = VIEWS.filter(({ width }) => values.narrow || width > 360)
const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const found: Finding[] = []
  let pages = 0
  for (const folder of positionals) {
    const paths = samplePages(folder, Number(values.pages))
    pages += paths.length
    for (const view of views) found.push(...(await checkSite(browser, { folder, paths, view })))
  }
  const ours = found.filter(({ byAuthor }) => !byAuthor)
  console.log(`${pages} pages in ${views.length} views: ${ours.length} findings`)
  for (const [rule, count] of countByRule(found)) console.log(`  by authors: ${rule} ×${count}`)
  process.exitCode = ours.length === 0 ? 0 : 1
} finally {
  await browser.close()
}

type Visit = { readonly folder: string; readonly paths: readonly string[]; readonly view: View }

async function checkSite(browser: Browser, visit: Visit): Promise<readonly Finding[]> {
  const { colorScheme, width, useHeaders } = visit.view
  const { origin: url, close } = await serveFolder(visit.folder, { readsHeaders: useHeaders })
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  const all: Finding[] = []
  try {
    for (const path of visit.paths) {
      const found = await checkPage(context, `${url}${path}`)
      all.push(...found)
      for (const { rule, count, first, byAuthor } of found) {
        const where = `${basename(visit.folder)}${path} ${colorScheme} ${width}`
        if (!byAuthor) console.log(`${where}: ${rule} ×${count} ${first}`)
      }
    }
  } finally {
    await context.close()
    await close()
  }
  return all
}

/** Returns a sample of pages from across the site, which is the same in every run. */
function samplePages(folder: string, pagesMax: number): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:index|404)\.html$/.test(file))
    .filter((file) => !isRedirectPage(join(folder, file)))
    .map((file) => `/${file.replace(/(?:^|\/)index\.html$/, '')}`)
    .toSorted()
  const step = Math.max(1, Math.floor(all.length / pagesMax))
  return all.filter((_, index) => index % step === 0).slice(0, pagesMax)
}

/** Checks whether a file is a redirect, which is not a page. */
function isRedirectPage(file: string): boolean {
  return readFileSync(file, 'utf8').includes('http-equiv="refresh"')
}

function countByRule(found: readonly Finding[]): readonly (readonly [string, number])[] {
  const groups = Map.groupBy(
    found.filter(({ byAuthor }) => byAuthor),
    ({ rule }) => rule,
  )
  return [...groups].map(([rule, list]) => [
    rule,
    list.reduce((total, { count }) => total + count, 0),
  ])
}
