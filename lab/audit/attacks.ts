/**
 * Opens a site of known attacks in Chromium, and checks that no code runs and no request leaves.
 * One canary reports code that runs, another one reports requests to other hosts. Every page is
 * opened once with the site's headers and once without: pages must be harmless even without them.
 * With `--texts`, the same attacks are plain texts in titles, the sidebar, search results and every
 * text of a specification.
 *
 *   npm run lab audit/attacks -- [--texts] [--chromium /usr/bin/chromium]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { ATTACKS, attackSite, FOREIGN_IMAGES } from '../../packages/builder/testing/attack-pages.ts'
import { serveFolder } from '../../packages/builder/testing/serve-folder.ts'
import { type Files, TemporarySite } from '../../packages/builder/testing/temporary-site.ts'
import { withTimeout } from '../../packages/service/src/platform/with-timeout.ts'
import { SEARCHED_WORD, textSinkSite } from './attacks/text-sinks.ts'

const PAGE_TIME_MS_MAX = 30_000
/** Matches CSS that loads a resource. */
const LOADS = /@import|url\(|image-set|src\(|\\/i
const PROVOKE = readFileSync(join(import.meta.dirname, 'attacks/provoke.js'), 'utf8')

const { values } = parseArgs({
  options: {
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    texts: { type: 'boolean', default: false },
  },
})

type Seen = {
  opened: number
  readonly runs: string[]
  readonly requests: string[]
  /**
   * Violations that only the content security policy stopped. `unsafe` lists what no page may
   * contain.
   */
  readonly violations: string[]
  readonly unsafe: string[]
}

type Address = {
  readonly path: string
  /** True if the address is a redirect. */
  readonly leads: boolean
}

const profile = mkdtempSync(join(tmpdir(), 'octavo-chromium-'))
const context = await chromium.launchPersistentContext(profile, {
  executablePath: values.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  process.exitCode = await openAll(context)
} finally {
  await context.close()
  rmSync(profile, { recursive: true, force: true })
}

async function openAll(browser: BrowserContext): Promise<number> {
  if (values.texts) {
    const seen = await openSite(browser, textSinkSite(ATTACKS), false)
    return report(`${ATTACKS.length} attacks as texts`, seen) > 0 ? 1 : 0
  }
  let failures = 0
  for (const useHeaders of [true, false])
    failures += report(
      `${ATTACKS.length} attacks, ${useHeaders ? 'with' : 'without'} headers`,
      await openSite(browser, attackSite(ATTACKS), useHeaders),
    )
  const { requests, runs } = await openSite(browser, attackSite(FOREIGN_IMAGES), true)
  console.log(
    `images of other hosts: ${FOREIGN_IMAGES.length} pages, ${requests.length} requests, ${runs.length} executions`,
  )
  return failures + runs.length > 0 || requests.length > FOREIGN_IMAGES.length ? 1 : 0
}

function report(name: string, { opened, runs, requests, violations, unsafe }: Seen): number {
  console.log(
    `${name}: ${opened} addresses opened; ${runs.length} executions, ${requests.length} requests elsewhere, ${violations.length} stopped by the policy, ${unsafe.length} unsafe parts`,
  )
  const all = [...runs, ...requests, ...violations, ...unsafe]
  for (const line of all.slice(0, 40)) console.log(`  ${line}`)
  return all.length
}

async function openSite(browser: BrowserContext, files: Files, useHeaders: boolean): Promise<Seen> {
  using site = new TemporarySite(files)
  await site.build({ workersMax: 2 })
  const output = join(site.root, 'out')
  const { origin: url, close } = await serveFolder(output, { readsHeaders: useHeaders })
  const seen: Seen = { opened: 0, runs: [], requests: [], violations: [], unsafe: [] }
  const page = await browser.newPage()
  try {
    await watch(page, url, seen)
    for (const { path, leads } of addresses(output))
      await openPage(page, { url: `${url}/${path}`, leads, seen })
    if ('openapi.json' in files) await searchAll(page, { url, seen })
  } finally {
    await page.close()
    await close()
  }
  return seen
}

/** Returns every page, redirect and image that can be opened directly. */
function addresses(output: string): readonly Address[] {
  return readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:html|svg)$/.test(file))
    .map((file) => ({
      path: file.replace(/(?:^|\/)index\.html$/, ''),
      leads: readFileSync(join(output, file), 'utf8').includes('<meta http-equiv="refresh"'),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function watch(page: Page, origin: string, seen: Seen): Promise<void> {
  const at = () => page.url().slice(origin.length)
  await page.exposeBinding('pwned', () => void seen.runs.push(`ran on ${at()}`))
  await page.addInitScript(() => {
    const call = () => (globalThis as unknown as { pwned: () => void }).pwned()
    for (const name of ['alert', 'confirm', 'prompt', 'open']) {
      Object.defineProperty(globalThis, name, { value: call })
    }
  })
  page.on('dialog', (dialog) => {
    seen.runs.push(`dialog on ${at()}: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Refused to/.test(text)) {
      seen.violations.push(`${at()}: ${text.slice(0, 160)}`)
    }
  })
  page.on('popup', (popup) => seen.runs.push(`popup on ${at()}: ${popup.url()}`))
  await page.route('**/*', (route) => {
    const address = route.request().url()
    if (address.startsWith(`${origin}/`) || address.startsWith('data:')) return route.continue()
    seen.requests.push(`${at()} asked for ${address.slice(0, 120)}`)
    return route.abort()
  })
}

async function openPage(
  page: Page,
  { url, leads, seen }: { readonly url: string; readonly leads: boolean; readonly seen: Seen },
): Promise<void> {
  await page.goto(url, { waitUntil: 'commit', timeout: PAGE_TIME_MS_MAX })
  // A redirect must be followed first: if a page navigates away, a script that is evaluated in it
  // never returns.
  if (leads) await page.waitForURL((address) => address.href !== url, { timeout: PAGE_TIME_MS_MAX })
  await page.waitForLoadState('load', { timeout: PAGE_TIME_MS_MAX })
  if (url.endsWith('.svg')) {
    seen.opened += 1
    return
  }
  const unsafe = await provoke(page)
  seen.opened += 1
  seen.unsafe.push(...unsafe.map((what) => `${url.replace(/^http:\/\/[^/]+/, '')}: ${what}`))
}

/** Searches for several words, and tests the results in the same way as pages. */
async function searchAll(
  page: Page,
  { url, seen }: { readonly url: string; readonly seen: Seen },
): Promise<void> {
  for (const word of [SEARCHED_WORD, 'pwned', 'onerror', 'constructor', 'javascript', 'script']) {
    // The page is reloaded each time, because the test clicks every button, even the one that
    // closes the search. Ctrl+K is also a shortcut of Chromium, so the dialog is opened with a
    // click.
    await page.goto(url, { waitUntil: 'load', timeout: PAGE_TIME_MS_MAX })
    await page.locator('.oct-search').click()
    await page.locator('dialog[open] input').fill(word)
    await page.locator('a[role=option]').first().waitFor({ timeout: PAGE_TIME_MS_MAX })
    const count = await page.locator('a[role=option]').count()
    seen.unsafe.push(...(await provoke(page)).map((what) => `search for ${word}: ${what}`))
    console.log(`search for ${word}: ${count} results shown`)
  }
}

async function provoke(page: Page): Promise<readonly string[]> {
  const found = await withTimeout(page.evaluate<string[]>(PROVOKE), PAGE_TIME_MS_MAX)
  // Attacks in pages must not leave any style rules. Text that contains </style> may leave rules,
  // as long as they load nothing.
  return values.texts ? found.filter((what) => !/^<style>/.test(what) || LOADS.test(what)) : found
}
