/**
 * Opens every page in a browser, and checks it for accessibility, overflow and policy violations.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_SCREENS } from '../testing/all-screens.ts'
import { PROJECT_ID, ULIDS } from '../testing/sample-facts.ts'
import { OTHER_PAGES, type ServedDashboard, serveDashboard } from '../testing/serve-dashboard.ts'

const CHROMIUM = '/usr/bin/chromium'
const FOLDER = join(tmpdir(), 'octavo-dashboard-pictures')
const HOSTILE = '"><img src=x onerror=canary()><script>canary()</script>'
const PROJECT = `/projects/${PROJECT_ID}`

const PAGES: readonly (readonly [name: string, path: string])[] = [
  ...Object.entries(ALL_SCREENS),
  ...OTHER_PAGES.map((path) => [path.slice(2).replace('/', '-'), path] as const),
]

type Look = readonly ['light' | 'dark' | 'phone', number]

const LOOKS: readonly [Look, Look, Look] = [
  ['light', 1440],
  ['dark', 1440],
  ['phone', 390],
]

const FIND_OUTSIDE = readFileSync(new URL('../testing/find-outside.js', import.meta.url), 'utf8')

/** Dark pages differ from light ones only in their colors, so only the contrast is checked. */
const COLORS_ALONE = "axe.run({ runOnly: ['color-contrast'] })"

type Violation = {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

describe.skipIf(!existsSync(CHROMIUM))('the dashboard in a browser', () => {
  let browser: Browser
  let site: ServedDashboard
  let hostile: ServedDashboard

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true })
    site = await serveDashboard()
    hostile = await serveDashboard(HOSTILE)
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
    await hostile?.close()
  })

  async function openPage(look: Look): Promise<{ page: Page; faults: string[] }> {
    const [name, width] = look
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: name === 'dark' ? 'dark' : 'light',
      // The icon of a running build rotates, so its corners move and could appear to overflow.
      reducedMotion: 'reduce',
    })
    const faults: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    // The page reloads when its log ends. The sample build never finishes, so it would reload
    // forever.
    await page.route('**/log?*', (route) => route.abort())
    return { page, faults }
  }

  test.each(LOOKS)(
    'in %s at %i px, no page has accessibility violations or scrolls sideways',
    async (...look) => {
      const { page, faults } = await openPage(look)
      for (const [name, path] of PAGES) {
        await page.goto(`${site.url}${path}`)
        await page.screenshot({ path: join(FOLDER, `${name}-${look[0]}.png`), fullPage: true })
        const width = await page.evaluate<number>(
          'document.documentElement.scrollWidth - innerWidth',
        )
        if (width > 0) faults.push(`${name}: ${width} px wider than the window`)
        // The content security policy does not apply to axe, which the debugger injects.
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<{ violations: Violation[] }>(
          look[0] === 'dark' ? COLORS_ALONE : 'axe.run()',
        )
        for (const { id, nodes } of violations)
          faults.push(`${name}: ${id} ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary}`)
      }
      await page.close()
      expect(faults).toEqual([])
    },
  )

  test.each([1440, 1024, 390])(
    'at a width of %i px, no element is outside its container',
    async (width) => {
      const { page, faults } = await openPage(['light', width])
      for (const [name, path] of PAGES) {
        await page.goto(`${site.url}${path}`)
        for (const fault of await page.evaluate<string[]>(FIND_OUTSIDE))
          faults.push(`${name}: ${fault}`)
      }
      await page.close()
      expect(faults).toEqual([])
    },
  )

  test('hostile text in any field is never executed', async () => {
    const { page, faults } = await openPage(LOOKS[0])
    for (const [name, path] of PAGES) {
      await page.goto(`${hostile.url}${path}`)
      const images = await page.evaluate<number>('document.images.length')
      if (images > 0) faults.push(`${name}: ${images} pictures`)
    }
    await page.close()
    expect(faults).toEqual([])
  })

  test('a menu opens, and closes with Escape or a click elsewhere', async () => {
    const { page } = await openPage(LOOKS[0])
    await page.goto(`${site.url}${PROJECT}/keys`)
    const menu = page.locator('.menu.more').first()
    await menu.locator('summary').click()
    expect(await menu.getByText('Revoke…').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await menu.getByText('Revoke…').isVisible()).toBe(false)
    await menu.locator('summary').click()
    await page.locator('h1').click()
    expect(await menu.getByText('Revoke…').isVisible()).toBe(false)
    await page.close()
  })

  test('the next page keeps the chosen light or dark theme', async () => {
    const { page } = await openPage(LOOKS[0])
    await page.goto(`${site.url}${PROJECT}/keys`)
    await page.locator('[data-theme-switch]').click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.goto(`${site.url}/account`)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.close()
  })

  test('a copy button copies the text next to it (requirement C12)', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(`${site.url}${PROJECT}/keys`)
    await page.getByLabel('Copy the project ID').click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(PROJECT_ID)
    await context.close()
  })

  test('the log of a running build is streamed, and the page reloads when the log ends', async () => {
    const page = await browser.newPage()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.goto(`${site.url}${PROJECT}/builds/${ULIDS.build}`)
    await expect.poll(() => loads).toBeGreaterThan(1)
    await page.close()
  })

  test('menus, forms and the navigation work without JavaScript on a phone', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${site.url}${PROJECT}/keys`)
    await page.locator('.sections-button').click()
    expect(await page.locator('#sections').getByText('Audit log').isVisible()).toBe(true)
    await page.locator('#sections').getByText('Deployments').click()
    await expect.poll(() => page.url()).toContain('/deployments')
    expect(await page.locator('[data-copy]:visible').count()).toBe(0)
    await context.close()
  })
})
