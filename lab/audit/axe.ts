/**
 * Checks built sites for accessibility faults and layout shifts, with axe-core in Chromium.
 * Also prints content wider than the window, requests to other sites and violations of the content
 * security policy. Faults that only the author can fix are counted separately.
 *
 *   npm run lab audit/axe -- [--pages 15] [--narrow] [--open] [--chromium /usr/bin/chromium] FOLDER…
 *
 * `--pages` is the number of pages per folder. They are always the same ones, spread over the site,
 * and are opened in light and dark, and with `--narrow` also on a phone. With `--open`, each page is
 * checked again in each of its open dialogs and menus: search with and without results, playground,
 * assistant, menus of the header and the page, and the menu of phones.
 */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { samplePages } from '../parts/sample-pages.ts'
import { answerAsService } from './axe/answer-as-service.ts'
import { type CheckedStates, checkPage, type Finding } from './axe/check-page.ts'
import { OPEN_STATES } from './axe/open-states.ts'

/**
 * The light view is served with the headers of `_headers`; the others have only the policy in the
 * page.
 */
const VIEWS = [
  { colorScheme: 'light', width: 1280, useHeaders: true },
  { colorScheme: 'dark', width: 1280, useHeaders: false },
  { colorScheme: 'light', width: 360, useHeaders: false },
  { colorScheme: 'dark', width: 360, useHeaders: false },
] as const

type View = (typeof VIEWS)[number]

const { values, positionals } = parseArgs({
  options: {
    pages: { type: 'string', default: '15' },
    narrow: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
  allowPositionals: true,
})

const views = VIEWS.filter(({ width }) => values.narrow || width > 360)
/** How many pages were checked in each open state. */
const opened = new Map<string, number>()
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
  for (const [name, count] of opened) console.log(`  ${name} opened ${count} times`)
  for (const [rule, count] of countByRule(found)) console.log(`  by authors: ${rule} ×${count}`)
  process.exitCode = ours.length === 0 ? 0 : 1
} finally {
  await browser.close()
}

type Visit = { readonly folder: string; readonly paths: readonly string[]; readonly view: View }

async function checkSite(browser: Browser, visit: Visit): Promise<readonly Finding[]> {
  const { colorScheme, width, useHeaders } = visit.view
  const { origin: url, close } = await serveFolder(visit.folder, {
    readsHeaders: useHeaders,
    ...(values.open ? { answer: await answerAsService() } : {}),
  })
  const states: CheckedStates = { list: values.open ? OPEN_STATES : [], opened }
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  const all: Finding[] = []
  try {
    for (const path of visit.paths) {
      const found = await checkPage(context, `${url}${path}`, states)
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
