/**
 * Measures the cost of a site with a large specification, compared with Redocly and Scalar.
 * Compares CPU time and memory of a build with Redocly's single page, and the time until a page is
 * usable with Scalar's reference, which parses the specification in the browser. Everything runs on
 * this machine, in one run.
 *
 *   npm run lab bench/api-site -- --specification file [--peers folder] [--rounds 3]
 *
 * The folder is one in which `npm install @redocly/cli @scalar/api-reference` was run; without it
 * only Octavo is measured.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../packages/builder/testing/chromium.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { type Cost, measureCommand } from '../parts/measure-command.ts'

const TIMEOUT_MS = 900_000
/** The time without a long task after which a page is ready. */
const QUIET_MS = 1_500

/**
 * A script that runs in the page before all others. It is a string, because the browser evaluates
 * it.
 */
const WATCH = `self.lastTask = 0
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) self.lastTask = one.startTime + one.duration
}).observe({ type: 'longtask', buffered: true })`

const { values } = parseArgs({
  options: {
    specification: { type: 'string' },
    peers: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
})
const { specification, peers } = values
if (specification === undefined) {
  console.log('Name a specification: npm run lab bench/api-site -- --specification openapi.json')
  process.exit(2)
}
const rounds = Number(values.rounds)
const work = mkdtempSync(join(tmpdir(), 'octavo-api-'))
try {
  await measureBuilds(specification)
  await measurePages(specification)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function measureBuilds(file: string): Promise<void> {
  const source = join(work, 'docs')
  mkdirSync(source)
  const name = `openapi${extname(file)}`
  copyFileSync(file, join(source, name))
  const config = {
    name: 'Bench',
    theme: 'mint',
    colors: { primary: '#0f766e' },
    navigation: { groups: [{ group: 'API', openapi: name }] },
  }
  writeFileSync(join(source, 'docs.json'), JSON.stringify(config))
  const main = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  const output = join(work, 'octavo')
  const octavo = [process.execPath, main, 'build', source, '-o', output]
  const redocly = peerFile('node_modules/.bin/redocly')
  console.log(`a site of ${file.split('/').at(-1)}, ${rounds} rounds, medians`)
  console.log(`  ${''.padEnd(28)} CPU s  wall s  largest process MB  all MB`)
  const costs = { first: [] as Cost[], again: [] as Cost[], redocly: [] as Cost[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const old of [output, join(source, '.octavo')])
      rmSync(old, { recursive: true, force: true })
    costs.first.push(await run(octavo))
    costs.again.push(await run(octavo))
    if (redocly !== undefined) {
      const page = join(work, 'redocly.html')
      costs.redocly.push(await run([redocly, 'build-docs', file, '-o', page]))
    }
  }
  printCosts('Octavo, a page each', costs.first)
  printCosts('Octavo, nothing changed', costs.again)
  if (redocly === undefined) console.log('  Redocly is not there: see --peers.')
  else printCosts('Redocly, one page for all', costs.redocly)
}

async function run(command: readonly string[]): Promise<Cost> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: '1' }
  return measureCommand({ command, env, timeoutMs: TIMEOUT_MS })
}

async function measurePages(file: string): Promise<void> {
  const octavo = await serveFolder(join(work, 'octavo'), { compresses: true })
  const standalone = peerFile('node_modules/@scalar/api-reference/dist/browser/standalone.js')
  const scalar = standalone && (await serveScalar(standalone, file))
  const browser = await launchChromium()
  try {
    console.log(`  ${''.padEnd(28)} ready after s`)
    const first = await firstPage(octavo.origin)
    await printReady(browser, 'Octavo, first page', `${octavo.origin}${first}`)
    if (scalar) await printReady(browser, 'Scalar', `${scalar.origin}/index.html`)
    else console.log('  Scalar is not there: see --peers.')
  } finally {
    await browser.close()
    await octavo.close()
    if (scalar) await scalar.close()
  }
}

async function firstPage(url: string): Promise<string> {
  const map = await (await fetch(`${url}/llms.txt`)).text()
  return /\]\((?:https?:\/\/[^/)]+)?(\/[^)\s]+?)(?:\.md)?\)/.exec(map)?.[1] ?? '/'
}

async function serveScalar(standalone: string, file: string) {
  const folder = join(work, 'scalar')
  mkdirSync(folder)
  copyFileSync(standalone, join(folder, 'standalone.js'))
  const name = `openapi${extname(file)}`
  copyFileSync(file, join(folder, name))
  const page = `<!doctype html><title>Scalar</title><body>
<script id="api-reference" data-url="/${name}"></script><script src="/standalone.js"></script>`
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, '404.html'), '')
  return serveFolder(folder, { readsHeaders: false, compresses: true })
}

/**
 * Returns the time at which the last long task ended, or at which the first heading appeared if
 * there was no long task.
 */
async function readyAfter(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    await page.addInitScript(WATCH)
    await page.goto(url, { waitUntil: 'load' })
    await page.locator('h1, h2').first().waitFor()
    const seenMs = await page.evaluate<number>('performance.now()')
    const ready = `Math.max(self.lastTask, ${seenMs})`
    const quietMs = () => page.evaluate<number>(`performance.now() - ${ready}`)
    while ((await quietMs()) < QUIET_MS) await page.waitForTimeout(100)
    return (await page.evaluate<number>(ready)) / 1_000
  } finally {
    await context.close()
  }
}

async function printReady(browser: Browser, name: string, url: string): Promise<void> {
  const seconds: number[] = []
  for (let round = 0; round < rounds; round += 1) seconds.push(await readyAfter(browser, url))
  console.log(`  ${name.padEnd(28)} ${median(seconds).toFixed(2).padStart(6)}`)
}

function peerFile(path: string): string | undefined {
  const file = peers === undefined ? undefined : join(peers, path)
  return file !== undefined && existsSync(file) ? file : undefined
}

function printCosts(name: string, costs: readonly Cost[]): void {
  const of = (figure: 'cpuSeconds' | 'seconds' | 'peakMb' | 'sumMb', digits: number) =>
    median(costs.map((one) => one[figure])).toFixed(digits)
  const cells = [of('cpuSeconds', 1), of('seconds', 1), of('peakMb', 0), of('sumMb', 0)]
  const failed = costs.filter((one) => one.exitCode !== 0).length
  const note = failed === 0 ? '' : `  (${failed} ended with a problem)`
  console.log(`  ${name.padEnd(28)} ${cells.map((cell) => cell.padStart(7)).join(' ')}${note}`)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
