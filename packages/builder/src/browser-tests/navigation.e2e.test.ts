/** Checks navigation rules 4 to 8 and the table of states in a browser. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkNavigation } from '../../testing/check-navigation.ts'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { NAVIGATION_DOCS, NAVIGATION_SITE } from '../../testing/navigation-site.ts'
import { ServedSite } from '../../testing/served-site.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true }

describe.skipIf(!HAS_CHROMIUM)(
  `the navigation in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser
    const refused: string[] = []

    beforeAll(async () => {
      served = await ServedSite.start(NAVIGATION_SITE)
      browser = await launchChromium()
    }, 60_000)

    afterEach(() => closePages(browser))

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    type Reader = Parameters<Browser['newContext']>[0]

    async function newReader(options: Reader = {}): Promise<BrowserContext> {
      const context = await browser.newContext({
        baseURL: served.origin,
        reducedMotion: 'reduce',
        ...options,
      })
      context.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      return context
    }

    async function open(path: string, options: Reader = {}): Promise<Page> {
      const page = await (await newReader(options)).newPage()
      await page.goto(path)
      return page
    }

    /** Returns the visible text of a part of the page, without collapsed elements. */
    const seen = (page: Page, selector: string) =>
      page.locator(`${selector}:visible`).allInnerTexts()
    const path = (page: Page) => new URL(page.url()).pathname
    const sidebar = (page: Page) => page.locator('#oct-sidebar')
    const group = (page: Page, name: string) =>
      sidebar(page)
        .locator('details', { has: page.locator(`summary:has-text("${name}")`) })
        .last()
    const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()')

    // Requirements R4, D-1, D-2, D-3.
    describe('navigation rule 4: `directory` is inherited unless overridden', () => {
      test('a group inherits `directory` from its tab', async () => {
        const page = await open('/cards/root')
        expect(await page.locator('article .oct-directory-card').count()).toBe(1)
        expect(await seen(page, '.oct-directory-card a')).toContainEqual(
          expect.stringContaining('Page cards/one'),
        )
      })

      test('a group overrides the inherited `directory`, or disables it', async () => {
        const list = await open('/rooted/root')
        expect(await list.locator('article .oct-directory-accordion').count()).toBe(1)
        const none = await open('/cards/plain')
        expect(await none.locator('article [class*=oct-directory]').count()).toBe(0)
      })
    })

    test.each([
      [1280, { isSidebarShown: true, isMenuShown: false }],
      [1100, { isSidebarShown: true, isMenuShown: false }],
      [800, { isSidebarShown: false, isMenuShown: true }],
    ])(
      'at a width of %i px, either the sidebar or the menu button is shown',
      async (width, expected) => {
        const page = await open('/', { viewport: { width, height: 700 } })
        expect({
          isSidebarShown: await sidebar(page).isVisible(),
          isMenuShown: await page.locator('.oct-menu-button').isVisible(),
        }).toEqual(expected)
      },
    )

    // Requirement R5.
    test('navigation rule 5: only root pages of groups show a directory', async () => {
      for (const address of ['/', '/cards/one', '/closed/one']) {
        const page = await open(address)
        expect(await page.locator('article [class*=oct-directory]').count(), address).toBe(0)
      }
    })

    describe('navigation rule 6', () => {
      // Requirements R6a, R6b.
      test('tabs are in a bar at the top, and each has its own sidebar', async () => {
        const page = await open('/')
        const tabs = ['Guides', 'Learn', 'Parts', 'Drops', 'Products', 'Status']
        expect(await seen(page, '.oct-tabbar > ul > li > a')).toEqual(tabs)
        await page.locator('.oct-tabbar').getByRole('link', { name: 'Parts' }).click()
        expect(path(page)).toBe('/cloud/one')
        expect(await page.locator('.oct-tabbar [aria-current]').textContent()).toBe('Parts')
        expect(await sidebar(page).getByText('Install').count()).toBe(0)
      })

      // Requirements N13, N17.
      test('a tab with a menu lists its items with descriptions, and its link opens the first item', async () => {
        const page = await open('/')
        const learn = page.locator('.oct-tabbar li', { hasText: 'Learn' }).first()
        await learn.getByRole('button', { name: 'Learn' }).click()
        expect(await seen(page, '.oct-tabbar [popover] a')).toEqual([
          expect.stringMatching(/Courses\s+Step by step\./),
          'Videos',
          'Forum',
        ])
        await learn.getByRole('link', { name: 'Videos' }).click()
        expect(path(page)).toBe('/videos/one')
        await page.locator('.oct-tabbar').getByRole('link', { name: 'Learn' }).click()
        expect(path(page)).toBe('/courses/one')
        // Menu items are not also listed as anchors.
        expect(await seen(page, '.oct-anchors a')).not.toContain('Videos')
      })

      // Requirement N17.
      test('the menu of a tab also opens on a phone', async () => {
        const page = await open('/', { viewport: { width: 390, height: 700 } })
        const learn = page.locator('.oct-tabbar li', { hasText: 'Learn' }).first()
        await learn.getByRole('button', { name: 'Learn' }).click()
        expect(await seen(page, '.oct-tabbar [popover] a')).toContainEqual(
          expect.stringMatching(/Courses\s+Step by step\./),
        )
        await learn.getByRole('link', { name: 'Videos' }).click()
        expect(path(page)).toBe('/videos/one')
      })

      // Requirement R6c.
      test('anchors are at the top of the sidebar and stay there when the reader chooses one', async () => {
        const page = await open('/cloud/two')
        expect(await seen(page, '.oct-anchors a')).toEqual(['Community', 'Cloud', 'Local'])
        expect(await page.locator('.oct-anchors [aria-current]').textContent()).toBe('Cloud')
        await page.getByRole('link', { name: 'Local' }).click()
        expect(path(page)).toBe('/local/one')
        expect(await seen(page, '.oct-anchors a')).toEqual(['Community', 'Cloud', 'Local'])
      })

      // Requirements R6d, R6e.
      test.each([
        ['dropdowns', '/web/start', 'Web', 'Phone', '/phone/start', 'For browsers.'],
        ['products', '/pots/start', 'Pots', 'Soil', '/soil/start', 'To plant in.'],
      ])(
        '%s are in a menu at the top of the sidebar',
        async (_, start, own, other, target, about) => {
          const page = await open(start)
          const button = sidebar(page).getByRole('button', { name: own })
          await button.click()
          expect(await sidebar(page).locator('[popover]:popover-open').textContent()).toContain(
            about,
          )
          await sidebar(page).getByRole('link', { name: other }).click()
          expect(path(page)).toBe(target)
          expect(await sidebar(page).getByText('Page web/more').count()).toBe(0)
        },
      )

      // Requirement R6f.
      test('versions (with their badges) and languages each have a menu', async () => {
        const page = await open('/')
        await page.getByRole('button', { name: 'Version: 2.0 Latest' }).click()
        expect(await seen(page, '.oct-menu-version li')).toEqual([
          expect.stringMatching(/1\.0\s*Old/),
          expect.stringMatching(/2\.0\s*Latest/),
        ])
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Language: English' }).click()
        expect(await seen(page, '.oct-menu-language li')).toEqual([
          'English',
          'Deutsch',
          'العربية',
          '日本語',
        ])
      })

      test('switching the version or language opens the same page, or the nearest one', async () => {
        const page = await open('/install')
        const to = async (kind: string, label: string) => {
          await page.locator(`.oct-menu-${kind} > button`).click()
          await page.locator(`.oct-menu-${kind} li a`, { hasText: label }).click()
          return path(page)
        }
        expect(await to('language', 'Deutsch')).toBe('/de/install')
        expect(await to('language', 'English')).toBe('/install')
        expect(await to('version', '1.0')).toBe('/v1/install')
        expect(await to('version', '2.0')).toBe('/install')
        await page.goto('/closed/deep')
        expect(await to('version', '1.0')).toBe('/v1')
      })

      // Requirements LG1, LG3, LG4, LG5, LG6.
      test('each language has its own text direction, labels, banner, navbar and footer', async () => {
        const german = await open('/de/index')
        expect(await german.locator('html').getAttribute('lang')).toBe('de')
        const banner = german.locator('.oct-banner')
        expect(await banner.textContent()).toContain('Neu auf Deutsch.')
        expect(await banner.getByRole('link').getAttribute('href')).toBe('/de/install')
        expect(await german.locator('.oct-navbar').textContent()).toMatch(/Neuigkeiten.*Anmelden/s)
        const social = german.locator('footer a[href="https://x.com/octavo_de"]')
        expect(await social.isVisible()).toBe(true)
        expect(await german.locator('.oct-footer-links').textContent()).toMatch(/Firma\s*Impressum/)
        expect(await german.locator('.oct-contents p').textContent()).toBe('Auf dieser Seite')
        expect(await german.locator('article').innerHTML()).toContain('Hinweis')
        const arabic = await open('/ar/index')
        expect(await arabic.locator('html').getAttribute('dir')).toBe('rtl')
        const box = await sidebar(arabic).boundingBox()
        expect(box?.x).toBeGreaterThan(600)
        expect(await arabic.locator('.oct-navbar').textContent()).toBe('Blog')
      })
    })

    // Requirement R7.
    test('navigation rule 7: the title of a group with `root` opens the root page', async () => {
      const page = await open('/')
      await sidebar(page).getByRole('link', { name: 'Rooted' }).click()
      expect(path(page)).toBe('/rooted/root')
      expect(await sidebar(page).locator('[aria-current=page]').textContent()).toBe('Rooted')
      expect(await sidebar(page).getByText('Page rooted/one').isVisible()).toBe(true)
      await sidebar(page).getByRole('link', { name: 'Cards', exact: true }).click()
      expect(path(page)).toBe('/cards/root')
    })

    // Requirement R8.
    test('navigation rule 8: global anchors are on every page of every division', async () => {
      for (const address of [
        '/',
        '/web/more',
        '/soil/start',
        '/v1/gone',
        '/ar/install',
        '/404.html',
      ]) {
        const page = await open(address)
        expect(await seen(page, '.oct-anchors a'), address).toContain('Community')
      }
    })

    describe('states of groups and versions', () => {
      // Requirement ST2.
      test('a nested group is closed unless `expanded` opens it', async () => {
        const page = await open('/')
        expect(await sidebar(page).getByText('Page closed/one').isVisible()).toBe(false)
        expect(await sidebar(page).getByText('Page opened/one').isVisible()).toBe(true)
        const inside = await open('/closed/deep')
        expect(await sidebar(inside).getByText('Page closed/one').isVisible()).toBe(true)
      })

      // Requirement ST3.
      test('a top-level group is always open and cannot be collapsed', async () => {
        const page = await open('/')
        const title = sidebar(page).locator('.oct-group-title', { hasText: 'Start' })
        await title.click()
        expect(await sidebar(page).getByText('Install').isVisible()).toBe(true)
        expect(await title.locator('summary, button').count()).toBe(0)
      })

      // Requirement ST4.
      test('the version marked `default` is opened even if another version is first', async () => {
        const page = await open('/')
        expect(await page.locator('.oct-menu-version > button').textContent()).toContain('2.0')
        const docs = structuredClone(NAVIGATION_DOCS)
        const versions = docs.navigation.languages[0]?.versions ?? []
        const first = versions.map(({ default: _, ...version }) => version)
        const files = {
          ...NAVIGATION_SITE,
          'docs.json': JSON.stringify({ ...docs, navigation: { versions: first } }),
        }
        await using other = await ServedSite.start(files)
        const start = await open(`${other.origin}/404.html`)
        expect(await start.locator('.oct-menu-version > button').textContent()).toContain('1.0')
      })
    })

    describe('interaction.drilldown', () => {
      async function choose(drilldown: boolean | undefined): Promise<string> {
        const docs = { ...NAVIGATION_DOCS, interaction: { drilldown } }
        await using site = await ServedSite.start({
          ...NAVIGATION_SITE,
          'docs.json': JSON.stringify(docs),
        })
        const page = await open(`${site.origin}/`)
        await sidebar(page).getByText('Closed', { exact: true }).click()
        await page.waitForLoadState()
        expect(await sidebar(page).getByText('Page closed/one').isVisible()).toBe(true)
        return path(page)
      }

      // Requirements P2, P3, P4.
      test("`drilldown: true` opens a group's first page; otherwise a click only expands the group", async () => {
        expect(await choose(true)).toBe('/closed/one')
        expect(await choose(false)).toBe('/')
        expect(await choose(undefined)).toBe('/')
      })
    })

    // Requirement P1.
    test('styling.eyebrows: breadcrumbs have links, and omit versions and languages', async () => {
      const page = await open('/closed/deep')
      expect(await seen(page, '.oct-breadcrumbs li')).toEqual([
        'Guides',
        'Start',
        'Closed',
        'Deeper',
      ])
      await page.locator('.oct-breadcrumbs a', { hasText: 'Closed' }).click()
      expect(path(page)).toBe('/closed/one')
    })

    describe('sidebar state across pages', () => {
      test("groups stay open or closed from the first paint on, and the current page's group is open", async () => {
        const page = await open('/')
        await group(page, 'Closed').locator('summary').first().click()
        await group(page, 'Opened').locator('summary').click()
        await expect
          .poll(() => page.evaluate('sessionStorage.getItem("octavo-groups")'))
          .toContain('Opened')
        await page.route('**/*.js', (route) => route.abort())
        await page.goto('/install')
        expect(await sidebar(page).getByText('Page closed/one').isVisible()).toBe(true)
        expect(await sidebar(page).getByText('Page opened/one').isVisible()).toBe(false)
        await page.goto('/opened/one')
        expect(await sidebar(page).getByText('Page opened/one').isVisible()).toBe(true)
      })

      test('the sidebar keeps its scroll position on the next page', async () => {
        const page = await open('/', { viewport: { width: 1200, height: 300 } })
        await sidebar(page).evaluate((one) => one.scrollTo(0, 90))
        await page.goto('/opened/one')
        await expect.poll(() => sidebar(page).evaluate((one) => one.scrollTop)).toBeGreaterThan(40)
      })
    })

    describe('navigation on a phone', () => {
      test('the drawer takes the focus when it opens, closes on Escape and restores the focus', async () => {
        const page = await open('/install', PHONE)
        const button = page.getByRole('button', { name: 'Menu' })
        await button.click()
        await expect.poll(() => focused(page)).toBe('Install')
        await page.keyboard.press('Escape')
        await expect.poll(() => sidebar(page).isVisible()).toBe(false)
        expect(await focused(page)).toMatch(/^Menu\b/)
      })

      test('the drawer has the tabs, versions, languages and the theme, and a button that closes it', async () => {
        const page = await open('/install', PHONE)
        await page.getByRole('button', { name: 'Menu' }).click()
        const drawer = page.locator('.oct-drawer')
        const tabs = await page.locator('.oct-tabbar > ul > li > a > span').allTextContents()
        expect(tabs.length).toBeGreaterThan(1)
        const links = await drawer.locator('.oct-drawer-tabs a > span').allTextContents()
        expect(links.slice(0, tabs.length)).toEqual(tabs)
        expect(await drawer.locator('.oct-drawer-tabs [aria-current]').count()).toBe(1)
        await drawer.locator('.oct-drawer-foot .oct-menu-language > button').click()
        const menu = drawer.locator('.oct-menu-language ul:popover-open')
        await menu.waitFor()
        // The drawer stays open below the menu.
        expect(await drawer.isVisible()).toBe(true)
        expect(await menu.locator('a').count()).toBeGreaterThan(1)
        await page.keyboard.press('Escape')
        expect(await drawer.isVisible()).toBe(true)
        await drawer.locator('.oct-theme').click()
        expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
        await drawer.getByRole('button', { name: 'Close' }).click()
        await expect.poll(() => sidebar(page).isVisible()).toBe(false)
        expect(await focused(page)).toMatch(/^Menu\b/)
        expect(await page.locator('.oct-drawer-part, [inert]').count()).toBe(0)
      })

      test('the focus stays in the drawer, and the page behind it is inert', async () => {
        const page = await open('/install', PHONE)
        await page.getByRole('button', { name: 'Menu' }).click()
        await expect.poll(() => focused(page)).toBe('Install')
        for (let count = 0; count < 40; count += 1) {
          await page.keyboard.press('Tab')
          const place = await page.evaluate(
            `document.activeElement.closest('#oct-sidebar') || document.activeElement === document.body`,
          )
          expect(place).not.toBe(null)
        }
        expect(await sidebar(page).isVisible()).toBe(true)
        expect(await page.locator('main').getAttribute('inert')).toBe('')
      })

      test('the drawer closes when the reader follows a link', async () => {
        const page = await open('/', PHONE)
        await page.getByRole('button', { name: 'Menu' }).click()
        await sidebar(page).getByText('Install').click()
        expect(path(page)).toBe('/install')
        await page.goBack()
        await expect.poll(() => sidebar(page).isVisible()).toBe(false)
      })

      test('the current tab is scrolled into view in a wide tab bar', async () => {
        const viewport = { width: 240, height: 740 }
        const page = await open('/pots/start', { ...PHONE, viewport })
        const row = await page.locator('.oct-tabbar').evaluate((bar) => bar.scrollWidth)
        expect(row).toBeGreaterThan(viewport.width)
        const tab = await page.locator('.oct-tabbar > ul > li > [aria-current]').boundingBox()
        expect(tab?.x).toBeGreaterThanOrEqual(0)
        expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(viewport.width)
        expect(await page.evaluate('scrollY')).toBe(0)
      })

      test('the table of contents closes when a heading is selected', async () => {
        const page = await open('/', PHONE)
        await page.locator('.oct-contents-button').click()
        await page.locator('.oct-contents').getByText('Second').click()
        await expect.poll(() => page.locator('.oct-contents').isVisible()).toBe(false)
        expect(page.url()).toMatch(/#second$/)
      })
    })

    describe('navigation by keyboard', () => {
      test('a menu opens by keyboard, has arrow-key navigation, closes on Escape and restores the focus', async () => {
        const page = await open('/')
        await page.locator('.oct-menu-language > button').focus()
        await page.keyboard.press('Enter')
        await page.waitForSelector('.oct-menu-language [popover]:popover-open')
        // The script that handles arrow keys is loaded only when the menu opens.
        await page.waitForLoadState('networkidle')
        for (const [key, label] of [
          ['ArrowDown', 'English'],
          ['ArrowDown', 'Deutsch'],
          ['End', '日本語'],
          ['ArrowDown', 'English'],
          ['ArrowUp', '日本語'],
          ['Home', 'English'],
        ] as const) {
          await page.keyboard.press(key)
          await expect
            .poll(() => focused(page), { message: `${key} moves to ${label}` })
            .toBe(label)
        }
        await page.keyboard.press('Escape')
        expect(await page.locator('.oct-menu-language :popover-open').count()).toBe(0)
        expect(await focused(page)).toBe('English')
      })

      test('the first Tab stop is a link to the content, and the sidebar is reachable by Tab', async () => {
        const page = await open('/')
        await page.keyboard.press('Tab')
        expect(await focused(page)).toBe('Skip to content')
        const stops: unknown[] = []
        for (let count = 0; count < 40; count += 1) {
          await page.keyboard.press('Tab')
          stops.push(await focused(page))
        }
        for (const label of ['Blog', 'Guides', 'Community', 'Install', 'Closed', 'Rooted'])
          expect(stops).toContain(label)
      })
    })

    describe('prefetching of pages', () => {
      const fetched = (page: Page) =>
        page.evaluate(
          '[...document.querySelectorAll("link[rel=prefetch]")].map((link) => link.getAttribute("href"))',
        )

      test('a page is prefetched only when its link is hovered or focused', async () => {
        const page = await open('/')
        expect(await fetched(page)).toEqual([])
        await sidebar(page).getByText('Install').hover()
        await expect.poll(() => fetched(page)).toEqual(['/install'])
        await sidebar(page).getByText('Page opened/one').focus()
        await sidebar(page).locator('a[href="/opened/one"]').focus()
        await expect.poll(() => fetched(page)).toContain('/opened/one')
        await page.getByRole('link', { name: 'Community' }).hover()
        await page.locator('.oct-page-menu [popovertarget]').hover()
        expect(await fetched(page)).toHaveLength(2)
      })
    })

    describe('light and dark mode', () => {
      test("the `dark` class and the browser's theme color follow the mode", async () => {
        const page = await open('/', { colorScheme: 'light' })
        const isDark = () => page.evaluate('document.documentElement.classList.contains("dark")')
        const color = () =>
          page.evaluate(
            '[...document.querySelectorAll("meta[name=theme-color]")].filter((meta) => matchMedia(meta.media).matches).map((meta) => meta.content)',
          )
        expect([await isDark(), await color()]).toEqual([false, ['#0f766e']])
        await page.locator('.oct-theme').click()
        expect([await isDark(), await color()]).toEqual([true, ['#2dd4bf']])
        await page.goto('/install')
        expect([await isDark(), await color()]).toEqual([true, ['#2dd4bf']])
        const other = await open('/', { colorScheme: 'dark' })
        expect(await other.locator('html.dark').count()).toBe(1)
        await other.emulateMedia({ colorScheme: 'light' })
        await expect.poll(() => other.locator('html.dark').count()).toBe(0)
      })
    })

    test('all navigation links resolve, exactly one page is current, and each switch opens its target', async () => {
      const root = join(served.site.root, 'out')
      const resolves = (at: string) => existsSync(join(root, at))
      const page = await open('/')
      for (const address of [
        '/',
        '/closed/deep',
        '/rooted/root',
        '/videos/one',
        '/cloud/two',
        '/web/more',
        '/soil/start',
        '/v1/gone',
        '/ar/install',
      ]) {
        await page.goto(address)
        expect(await checkNavigation(page, { resolves, isListed: () => true })).toEqual([])
      }
    }, 120_000)

    test('the content security policy blocked nothing in the navigation', () => {
      expect(refused).toEqual([])
    })
  },
)
