/** Checks the page scripts in a browser, with the content security policy of the built site. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { SCRIPT_SITE } from '../../testing/script-site.ts'
import { ServedSite } from '../../testing/served-site.ts'

/** Adds up the layout shifts that were not caused by input. */
const WATCH_SHIFTS = `self.shifts = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) self.shifts += entry.value
}).observe({ type: 'layout-shift', buffered: true })`

describe.skipIf(!HAS_CHROMIUM)(
  `page scripts in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser
    /** Policy violations; requests to other hosts are in the second list. */
    const refused: string[] = []
    const foreignRequests: string[] = []

    beforeAll(async () => {
      served = await ServedSite.start(SCRIPT_SITE)
      browser = await launchChromium()
    })

    afterEach(() => closePages(browser))

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    type Reader = Parameters<Browser['newContext']>[0]

    async function newReader(options: Reader = {}): Promise<BrowserContext> {
      const permissions = ['clipboard-read', 'clipboard-write']
      const context = await browser.newContext({ permissions, baseURL: served.origin, ...options })
      await context.addInitScript(WATCH_SHIFTS)
      context.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      context.on('request', (request) => {
        if (new URL(request.url()).origin !== served.origin) foreignRequests.push(request.url())
      })
      return context
    }

    async function open(path: string, options: Reader = {}): Promise<Page> {
      const context = await newReader(options)
      return openIn(context, path)
    }

    async function openIn(context: BrowserContext, path: string): Promise<Page> {
      const page = await context.newPage()
      await page.goto(path, { waitUntil: 'networkidle' })
      return page
    }

    const shifts = (page: Page) => page.evaluate('self.shifts') as Promise<number>
    const theme = (page: Page) =>
      page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    const install = (page: Page) => page.locator('.oct-tabs').first()

    describe('copying of code', () => {
      test('a click copies code without removed lines and confirms it', async () => {
        const page = await open('/')
        const button = page.locator('figure:has-text("const two") .oct-copy')
        await button.click()
        await expect.poll(() => button.getAttribute('data-done')).toBe('')
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('const two = 2')
        await expect.poll(() => page.locator('#oct-status').textContent()).toBe('Copied')
        await expect.poll(() => button.getAttribute('data-done'), { timeout: 5_000 }).toBe(null)
      })

      test('the keyboard copies code', async () => {
        const page = await open('/')
        await page.locator('figure:has-text("const two") .oct-copy').focus()
        await page.keyboard.press('Enter')
        await expect.poll(() => page.locator('#oct-status').textContent()).toBe('Copied')
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe('const two = 2')
      })
    })

    describe('light and dark mode', () => {
      test('the chosen mode applies to the next page from its first paint', async () => {
        const context = await newReader({ colorScheme: 'light' })
        const page = await openIn(context, '/')
        await page.locator('.oct-theme').press('Enter')
        expect(await theme(page)).toBe('dark')
        const next = await context.newPage()
        // All external scripts are blocked, so only the inline script in the head can set the mode.
        await next.route('**/*.js', (route) => route.abort())
        await next.goto('/second', { waitUntil: 'commit' })
        await expect.poll(() => theme(next)).toBe('dark')
      })

      test("choosing the system's mode makes the page follow the system again", async () => {
        const page = await open('/', { colorScheme: 'light' })
        await page.locator('.oct-theme').click()
        await page.locator('.oct-theme').click()
        expect(await page.evaluate('localStorage.getItem("octavo-theme")')).toBe(null)
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('')
      })
    })

    test('a site with a fixed mode has no mode switch and ignores an earlier choice', async () => {
      const docs = JSON.parse(SCRIPT_SITE['docs.json'] ?? '')
      const appearance = { default: 'light', strict: true }
      const files = { ...SCRIPT_SITE, 'docs.json': JSON.stringify({ ...docs, appearance }) }
      await using fixed = await ServedSite.start(files)
      const page = await (await browser.newContext({ colorScheme: 'dark' })).newPage()
      await page.addInitScript("localStorage.setItem('octavo-theme', 'dark')")
      await page.goto(`${fixed.origin}/plain`)
      expect(await theme(page)).toBe('light')
      expect(await page.locator('[data-oct=theme]').count()).toBe(0)
    })

    // Requirement LG2.
    test('a dismissed banner does not appear on later pages, and causes no layout shift', async () => {
      const context = await newReader()
      const page = await openIn(context, '/')
      await page.locator('.oct-dismiss').press('Enter')
      // The script that dismisses the banner is loaded only at the first click.
      await expect.poll(() => page.locator('.oct-banner').count()).toBe(0)
      const next = await openIn(context, '/second')
      expect(await next.locator('.oct-banner').count()).toBe(0)
      expect(await shifts(next)).toBe(0)
    })

    describe('tabs', () => {
      test('tabs have the ARIA roles that assistive technology needs', async () => {
        const page = await open('/')
        const tab = page.getByRole('tab', { name: 'npm', exact: true, selected: true }).first()
        await tab.waitFor()
        const panel = page.locator(`#${await tab.getAttribute('aria-controls')}`)
        expect(await panel.getAttribute('role')).toBe('tabpanel')
        expect(await panel.getAttribute('aria-labelledby')).toBe(await tab.getAttribute('id'))
        expect(await page.locator('.oct-tabs input').count()).toBe(0)
      })

      test('arrow keys, Home and End move between tabs, and arrow keys wrap around', async () => {
        const page = await open('/')
        const chosen = () =>
          page.locator('.oct-tabs').first().locator('[aria-selected=true]').textContent()
        await install(page).getByRole('tab', { name: 'npm', exact: true }).focus()
        for (const [key, title] of [
          ['ArrowRight', 'yarn'],
          ['ArrowLeft', 'npm'],
          ['ArrowLeft', 'pnpm'],
          ['Home', 'npm'],
          ['End', 'pnpm'],
        ] as const) {
          await page.keyboard.press(key)
          expect(await chosen()).toBe(title)
          expect(await page.evaluate('document.activeElement?.textContent')).toBe(title)
        }
      })

      test('arrow keys are reversed in right-to-left text', async () => {
        const page = await open('/')
        await page.evaluate('document.documentElement.dir = "rtl"')
        await install(page).getByRole('tab', { name: 'npm', exact: true }).focus()
        await page.keyboard.press('ArrowLeft')
        expect(await install(page).locator('[aria-selected=true]').textContent()).toBe('yarn')
      })

      test('a click selects all tabs with the same title, and the clicked tab does not move', async () => {
        const page = await open('/')
        const group = page.locator('.oct-code-group').first()
        const tab = group.getByRole('tab', { name: 'yarn' })
        await tab.scrollIntoViewIfNeeded()
        const before = await tab.boundingBox()
        await tab.click()
        expect(await install(page).locator('[aria-selected=true]').textContent()).toBe('yarn')
        expect((await tab.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
      })

      test('tabs with `sync={false}` ignore other tabs, and start at `defaultTabIndex`', async () => {
        const page = await open('/')
        await install(page).getByRole('tab', { name: 'pnpm' }).click()
        await install(page).getByRole('tab', { name: 'npm', exact: true }).click()
        expect(await page.getByText('Alone two.').isVisible()).toBe(true)
        expect(await page.getByText('Alone one.').isVisible()).toBe(false)
      })

      test('selected tabs are restored on the next page without a layout shift', async () => {
        const context = await newReader()
        const page = await openIn(context, '/')
        await install(page).getByRole('tab', { name: 'yarn' }).click()
        const next = await openIn(context, '/second')
        await next.getByRole('tab', { name: 'yarn', selected: true }).waitFor()
        expect(await next.locator('.oct-tab-select').inputValue()).toBe('yarn')
        expect(await next.getByText('yarn publish').isVisible()).toBe(true)
        expect(await shifts(next)).toBe(0)
      })

      test('a menu of code languages selects a language in the same way as tabs do', async () => {
        const page = await open('/second')
        const menu = page.getByRole('combobox', { name: 'Code language' })
        await menu.focus()
        await page.keyboard.press('ArrowDown')
        await expect.poll(() => page.getByText('yarn publish').isVisible()).toBe(true)
        expect(await install(page).locator('[aria-selected=true]').textContent()).toBe('yarn')
      })

      test('a URL fragment opens the tab that it names or that contains its heading', async () => {
        for (const [path, text] of [
          ['/#pnpm', 'Install it with pnpm.'],
          ['/#inside-yarn', 'Install it with yarn'],
          ['/#inside-the-accordion', 'Hidden at first.'],
        ] as const) {
          const page = await open(path)
          await expect.poll(() => page.getByText(text).isVisible(), { message: path }).toBe(true)
          await expect.poll(() => page.locator(':target').isVisible()).toBe(true)
          await expect.poll(() => isInView(page, ':target'), { message: path }).toBe(true)
        }
      })

      test("a fragment in another tool's spelling finds its heading, and an unknown fragment is ignored", async () => {
        const page = await open('/#Inside--the:accordion')
        await expect.poll(() => new URL(page.url()).hash).toBe('#inside-the-accordion')
        await expect.poll(() => isInView(page, ':target')).toBe(true)
        const nowhere = await open('/#%E0%A4%A-no-such-part')
        expect(await nowhere.evaluate('scrollY')).toBe(0)
      })

      test('a link to a heading in a closed tab opens the tab each time it is followed', async () => {
        const page = await open('/')
        const link = page.locator('.oct-contents a[href="#inside-yarn"]')
        for (const _ of [1, 2]) {
          await link.click()
          await expect.poll(() => isInView(page, '#inside-yarn')).toBe(true)
          await install(page).getByRole('tab', { name: 'npm', exact: true }).click()
        }
      })
    })

    test('the current entry in the table of contents follows the scroll position', async () => {
      const page = await open('/')
      const current = page.locator('.oct-contents [aria-current]')
      await expect.poll(() => current.textContent()).toBe('Code')
      await page.locator('#closed').evaluate((heading) => heading.scrollIntoView())
      await expect.poll(() => current.textContent()).toBe('Closed')
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await expect.poll(() => current.textContent()).toBe('End')
      await page.evaluate('scrollTo(0, 0)')
      await expect.poll(() => current.textContent()).toBe('Code')
      expect(await current.count()).toBe(1)
    })

    test('an image opens by click and keyboard, closes on Escape and restores the focus', async () => {
      const page = await open('/')
      const picture = page.getByRole('button', { name: 'Enlarge image A circle' })
      await picture.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'A circle' })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => dialog.count()).toBe(0)
      expect(await page.evaluate('document.activeElement?.tagName')).toBe('IMG')
      await picture.click()
      await dialog.waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => dialog.count()).toBe(0)
    })

    test('diagrams are drawn in light and dark mode, and an invalid diagram is shown as source', async () => {
      const page = await open('/diagrams', { colorScheme: 'light' })
      await expect.poll(() => page.locator('.oct-drawing svg').count()).toBe(2)
      // The build draws the flowchart, and the script draws the sequence.
      const fills = () =>
        Promise.all(
          ['.oct-drawing svg rect:not([fill*=page])', '.oct-drawing svg .actor'].map((selector) =>
            page
              .locator(selector)
              .first()
              .evaluate((one) => one.ownerDocument.defaultView.getComputedStyle(one).fill),
          ),
        )
      const light = await fills()
      const buttons = page.getByRole('button', { name: 'Enlarge image' })
      expect(await buttons.count()).toBe(2)
      for (const button of await buttons.all()) {
        await button.press('Enter')
        await page.locator('.oct-zoom svg').waitFor()
        await page.keyboard.press('Escape')
      }
      await page.locator('.oct-theme').click()
      for (const [index, fill] of light.entries())
        await expect.poll(async () => (await fills())[index]).not.toBe(fill)
      expect(await page.getByText('this is no diagram').isVisible()).toBe(true)
      expect(await page.getByText('sequenceDiagram').first().isVisible()).toBe(false)
    })

    test('code in a hostile diagram is neither run nor loaded, even without a policy', async () => {
      await using plain = await ServedSite.start(SCRIPT_SITE, { readsHeaders: false })
      const page = await (await browser.newContext()).newPage()
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      await page.goto(`${plain.origin}/hostile`)
      await expect.poll(() => page.locator('.oct-drawing svg').count()).toBe(2)
      for (const node of await page.locator('.oct-drawing .node').all()) await node.click()
      expect(await page.evaluate('document.body.dataset.pwned')).toBe(undefined)
      expect(await page.locator('.oct-drawing :is(img, script, a[href^=javascript])').count()).toBe(
        0,
      )
      expect(requested).not.toContain('/x')
    })

    test('changelog entries are filtered by tag', async () => {
      const page = await open('/changelog')
      const shown = () => page.locator('.oct-update:visible .oct-update-label').allInnerTexts()
      const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
      await press('Fixes')
      expect(await shown()).toEqual(['May'])
      await press('API')
      expect(await shown()).toEqual(['May', 'April'])
      await press('API')
      await press('Fixes')
      expect(await shown()).toEqual(['May', 'April', 'March'])
    })

    test('only one view is shown at a time, and the choice is kept without a layout shift', async () => {
      const context = await newReader()
      const page = await openIn(context, '/views')
      expect(await page.getByText('Python text.').isVisible()).toBe(false)
      expect(await shifts(page)).toBe(0)
      await page.getByRole('button', { name: 'Python' }).press('Enter')
      expect(await page.getByText('Python text.').isVisible()).toBe(true)
      expect(await page.locator('#in-javascript').isVisible()).toBe(false)
      const next = await openIn(context, '/views')
      await expect.poll(() => next.getByText('Python text.').isVisible()).toBe(true)
      expect(await shifts(next)).toBe(0)
      const named = await openIn(context, '/views#in-javascript')
      await expect.poll(() => named.locator('#in-javascript').isVisible()).toBe(true)
    })

    test('controls that need JavaScript are hidden without it, and tabs and fragments still work', async () => {
      const page = await open('/', { javaScriptEnabled: false })
      expect(await page.locator('[data-oct]:is(button, [role=group]):visible').count()).toBe(0)
      await page.locator('.oct-tabs').first().locator('label', { hasText: 'yarn' }).click()
      expect(await page.getByText('Install it with yarn').isVisible()).toBe(true)
      expect(await page.getByText('Install it with npm').isVisible()).toBe(false)
      await page.keyboard.press('ArrowRight')
      expect(await page.getByText('Install it with pnpm').isVisible()).toBe(true)
      await page.goto('/#inside-yarn')
      expect(await page.locator('#inside-yarn').isVisible()).toBe(true)
      const diagrams = await open('/diagrams', { javaScriptEnabled: false })
      expect(await diagrams.locator('svg text', { hasText: 'Publish' }).isVisible()).toBe(true)
      expect(await diagrams.getByText('sequenceDiagram').isVisible()).toBe(true)
      const views = await open('/views', { javaScriptEnabled: false })
      expect(await views.getByText('Python text.').isVisible()).toBe(true)
    })

    test('a plain page loads only the site and host scripts, and no page has layout shifts', async () => {
      const context = await newReader()
      const page = await context.newPage()
      const scripts: string[] = []
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
      })
      await page.goto('/plain', { waitUntil: 'networkidle' })
      expect(scripts.toSorted()).toEqual([
        '/_octavo/host.js',
        expect.stringMatching(/^\/_octavo\/scripts\/site-\w+\.js$/),
      ])
      for (const path of ['/plain', '/', '/second', '/changelog', '/views'])
        expect(await shifts(await openIn(context, path)), path).toBe(0)
    })

    test('page scripts work on a host that ignores `_headers`', async () => {
      await using plain = await ServedSite.start(SCRIPT_SITE, { readsHeaders: false })
      const page = await open(`${plain.origin}/`, { colorScheme: 'light' })
      foreignRequests.length = 0
      await page.locator('.oct-theme').click()
      expect(await theme(page)).toBe('dark')
      await page.getByRole('tab', { name: 'yarn' }).first().click()
      expect(await page.getByText('Install it with yarn').isVisible()).toBe(true)
    })

    test('the content security policy blocked nothing, and every request went to the site', () => {
      expect(refused).toEqual([])
      expect(foreignRequests).toEqual([])
    })
  },
)

async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox()
  const { height } = page.viewportSize() ?? { height: 0 }
  return box !== null && box.y >= 0 && box.y + Math.min(box.height, 100) <= height
}
