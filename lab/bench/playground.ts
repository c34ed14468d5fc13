/**
 * Measures how long a reader waits for the slowest actions in the API reference and playground.
 * It measures the interaction to next paint with a CPU that is four times slower than this machine.
 *
 *   npm run lab bench/playground -- [--rounds 5] [--specification file]... [--only opening]
 *
 * With specifications, the largest schema that a page of each opens is measured too. The opening
 * of the playground with the largest request of each is measured as requests, bytes and time on a
 * slow line; `--only opening` measures nothing else.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../packages/builder/testing/chromium.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { CPU_SLOWDOWN, type Waits, watchInteractions } from './interaction/watch-interactions.ts'
import { FIELDS, heavySpecification } from './playground/heavy-api.ts'
import { largestRequest } from './playground/largest-request.ts'
import { measureOpening, type Opening, pageOf } from './playground/measure-opening.ts'

const GOAL_MS = 100
const REQUESTS_GOAL = 2
const BYTES_GOAL = 60_000
const BUILD_TIME_MS_MAX = 600_000

type BuiltSite = { readonly file: string; readonly site: string }

type Interaction = {
  readonly name: string
  readonly site: string
  readonly path: string
  /** Prepares the page, and returns the function that performs the reader's action. */
  readonly prepare: (page: Page) => Promise<() => Promise<void>>
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    specification: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const work = mkdtempSync(join(tmpdir(), 'octavo-playground-'))
let missed = 0
try {
  await measure()
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = missed > 0 ? 1 : 0

async function measure(): Promise<void> {
  const sites = values.specification.map((file, index) => {
    const copy = (to: string) => copyFileSync(file, to)
    return { file, site: buildSite(`site-${index}`, `openapi${extname(file)}`, copy) }
  })
  const browser = await launchChromium()
  try {
    await measureOpenings(browser, sites)
    if (values.only !== 'opening') await measureWaits(browser, sites)
  } finally {
    await browser.close()
  }
}

async function measureOpenings(browser: Browser, sites: readonly BuiltSite[]): Promise<void> {
  if (sites.length === 0) return
  console.log('opening the playground with the largest request, 1.6 Mbit/s, 150 ms, slow CPU')
  console.log('  until: shown ms, usable ms (requests, KB), settled (requests, KB)')
  for (const { file, site } of sites) {
    const largest = largestRequest(file)
    const path = largest && pageOf(site, largest.operation)
    if (largest === undefined || path === undefined) {
      console.log(`  ? ${basename(file)}: its largest request has no page with a playground`)
      continue
    }
    const openings: Opening[] = []
    for (let round = 0; round < rounds; round += 1)
      openings.push(await measureOpening(browser, site, path))
    const kilobytes = Math.round(largest.characters / 1_000)
    const size = `${largest.parts} parts, ${kilobytes} KB`
    console.log(`  ${printOpening(openings)}  ${basename(file)}: ${largest.operation} (${size})`)
  }
}

/** Prints the opening with the median time. A miss is counted for its requests or bytes. */
function printOpening(openings: readonly Opening[]): string {
  const sorted = openings.toSorted((one, other) => one.usableMs - other.usableMs)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) return ''
  const { shownMs, usableMs, usable, settled } = median
  const isMet = usable.requests <= REQUESTS_GOAL && usable.bytes <= BYTES_GOAL
  if (!isMet) missed += 1
  const load = ({ requests, bytes }: Opening['usable']) =>
    `(${requests}, ${(bytes / 1_000).toFixed(1)})`
  const times = [shownMs, usableMs].map((ms) => ms.toFixed(0).padStart(6))
  return `${isMet ? '✓' : '✗'} ${times.join(' ')} ${load(usable)} ${load(settled)}`
}

async function measureWaits(browser: Browser, sites: readonly BuiltSite[]): Promise<void> {
  const heavy = buildSite('heavy', 'openapi.json', (file) =>
    writeFileSync(file, heavySpecification()),
  )
  const opened = sites.map((one) => openLargest(one))
  console.log(`interaction to next paint, ${CPU_SLOWDOWN}× slower CPU, ${rounds} rounds, ms`)
  console.log(`  ${''.padEnd(46)} median  worst  then a task of`)
  for (const one of [...heavyInteractions(heavy), ...opened]) {
    const waits: Waits[] = []
    for (let round = 0; round < rounds; round += 1) waits.push(await interact(browser, one))
    print(one.name, waits)
  }
}

function heavyInteractions(site: string): readonly Interaction[] {
  const many = { site, path: '/api-reference/many' }
  const choice = { site, path: '/api-reference/choice' }
  return [
    { ...many, name: `open a schema of ${FIELDS} fields`, prepare: prepareLazySchema },
    { ...many, name: 'open the playground', prepare: (page) => press(page, 'Try it') },
    { ...many, name: `type a text, body of ${FIELDS} fields`, prepare: prepareTyping('field0') },
    { ...many, name: `type a number, body of ${FIELDS} fields`, prepare: prepareTyping('field1') },
    { ...choice, name: `switch a choice of ${FIELDS} fields each`, prepare: prepareChoice },
    { ...many, name: `edit the JSON of ${FIELDS} fields`, prepare: prepareJson },
  ]
}

async function interact(browser: Browser, { site, path, prepare }: Interaction): Promise<Waits> {
  const { origin: url, close } = await serveFolder(site, { readsHeaders: true })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    return await watchInteractions(page, await prepare(page))
  } finally {
    await context.close()
    await close()
  }
}

async function press(page: Page, name: string): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name })
  await button.scrollIntoViewIfNeeded()
  return () => button.click()
}

/** Prepares a click on the last lazy-loaded schema, which is inside a schema of the page. */
async function prepareLazySchema(page: Page): Promise<() => Promise<void>> {
  await page.locator('.oct-expandable:not(.oct-deeper) > summary').last().click()
  const door = page.locator('.oct-deeper > summary').last()
  await door.scrollIntoViewIfNeeded()
  return () => door.click()
}

async function openPlayground(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.locator('.oct-playground').waitFor()
}

function prepareTyping(name: string): Interaction['prepare'] {
  return async (page) => {
    await openPlayground(page)
    const field = page.locator(`#oct-try-${encodeURIComponent(`/${name}`)}`.replaceAll('%', '\\%'))
    await field.focus()
    return () => page.keyboard.type('1234567890', { delay: 60 })
  }
}

async function prepareChoice(page: Page): Promise<() => Promise<void>> {
  await openPlayground(page)
  await page.locator('.oct-try-choice select').first().focus()
  return async () => {
    await page.keyboard.press('ArrowDown')
    await page.waitForTimeout(1_000)
    await page.keyboard.press('ArrowDown')
  }
}

async function prepareJson(page: Page): Promise<() => Promise<void>> {
  await openPlayground(page)
  await page.getByRole('button', { name: 'Edit JSON' }).click()
  const fields = Array.from({ length: FIELDS }, (_, index) => [`field${index}`, `value ${index}`])
  const editor = page.locator('#oct-try-body')
  await editor.fill(JSON.stringify(Object.fromEntries(fields), null, 2))
  await editor.press('Control+Home')
  await page.keyboard.press('End')
  return () => page.keyboard.type('\n"a": 1,\n"b": 2,', { delay: 60 })
}

/**
 * Returns the interaction that opens the largest lazy-loaded schema in the pages of a
 * specification.
 */
function openLargest({ file, site }: BuiltSite): Interaction {
  const name = basename(file)
  const largest = largestLazySchema(site)
  const { path, ref, length } = largest
  return {
    site,
    path,
    name: `${name}: ${ref.split('/').at(-1)}, ${Math.round(length / 1_000)} KB`,
    prepare: async (page) => {
      const door = page.locator(`.oct-deeper[data-ref="${ref}"]`).first()
      // The elements around the schema are opened, as a link to it would do.
      await door.evaluate((element) => {
        for (let at = element.parentElement; at !== null; at = at.parentElement) {
          if (at.matches('details')) at.setAttribute('open', '')
          at.removeAttribute('hidden')
        }
      })
      const summary = door.locator('> summary')
      await summary.scrollIntoViewIfNeeded()
      return () => summary.click()
    },
  }
}

function largestLazySchema(site: string) {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
  const lengths = new Map<string, number>()
  for (const file of files.filter((one) => /^_octavo\/api\/.*\.json$/.test(one))) {
    const parts = JSON.parse(readFileSync(join(site, file), 'utf8')) as Record<string, unknown>
    for (const [key, value] of Object.entries(parts))
      if (key.startsWith('html ')) lengths.set(key.slice(5), String(value).length)
  }
  const doors = files
    .filter((one) => one.endsWith('index.html'))
    .flatMap((file) => {
      const html = readFileSync(join(site, file), 'utf8')
      return [...html.matchAll(/data-ref="([^"]+)"/g)].map(([, ref = '']) => ({
        path: `/${dirname(file)}`,
        ref,
        length: lengths.get(ref) ?? 0,
      }))
    })
  const [largest] = doors.toSorted((one, other) => other.length - one.length)
  if (largest === undefined) throw new Error('No page of it opens a schema.')
  return largest
}

function buildSite(name: string, specification: string, write: (file: string) => void): string {
  const source = join(work, name)
  mkdirSync(source)
  write(join(source, specification))
  const group = { group: 'API', openapi: specification }
  const config = {
    name: 'Bench',
    theme: 'mint',
    colors: { primary: '#0f766e' },
    navigation: { groups: [group] },
  }
  writeFileSync(join(source, 'docs.json'), JSON.stringify(config))
  const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  // If a specification has errors, the command exits with 1, but builds the pages anyway.
  spawnSync(process.execPath, [main, 'build', source, '-o', `${source}-out`], {
    timeout: BUILD_TIME_MS_MAX,
    stdio: 'ignore',
  })
  return `${source}-out`
}

function print(name: string, waits: readonly Waits[]): void {
  const worst = waits.map((one) => Math.max(...one.times)).toSorted((one, other) => one - other)
  const median = worst[Math.floor(worst.length / 2)] ?? Number.NaN
  const task = Math.max(...waits.map((one) => one.taskMs))
  const isMet = median <= GOAL_MS
  if (!isMet) missed += 1
  const cells = [median, worst.at(-1) ?? Number.NaN, task].map((ms) => ms.toFixed(0).padStart(6))
  console.log(`  ${isMet ? '✓' : '✗'} ${name.padEnd(44)} ${cells.join(' ')}`)
}
