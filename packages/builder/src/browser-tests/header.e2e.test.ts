/** Checks the header at any width, with a long logo, many links and author stylesheets. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'
import type { Files } from '../../testing/temporary-site.ts'

const WIDTHS = [320, 360, 390, 640, 768, 960, 1024, 1200, 1440] as const
const LINKS = ['Blog', 'Documentation', 'Community', 'Support', 'Integrations', 'Pricing']

function site(label: string, languages: readonly string[] = ['en']): Files {
  const pages = ['index', 'other']
  const of = (language: string) => (language === 'en' ? pages : pages.map((it) => `ar/${it}`))
  const files = languages.flatMap(of).map((path) => [`${path}.mdx`, `---\ntitle: ${path}\n---\n`])
  return {
    'docs.json': JSON.stringify({
      name: 'Weights and Balances',
      logo: '/logo.svg',
      banner: { content: 'New: [read more](/other)', dismissible: true },
      navbar: {
        links: LINKS.map((text) => ({ label: text, href: 'https://example.com' })),
        primary: { type: 'button', label, href: 'https://example.com' },
      },
      navigation: {
        languages: languages.map((language) => ({ language, pages: of(language) })),
      },
    }),
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="233" height="28"/>',
    ...Object.fromEntries(files),
  }
}

/**
 * Returns the visible controls of the header that are off the screen or overlap, and `page` if the
 * page is too wide.
 */
const FIND_FAULTS = `(() => {
  const shown = [...document.querySelectorAll('.oct-header :is(a, button), .oct-logo img')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
  const name = ({ control }) => control.className || control.textContent
  const outside = shown.filter(({ box }) => box.left < 0 || box.right > innerWidth + 0.5)
  const over = shown.flatMap((one, index) => shown.slice(index + 1).filter(({ control, box }) =>
    !one.control.contains(control) && box.left < one.box.right - 1 && one.box.left < box.right - 1 &&
    box.top < one.box.bottom - 1 && one.box.top < box.bottom - 1).map((other) => name(one) + ' and ' + name(other)))
  const wide = document.documentElement.scrollWidth > innerWidth ? ['page'] : []
  return [...outside.map(name), ...over, ...wide]
})()`

describe.skipIf(!HAS_CHROMIUM)(`the header (skipped if there is no ${CHROMIUM})`, () => {
  let browser: Browser
  let short: ServedSite
  let long: ServedSite

  beforeAll(async () => {
    browser = await launchChromium()
    short = await ServedSite.start(site('Sign up', ['en', 'ar']))
    long = await ServedSite.start({
      ...site('Start building now'),
      'style.css': `#topbar-cta-button a > span { background: rgb(0, 97, 213) }
        #topbar-cta-button a > div > span { color: rgb(255, 255, 254) }
        #navbar a[href="https://example.com"] > div { letter-spacing: 1px }
        #banner { background: #0f0f0f }`,
    })
  })

  afterEach(() => closePages(browser))

  afterAll(async () => {
    await browser?.close()
    await short?.[Symbol.asyncDispose]()
    await long?.[Symbol.asyncDispose]()
  })

  async function open(served: ServedSite, { width = 1440, path = '/' } = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(`${served.origin}${path}`, { waitUntil: 'load' })
    return page
  }

  test.each(['/', '/ar'])(
    'all header controls of the page %s fit on the screen at every width',
    async (path) => {
      const page = await open(short, { path })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate(FIND_FAULTS), `${width}`).toEqual([])
      }
    },
  )

  test('a header with a long call to action and author styles fits on the screen at every width', async () => {
    const page = await open(long)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(FIND_FAULTS), `${width}`).toEqual([])
    }
  })

  test.each([
    ['a short call to action stays in the row of a phone', 'Sign up', 390, true],
    ['any call to action is in the menu of the smallest phone', 'Sign up', 320, false],
    ['a long call to action is in the menu of a phone', 'Start building now', 390, false],
    ['a long call to action is in the row of a tablet', 'Start building now', 768, true],
  ])('%s', async (_, label, width, isShown) => {
    const page = await open(label === 'Sign up' ? short : long, { width })
    const action = page.locator('.oct-cta')
    expect(await action.isVisible()).toBe(isShown)
    await page.locator('.oct-more').click()
    expect(await action.isVisible()).toBe(true)
    for (const text of LINKS)
      expect(await page.locator('#oct-links a', { hasText: text }).isVisible()).toBe(true)
    expect(await page.evaluate(FIND_FAULTS)).toEqual([])
  })

  test("the theme can be switched in the header's menu on a phone", async () => {
    const page = await open(short, { width: 390 })
    expect(await page.locator('.oct-theme').isVisible()).toBe(false)
    await page.locator('.oct-more').click()
    await page.getByRole('button', { name: 'Switch between light and dark mode' }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  test('the search button is a labeled icon on a phone', async () => {
    const page = await open(short, { width: 390 })
    const search = page.getByRole('button', { name: 'Search' })
    expect((await search.boundingBox())?.width).toBe(40)
    await search.click()
    await page.getByRole('combobox').waitFor()
  })

  test("author stylesheets match the parts of the call to action, and the banner's text is readable", async () => {
    const page = await open(long)
    const style = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    expect(await style('#topbar-cta-button a > span', 'backgroundColor')).toBe('rgb(0, 97, 213)')
    expect(await style('#topbar-cta-button a > div > span', 'color')).toBe('rgb(255, 255, 254)')
    expect(await style('#navbar .oct-primary > div', 'letterSpacing')).toBe('1px')
    expect(await style('#banner', 'color')).toBe('rgb(255, 255, 255)')
  })
})
