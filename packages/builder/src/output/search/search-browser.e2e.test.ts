/** Checks the search dialog in a browser, on a built site that a static server serves. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../../testing/chromium.ts'
import { ServedSite } from '../../../testing/served-site.ts'
import type { Files } from '../../../testing/temporary-site.ts'

const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`

const HERBS = Array.from({ length: 8 }, (_, index) => `herbs/${index + 1}`)

const SITE: Files = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    navigation: {
      languages: [
        {
          language: 'en',
          groups: [
            { group: 'Start', pages: ['index', 'roses'] },
            { group: 'More', pages: ['ferns'] },
            { group: 'Herbs', pages: HERBS },
          ],
        },
        { language: 'ja', groups: [{ group: '庭', pages: ['ja/index'] }] },
        { language: 'ar', groups: [{ group: 'حديقة', pages: ['ar/index', 'ar/thai'] }] },
      ],
    },
  }),
  'index.mdx': page('Welcome', 'All about <b>gardens</b>.'),
  'roses.mdx': page(
    'Roses',
    'They have thorns.\n\n## Pruning in winter\n\nCut above a bud. Wear `gardenGloves`.\n\n## Watering\n\nIn the morning.',
  ),
  'ferns.mdx': page(
    'Ferns',
    'They like shade.\n\n## Watering ferns\n\nOften. `<img src=x onerror=alert(1)>`',
  ),
  ...Object.fromEntries(HERBS.map((path) => [`${path}.mdx`, page(`Herb ${path}`, 'Sage.')])),
  'ja/index.mdx': page('庭の手入れ', '## 剪定\n\n冬にバラを剪定します。全文検索のテスト。'),
  'ar/index.mdx': page('الحديقة', '## التقليم\n\nتقليم الورود في الشتاء.'),
  'ar/thai.mdx': page('ไทย', '## การตัดแต่ง\n\nตัดแต่งกุหลาบในฤดูหนาว'),
}

describe.skipIf(!HAS_CHROMIUM)(
  `search in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser
    const refused: string[] = []

    beforeAll(async () => {
      served = await ServedSite.start(SITE)
      browser = await launchChromium()
    })

    afterEach(() => closePages(browser))

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    async function open(path: string, context?: BrowserContext): Promise<Page> {
      const own = context ?? (await browser.newContext({ baseURL: served.origin }))
      const tab = await own.newPage()
      tab.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      tab.on('pageerror', (error) => refused.push(error.message))
      await tab.goto(path)
      return tab
    }

    async function ask(tab: Page, query: string): Promise<readonly string[]> {
      await tab.keyboard.press('Control+k')
      await tab.locator('dialog[open] input').fill(query)
      await tab.locator('a[role=option]').first().waitFor()
      return tab.locator('a[role=option] .oct-found-name').allTextContents()
    }

    test('one search finds pages with different access labels', async () => {
      const labelled = (title: string, line: string) =>
        `---\ntitle: ${title}\n${line}\n---\n\nAll about compost.\n`
      await using other = await ServedSite.start({
        'docs.json': JSON.stringify({
          name: 'Garden',
          navigation: { pages: ['index', 'open', 'staff'] },
        }),
        'index.mdx': labelled('Plain', ''),
        'open.mdx': labelled('Open', 'public: true'),
        'staff.mdx': labelled('Staff', 'groups: [staff]'),
      })
      const tab = await open('/', await browser.newContext({ baseURL: other.origin }))
      const found = await ask(tab, 'compost')
      expect(found.toSorted()).toEqual(['Open', 'Plain', 'Staff'])
      expect(refused).toEqual([])
    })

    test('no search file is loaded before the search dialog opens', async () => {
      const context = await browser.newContext({ baseURL: served.origin })
      const urls: string[] = []
      context.on('request', (request) => urls.push(request.url()))
      const tab = await open('/', context)
      await tab.waitForLoadState('networkidle')
      expect(urls.filter((url) => url.includes('search'))).toEqual([])
      await ask(tab, 'roses')
      expect(urls.filter((url) => url.includes('/_octavo/search/'))).toEqual([
        `${served.origin}/_octavo/search/en.bin`,
      ])
    })

    test.each(['Control+k', 'Meta+k', '/'])(
      '%s opens the search dialog and Escape closes it',
      async (keys) => {
        const tab = await open('/')
        await tab.locator('.oct-search').focus()
        await tab.keyboard.press(keys)
        await tab.locator('dialog[open] input:focus').waitFor()
        await tab.keyboard.press('Escape')
        expect(await tab.locator('dialog[open]').count()).toBe(0)
        expect(await tab.locator('.oct-search:focus').count()).toBe(1)
      },
    )

    test('after Escape, the search button has the focus if no other element had it before', async () => {
      const tab = await open('/')
      await tab.keyboard.press('Control+k')
      await tab.locator('dialog[open] input:focus').waitFor()
      await tab.keyboard.press('Escape')
      await tab.locator('.oct-search:focus').waitFor()
    })

    test('a click on the search button opens the dialog, and a click outside closes it', async () => {
      const tab = await open('/')
      await tab.locator('.oct-search').click()
      await tab.locator('dialog[open]').waitFor()
      await tab.mouse.click(5, 400)
      expect(await tab.locator('dialog[open]').count()).toBe(0)
    })

    test('the best section is selected below its page, the keyboard selects and opens others, and the query is remembered', async () => {
      const tab = await open('/')
      const names = await ask(tab, 'watering')
      expect(names).toEqual(['Roses', 'Watering', 'Ferns', 'Watering ferns'])
      const field = tab.locator('dialog input')
      const active = () => field.getAttribute('aria-activedescendant')
      expect(await active()).toBe('oct-option-1')
      await tab.keyboard.press('ArrowUp')
      expect(await active()).toBe('oct-option-0')
      await tab.keyboard.press('ArrowUp')
      expect(await active()).toBe('oct-option-3')
      await tab.keyboard.press('ArrowDown')
      expect(await active()).toBe('oct-option-0')
      await tab.keyboard.press('ArrowUp')
      expect(await tab.locator('[aria-selected=true]').getAttribute('id')).toBe('oct-option-3')
      await tab.keyboard.press('Enter')
      await tab.waitForURL('**/ferns#watering-ferns')

      await tab.keyboard.press('Control+k')
      await tab.locator('[data-kind=recent]').waitFor()
      expect(await tab.locator('[role=option]').allTextContents()).toEqual(['watering'])
      // The page may still be loading, and keys only work once the field has the focus.
      await tab.locator('dialog input:focus').waitFor()
      await tab.keyboard.press('ArrowDown')
      await expect.poll(active).toBe('oct-option-0')
      await tab.keyboard.press('Enter')
      await tab.locator('a[role=option]').first().waitFor()
      expect(await field.inputValue()).toBe('watering')
      await tab.keyboard.press('Escape')
      expect(await tab.locator('dialog[open]').count()).toBe(0)
      await tab.keyboard.press('Control+k')
      await field.fill('')
      await tab.locator('.oct-found-head button').click()
      expect(await tab.locator('[role=option]').count()).toBe(0)
      expect(await tab.locator('.oct-search-message').textContent()).toContain('Type to search')
    })

    test('the texts of four results load while typing, and the others after a pause or on navigation', async () => {
      const tab = await open('/')
      const texts: string[] = []
      tab.on('request', (request) => {
        if (request.url().includes('/search-data/pages/')) texts.push(request.url())
      })
      await tab.clock.install()
      await tab.keyboard.press('Control+k')
      await tab.locator('dialog[open] input').fill('sage')
      await tab.clock.runFor(200)
      const shown = async () => {
        await tab.clock.runFor(1)
        return tab.locator('a[role=option]').count()
      }
      await expect.poll(shown).toBe(4)
      expect(texts).toHaveLength(4)
      await tab.clock.runFor(1_000)
      await expect.poll(shown).toBe(8)

      await tab.locator('dialog input').fill('herb')
      await tab.clock.runFor(200)
      await expect.poll(shown).toBe(4)
      await tab.keyboard.press('ArrowDown')
      await expect.poll(shown).toBe(8)
      expect(await tab.locator('[aria-selected=true]').getAttribute('id')).toBe('oct-option-1')
      expect(texts).toHaveLength(8)
    })

    test('search results show marked words and breadcrumbs, and typos are tolerated', async () => {
      const tab = await open('/')
      expect(await ask(tab, 'prunning wintr')).toEqual(['Roses', 'Pruning in winter'])
      const marks = await tab.locator('a[role=option] mark').allTextContents()
      expect(marks).toEqual(['Pruning', 'winter'])
      expect(await tab.locator('.oct-crumb').allTextContents()).toEqual(['Start'])
    })

    test('page text in search results is never rendered as markup', async () => {
      const tab = await open('/')
      await ask(tab, 'onerror')
      expect(await tab.locator('dialog img').count()).toBe(0)
      expect(await tab.locator('.oct-found-text').first().textContent()).toContain('<img src=x')
    })

    test('the search dialog shows a message if there are no results', async () => {
      const tab = await open('/')
      await tab.keyboard.press('/')
      await tab.locator('dialog[open] input').fill('zzzzz <b>')
      await tab.getByText('No results for “zzzzz <b>”.').waitFor()
      expect(await tab.locator('[role=option]').count()).toBe(0)
    })

    test.each([
      ['/ja', '検索', '剪定'],
      ['/ja', 'バラ', '剪定'],
      ['/ar', 'ورود', 'التقليم'],
      ['/ar', 'กุหลาบ', 'การตัดแต่ง'],
    ])('a search on the page %s for %s finds the section %s', async (path, query, name) => {
      const tab = await open(path)
      expect(await ask(tab, query)).toContain(name)
      expect(await tab.locator('a[role=option] mark').count()).toBeGreaterThan(0)
    })

    test('search works offline with files that are already loaded, and reports a file that fails to load', async () => {
      const context = await browser.newContext({ baseURL: served.origin })
      const tab = await open('/', context)
      await ask(tab, 'watering')
      await context.setOffline(true)
      await tab.locator('dialog input').fill('waterin')
      await tab.waitForTimeout(300)
      expect(await tab.locator('a[role=option]').count()).toBe(4)
      await context.setOffline(false)

      const other = await open('/')
      await other.route('**/_octavo/search/**', (route) => route.abort())
      await other.keyboard.press('Control+k')
      await other.getByText('Search could not be loaded.').waitFor()
      await other.unroute('**/_octavo/search/**')
      await other.getByText('Try again').click()
      await other.locator('dialog input').fill('roses')
      await other.locator('a[role=option]').first().waitFor()
    })

    test('a page that is already open searches the files of a new build', async () => {
      const tab = await open('/')
      await ask(tab, 'roses')
      served.site.write({ 'ferns.mdx': page('Ferns', '## Shade\n\nMoss and stones.') })
      await served.site.build()
      await tab.locator('dialog input').fill('moss')
      await tab.waitForTimeout(400)
      await tab.locator('dialog input').fill('shade')
      await tab.locator('a[role=option]').first().waitFor()
      expect(refused).toEqual([])
    })

    test('the search dialog loads the new index if the site is published while the dialog opens', async () => {
      const old = Buffer.from(
        await (await fetch(`${served.origin}/_octavo/search/en.bin`)).arrayBuffer(),
      )
      served.site.write({ 'ferns.mdx': page('Ferns', '## Light\n\nLichen on stones.') })
      await served.site.build()
      const tab = await open('/')
      await tab.route('**/_octavo/search/**', (route) => route.fulfill({ body: old }), { times: 1 })
      expect(await ask(tab, 'lichen')).toEqual(['Ferns', 'Light'])
      expect(await tab.getByText('Search could not be loaded.').count()).toBe(0)
      expect(await tab.locator('.oct-search-keys span').count()).toBeGreaterThan(0)
    })

    test('the search button is hidden without JavaScript', async () => {
      const context = await browser.newContext({ baseURL: served.origin, javaScriptEnabled: false })
      const tab = await open('/', context)
      expect(await tab.locator('.oct-search').isVisible()).toBe(false)
    })
  },
)
