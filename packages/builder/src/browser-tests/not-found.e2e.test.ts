/** Checks that the not-found page suggests pages with a similar URL. */
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { findFaults } from '../../testing/find-faults.ts'
import { ServedSite } from '../../testing/served-site.ts'

const page = (title: string) => `---\ntitle: ${title}\n---\n\nAll of it.\n`

const SITE = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    theme: 'mint',
    colors: { primary: '#0f766e', light: '#2dd4bf' },
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', 'guides/getting-started', 'guides/install'] },
        { group: 'Plants', pages: ['plants/roses', 'plants/tulips'] },
      ],
    },
  }),
  'index.mdx': page('Welcome'),
  'guides/getting-started.mdx': page('Getting started'),
  'guides/install.mdx': page('Install the greenhouse'),
  'plants/roses.mdx': page('Roses'),
  'plants/tulips.mdx': page('Tulips'),
}

describe.skipIf(!HAS_CHROMIUM)(`unknown addresses (skipped if there is no ${CHROMIUM})`, () => {
  let served: ServedSite
  let browser: Browser

  beforeAll(async () => {
    served = await ServedSite.start(SITE)
    browser = await launchChromium()
  })

  afterEach(() => closePages(browser))

  afterAll(async () => {
    await browser?.close()
    await served?.[Symbol.asyncDispose]()
  })

  async function open(path: string, options: { javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext({ baseURL: served.origin, ...options })
    const opened = await context.newPage()
    const response = await opened.goto(path, { waitUntil: 'networkidle' })
    return { opened, status: response?.status() }
  }

  test.each([
    ['a page that has moved', '/old/getting-started', 'Getting started'],
    ['a typing error', '/guides/instal', 'Install the greenhouse'],
    ['another spelling', '/docs/GettingStarted.html', 'Getting started'],
    ['a page that was removed from its folder', '/plants/roses/xyzzy', 'Roses'],
  ])('the not-found page suggests the intended page first: %s', async (_, path, title) => {
    const { opened, status } = await open(path)
    expect(status).toBe(404)
    const list = opened.locator('#oct-suggestions')
    await expect.poll(() => list.isVisible()).toBe(true)
    const links = list.locator('a')
    expect((await links.allInnerTexts())[0]).toBe(title)
    expect(await links.count()).toBeLessThanOrEqual(5)
    expect(await list.locator('small').first().innerText()).toMatch(/^\/./)
    expect(await findFaults(opened)).toEqual([])
    await links.first().click()
    await opened.waitForURL((url) => url.pathname !== path)
    expect(await opened.locator('h1').innerText()).toBe(title)
  })

  // `all`, `of` and `it` occur in the text of pages, but in no title or URL.
  test.each(['/xyzzy', '/404.html', '/all-of-it'])(
    'the not-found page at %s has no suggestions',
    async (path) => {
      const { opened } = await open(path)
      expect(await opened.locator('h1').innerText()).toBe('Page not found')
      expect(await opened.locator('#oct-suggestions').isVisible()).toBe(false)
    },
  )

  test('the not-found page without JavaScript links to the home page and main sections', async () => {
    const { opened } = await open('/guides/instal', { javaScriptEnabled: false })
    expect(await opened.locator('#oct-suggestions').isVisible()).toBe(false)
    expect(await opened.locator('main a', { hasText: 'Go to the home page' }).isVisible()).toBe(
      true,
    )
    expect(await opened.locator('main .oct-directory a').allInnerTexts()).toContain('Plants')
  })
})
