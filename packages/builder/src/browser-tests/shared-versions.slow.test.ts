/** Pages that several versions list (decision 0033): whoever is in a version stays in it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../testing/chromium.ts'
import { ServedSite } from '../testing/served-site.ts'

const page = (title: string, more = '') => `---\ntitle: ${title}\n---\n\nText of ${title}.\n${more}`

const SITE = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    theme: 'mint',
    colors: { primary: '#0f766e' },
    styling: { eyebrows: 'breadcrumbs' },
    navigation: {
      versions: [
        { version: 'v1', groups: [{ group: 'Start 1', pages: ['index', 'shared', 'only1'] }] },
        {
          version: 'v2',
          tabs: [
            { tab: 'Guides', groups: [{ group: 'Start 2', pages: ['index', 'only2', 'shared'] }] },
            { tab: 'More', pages: ['more2'] },
          ],
        },
      ],
    },
  }),
  'index.mdx': page('Home', '\n[Shared](/shared)\n'),
  'shared.mdx': page('Shared'),
  'only1.mdx': page('Only 1'),
  'only2.mdx': page('Only 2', '\n[Only 1](/only1)\n'),
  'more2.mdx': page('More 2'),
}

/** Notes the group that each frame shows in the sidebar, and what moves after it was painted. */
const WATCH_PAINTS = `
  globalThis.painted = []
  globalThis.shift = 0
  const look = () => {
    const title = document.querySelector('.oct-sidebar .oct-group-title')?.textContent
    if (title) painted.push(title)
    if (document.readyState !== 'complete') requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  const add = (list) => { for (const { value } of list.getEntries()) shift += value }
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
`

// Requirement R6f.
describe.skipIf(!HAS_CHROMIUM)(
  `a page that two versions list (skipped if there is no ${CHROMIUM})`,
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

    async function open(path: string, options: { javaScriptEnabled?: boolean } = {}) {
      const context = await browser.newContext({ baseURL: served.origin, ...options })
      context.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      const opened = await context.newPage()
      await opened.goto(path)
      return opened
    }

    async function choose(opened: Page, version: string) {
      await opened.locator('.oct-menu-version > button').click()
      const loaded = opened.waitForEvent('load')
      await opened.locator('.oct-menu-version li a', { hasText: version }).click()
      await loaded
    }

    /** The version that a reader sees in each part of the page. */
    const seen = async (opened: Page) => ({
      path: new URL(opened.url()).pathname,
      version: await opened.locator('.oct-menu-version > button').innerText(),
      group: await opened.locator('.oct-sidebar .oct-group-title').allInnerTexts(),
      crumbs: await opened.locator('.oct-breadcrumbs li').allInnerTexts(),
      next: await opened.locator('.oct-neighbours .oct-next span').allInnerTexts(),
      tabs: await opened.locator('.oct-tabbar li a').allInnerTexts(),
      current: await opened.locator('.oct-sidebar [aria-current=page]').allInnerTexts(),
    })

    const FIRST = { version: 'v1', group: ['Start 1'], crumbs: ['Start 1'], tabs: [] }
    const SECOND = {
      version: 'v2',
      group: ['Start 2'],
      crumbs: ['Guides', 'Start 2'],
      tabs: ['Guides', 'More'],
    }

    test('opens in the first version, and in the one that is chosen there', async () => {
      const opened = await open('/shared')
      const current = ['Shared']
      expect(await seen(opened)).toEqual({ ...FIRST, path: '/shared', next: ['Only 1'], current })
      await choose(opened, 'v2')
      expect(await seen(opened)).toEqual({ ...SECOND, path: '/shared', next: [], current })
      expect(await opened.locator('html.oct-has-tabs').count()).toBe(1)
      await choose(opened, 'v1')
      expect(await seen(opened)).toMatchObject({ ...FIRST, path: '/shared' })
      expect(await opened.locator('html.oct-has-tabs').count()).toBe(0)
    })

    test('keeps the version of the page before, by the sidebar and by links in texts', async () => {
      const opened = await open('/only2')
      await opened.locator('.oct-sidebar a', { hasText: 'Home' }).click()
      await opened.waitForURL('**/')
      expect(await seen(opened)).toMatchObject({ ...SECOND, path: '/' })
      await opened.locator('main a', { hasText: 'Shared' }).click()
      await opened.waitForURL('**/shared')
      expect(await seen(opened)).toMatchObject({ ...SECOND, path: '/shared' })
    })

    test('changes with a page of another version, also when the reader goes back', async () => {
      const opened = await open('/only2')
      await opened.locator('main a', { hasText: 'Only 1' }).click()
      await opened.waitForURL('**/only1')
      await opened.locator('.oct-sidebar a', { hasText: 'Shared' }).click()
      await opened.waitForURL('**/shared')
      expect(await seen(opened)).toMatchObject(FIRST)
      await opened.goBack()
      await opened.goBack()
      await opened.waitForURL('**/only2')
      await opened.locator('.oct-sidebar a', { hasText: 'Shared' }).click()
      await opened.waitForURL('**/shared')
      expect(await seen(opened)).toMatchObject(SECOND)
    })

    test('is never painted in the version that was not chosen, and nothing moves', async () => {
      const opened = await open('/only2')
      await opened.addInitScript(WATCH_PAINTS)
      await opened.goto('/shared')
      await opened.waitForLoadState('load')
      const { painted, shift } = await opened.evaluate<{ painted: string[]; shift: number }>(
        '({ painted, shift })',
      )
      expect(painted.filter((title) => title !== 'Start 2')).toEqual([])
      expect(shift).toBe(0)
    })

    test('without script shows the first version, and its menu leads to a page of the other', async () => {
      const opened = await open('/shared', { javaScriptEnabled: false })
      expect(await seen(opened)).toMatchObject({ ...FIRST, path: '/shared' })
      const link = opened.locator('.oct-menu-version li a', { hasText: 'v2' })
      expect(await link.getAttribute('href')).toBe('/only2')
    })

    test('the policy refused nothing', () => {
      expect(refused).toEqual([])
    })
  },
)
