/**
 * Checks that a reader with only a keyboard can open the site, search, read, and switch version and
 * language.
 */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHROMIUM, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { NAVIGATION_SITE } from '../../testing/navigation-site.ts'
import { ServedSite } from '../../testing/served-site.ts'

/** Maximum number of Tab stops before a control; more would be too many for a reader. */
const STOPS_MAX = 30

describe.skipIf(!HAS_CHROMIUM)(
  `a keyboard-only reader (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    test('a reader can open, search, read, and switch version and language by keyboard', async () => {
      await using served = await ServedSite.start(NAVIGATION_SITE)
      await using browser = await launchChromium()
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      const path = () => new URL(page.url()).pathname
      await page.goto(served.origin)

      await tabTo(page, '.oct-search')
      await page.keyboard.press('Enter')
      await page.locator('dialog input:focus').waitFor()
      await page.keyboard.type('instal', { delay: 20 })
      await page.locator('a[role=option]').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/install')
      expect(await page.locator('h1').textContent()).toBe('Install')

      // The first Tab stop is a link to the text; afterwards the keyboard scrolls the text.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('PageDown')
      await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(200)
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)

      // From the text, Shift+Tab is the shorter way; after a page load, the focus starts at the
      // top.
      await choose(page, { menu: '.oct-menu-version', label: '1.0', key: 'Shift+Tab' })
      expect(path()).toBe('/v1/install')
      await choose(page, { menu: '.oct-menu-language', label: 'Deutsch', key: 'Tab' })
      expect(path()).toBe('/de/install')
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
    })

    async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
      for (let stop = 0; stop < STOPS_MAX; stop += 1) {
        await page.keyboard.press(key)
        if ((await page.locator(`${selector}:focus`).count()) > 0) return
      }
      throw new Error(`${selector} is not reached within ${STOPS_MAX} stops.`)
    }

    /** Opens a menu, moves to an entry, and follows it. */
    async function choose(
      page: Page,
      { menu, label, key }: { readonly menu: string; readonly label: string; readonly key: string },
    ): Promise<void> {
      await tabTo(page, `${menu} > button`, key)
      await page.keyboard.press('Enter')
      await page.locator(`${menu} :popover-open`).waitFor()
      const focused = page.locator(`${menu} a:focus`)
      await expect
        .poll(async () => {
          await page.keyboard.press('ArrowDown')
          return (await focused.count()) === 0 ? '' : focused.textContent()
        })
        .toContain(label)
      const loaded = page.waitForEvent('load')
      await page.keyboard.press('Enter')
      await loaded
    }
  },
)
