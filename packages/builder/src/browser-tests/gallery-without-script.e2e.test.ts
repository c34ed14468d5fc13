/**
 * Opens the component gallery in a browser without JavaScript: all content must be readable, and
 * native HTML controls must work.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'
import type { Files } from '../../testing/temporary-site.ts'

const GALLERY = join(import.meta.dirname, '../../../../fixtures/sites/gallery')

describe.skipIf(!HAS_CHROMIUM)(
  `the gallery without JavaScript (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser
    let context: BrowserContext

    beforeAll(async () => {
      served = await ServedSite.start(readGallery())
      browser = await launchChromium()
      context = await browser.newContext({ javaScriptEnabled: false, baseURL: served.origin })
    })

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    async function open(path: string, width = 1280): Promise<Page> {
      const page = await context.newPage()
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path)
      return page
    }

    const isSeen = (page: Page, text: string) => page.getByText(text, { exact: true }).isVisible()

    test('no page shows a control that needs JavaScript', async () => {
      for (const path of pagePaths()) {
        const page = await open(path)
        const dead =
          'button:not([popovertarget]):visible, [data-oct]:is(button, [role=group]):visible'
        expect(await page.locator(dead).count(), path).toBe(0)
        expect(await page.locator('main h1').isVisible(), path).toBe(true)
        await page.close()
      }
    })

    test('tabs and code groups can be switched by mouse and keyboard', async () => {
      const page = await open('/tabs')
      expect(await isSeen(page, 'The second, shown first.')).toBe(true)
      await page.locator('label', { hasText: 'First' }).click()
      expect(await isSeen(page, 'The first.')).toBe(true)
      expect(await isSeen(page, 'The second, shown first.')).toBe(false)
      await page.keyboard.press('ArrowRight')
      expect(await isSeen(page, 'The second, shown first.')).toBe(true)
      await page.locator('.oct-code-group label', { hasText: 'main.py' }).click()
      expect(await page.getByText('answer = ask("everything")').isVisible()).toBe(true)
    })

    test('accordions open by keyboard, by mouse and by URL fragment', async () => {
      const page = await open('/folding')
      const text = 'Opens and closes without a script.'
      expect(await isSeen(page, text)).toBe(false)
      await page.locator('summary', { hasText: 'Alone' }).press('Enter')
      expect(await isSeen(page, text)).toBe(true)
      expect(await isSeen(page, 'The name.')).toBe(false)
      await page.locator('summary', { hasText: 'properties' }).first().click()
      expect(await isSeen(page, 'The name.')).toBe(true)
      const named = await open('/folding#long')
      await expect.poll(() => isSeen(named, 'Fine.')).toBe(true)
    })

    test('long code expands and collapses', async () => {
      const page = await open('/code')
      const block = page.locator('.oct-code:has(.oct-unfold)').first()
      const height = async () => (await block.boundingBox())?.height ?? 0
      const folded = await height()
      await block.locator('.oct-unfold').click()
      expect(await height()).toBeGreaterThan(folded)
      await page.keyboard.press('Space')
      expect(await height()).toBe(folded)
    })

    test('a tooltip is shown on hover and on focus', async () => {
      const page = await open('/inline')
      const [first, second] = [0, 1].map((index) => page.locator('.oct-tooltip').nth(index))
      const text = first?.locator('.oct-tooltip-text')
      await expect.poll(() => text?.isVisible()).toBe(false)
      await first?.hover()
      await expect.poll(() => text?.isVisible()).toBe(true)
      await second?.locator('.oct-term').focus()
      const link = page.getByRole('link', { name: 'Read about routes' })
      await expect.poll(() => link.isVisible()).toBe(true)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).pathname).toBe('/text')
    })

    test('the language menu opens, switches the language and closes on Escape', async () => {
      const page = await open('/text')
      await page.getByRole('button', { name: 'English' }).click()
      const link = page.getByRole('link', { name: 'العربية' })
      await link.waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => link.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'English' }).press('Enter')
      await link.click()
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
    })

    test('the sidebar and the table of contents are behind buttons on a phone', async () => {
      const page = await open('/code', 360)
      const sidebar = page.locator('.oct-sidebar')
      expect(await sidebar.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await sidebar.getByRole('link', { name: 'Callouts' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/callouts')
      await page.getByRole('button', { name: 'On this page' }).click()
      await page.locator('.oct-contents').getByRole('link', { name: 'With titles' }).click()
      await expect.poll(() => new URL(page.url()).hash).toBe('#with-titles')
    })

    test('all views and all changelog entries are visible without JavaScript', async () => {
      const views = await open('/views')
      const shown = await views.locator('.oct-view:visible').count()
      expect(shown).toBe(await views.locator('.oct-view').count())
      const changelog = await open('/changelog')
      const entries = await changelog.locator('.oct-update:visible').count()
      expect(entries).toBe(await changelog.locator('.oct-update').count())
    })
  },
)

function readGallery(): Files {
  const files = readdirSync(GALLERY, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:mdx|json|svg)$/.test(file) && !file.startsWith('expected'))
    .map((file) => [file, readFileSync(join(GALLERY, file), 'utf8')] as const)
  return Object.fromEntries(files)
}

function pagePaths(): readonly string[] {
  return Object.keys(readGallery())
    .filter((file) => file.endsWith('.mdx'))
    .map((file) => `/${file.replace(/(?:^|(?<!ar\/))index\.mdx$|\.mdx$/, '')}`)
}
