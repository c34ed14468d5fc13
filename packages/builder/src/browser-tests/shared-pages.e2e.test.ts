/**
 * Checks pages that several versions, tabs or anchors list (decision 0033): readers must stay in
 * the section that they opened.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'

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

/** Records which group the sidebar shows in each frame, and layout shifts. */
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

    /** Returns the version that each part of the page shows. */
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

    test('a shared page opens in the first version until the reader chooses another one', async () => {
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

    test("a shared page opens in the previous page's version from sidebar links and text links", async () => {
      const opened = await open('/only2')
      await opened.locator('.oct-sidebar a', { hasText: 'Home' }).click()
      await opened.waitForURL('**/')
      expect(await seen(opened)).toMatchObject({ ...SECOND, path: '/' })
      await opened.locator('main a', { hasText: 'Shared' }).click()
      await opened.waitForURL('**/shared')
      expect(await seen(opened)).toMatchObject({ ...SECOND, path: '/shared' })
    })

    test('a shared page opens in the version of the previous page, even from another navigation tab', async () => {
      const opened = await open('/more2')
      await opened.goto('/shared')
      expect(await seen(opened)).toMatchObject({ ...SECOND, path: '/shared' })
    })

    test('a shared page opens in the version whose menu entry the reader chose', async () => {
      const opened = await open('/only2')
      await choose(opened, 'v1')
      expect(await seen(opened)).toMatchObject({ ...FIRST, path: '/' })
    })

    test('a shared page opens in the version of the previous page, also after going back', async () => {
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

    test('a shared page is never painted in another version and does not shift', async () => {
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

    test('a shared page without JavaScript shows the first version and a menu to the other', async () => {
      const opened = await open('/shared', { javaScriptEnabled: false })
      expect(await seen(opened)).toMatchObject({ ...FIRST, path: '/shared' })
      const link = opened.locator('.oct-menu-version li a', { hasText: 'v2' })
      expect(await link.getAttribute('href')).toBe('/only2')
    })

    test('the content security policy blocked nothing on shared pages', () => {
      expect(refused).toEqual([])
    })
  },
)

const COMMON = {
  name: 'Garden',
  theme: 'mint',
  colors: { primary: '#0f766e' },
  styling: { eyebrows: 'breadcrumbs' },
}

const PAGES = {
  'index.mdx': page('Home'),
  's.mdx': page('Shared', '\n## First\n\n## Second\n'),
  'o.mdx': page('Own', '\n[Shared](/s)\n'),
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    paths: Object.fromEntries(
      ['plants', 'seeds'].map((name) => [
        `/${name}`,
        { get: { summary: `List ${name}`, responses: { 200: { description: 'OK' } } } },
      ]),
    ),
  }),
}

const withApi = (kind: string) => [
  { [kind]: 'A', groups: [{ group: 'Of A', pages: ['index', 's'] }] },
  { [kind]: 'B', groups: [{ group: 'Of B', pages: ['s', 'o'] }] },
  { [kind]: 'One', version: 'v1', openapi: 'api.json' },
  { [kind]: 'Two', version: 'v2', openapi: 'api.json' },
]

// Requirements R6b, R6c and G15.
describe.skipIf(!HAS_CHROMIUM).each([
  ['tab', '.oct-tabbar'],
  ['anchor', '.oct-anchors'],
])(`a page that each %s lists (skipped if there is no ${CHROMIUM})`, (kind, bar) => {
  let served: ServedSite
  let browser: Browser
  const refused: string[] = []

  beforeAll(async () => {
    const navigation = { [`${kind}s`]: withApi(kind) }
    served = await ServedSite.start({
      ...PAGES,
      'docs.json': JSON.stringify({ ...COMMON, navigation }),
    })
    browser = await launchChromium()
  })

  afterEach(() => closePages(browser))

  afterAll(async () => {
    await browser?.close()
    await served?.[Symbol.asyncDispose]()
  })

  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ baseURL: served.origin, ...options })
    context.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
    })
    const opened = await context.newPage()
    await opened.goto(path)
    return opened
  }

  async function follow(opened: Page, part: string, label: string) {
    const link = opened.locator(`${part} a`, { hasText: new RegExp(`^(GET|Next)?${label}$`) })
    await Promise.all([opened.waitForEvent('load'), link.click({ timeout: 5_000 })])
  }

  const seen = async (opened: Page) => ({
    path: new URL(opened.url()).pathname,
    section: await opened.locator(`${bar} [aria-current=true]`).allInnerTexts(),
    group: await opened.locator('.oct-sidebar .oct-group-title').allInnerTexts(),
    crumbs: await opened.locator('.oct-breadcrumbs li').allInnerTexts(),
  })

  const A = { section: ['A'], group: ['Of A'], crumbs: ['A', 'Of A'] }
  const B = { section: ['B'], group: ['Of B'], crumbs: ['B', 'Of B'] }

  test('a shared page opens in the section whose link the reader followed, and stays in it', async () => {
    const opened = await open('/')
    await follow(opened, bar, 'B')
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
    await follow(opened, '.oct-neighbours', 'Own')
    expect(await seen(opened)).toEqual({ path: '/o', ...B })
    await follow(opened, '.oct-sidebar', 'Shared')
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
    expect(await opened.locator('.oct-contents a').allInnerTexts()).toEqual(['First', 'Second'])
    await opened.reload()
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
  })

  test('a shared page opens in the first section by URL, and again after returning to that section', async () => {
    const opened = await open('/s')
    expect(await seen(opened)).toEqual({ path: '/s', ...A })
    await follow(opened, bar, 'B')
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
    await follow(opened, bar, 'A')
    expect(await seen(opened)).toEqual({ path: '/', ...A })
    await follow(opened, '.oct-sidebar', 'Shared')
    expect(await seen(opened)).toEqual({ path: '/s', ...A })
  })

  test('a shared page stays in its section after a text link, a search or going back', async () => {
    const opened = await open('/o')
    await follow(opened, 'main .oct-content', 'Shared')
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
    await follow(opened, bar, 'A')
    await opened.goBack()
    await opened.goBack()
    await opened.waitForURL('**/o')
    await opened.keyboard.press('/')
    await opened.locator('dialog input').fill('Shared')
    await opened.locator('dialog a', { hasText: 'Shared' }).first().click()
    await opened.waitForURL('**/s')
    expect(await seen(opened)).toEqual({ path: '/s', ...B })
  })

  test('an operation shows the API version of the section in which it is opened', async () => {
    const opened = await open('/')
    const version = () => opened.locator('h1 .oct-tag').allInnerTexts()
    await follow(opened, bar, 'Two')
    expect(await seen(opened)).toMatchObject({ section: ['Two'], crumbs: ['Two', 'API reference'] })
    expect(await version()).toEqual(['v2'])
    await follow(opened, '.oct-sidebar', 'List seeds')
    expect(await seen(opened)).toMatchObject({ section: ['Two'], crumbs: ['Two', 'API reference'] })
    expect(await version()).toEqual(['v2'])
    await follow(opened, bar, 'One')
    expect(await seen(opened)).toMatchObject({ section: ['One'], crumbs: ['One', 'API reference'] })
    expect(await version()).toEqual(['v1'])
  })

  test('a shared page is never painted in another section and does not shift', async () => {
    const opened = await open('/o')
    await opened.addInitScript(WATCH_PAINTS)
    await opened.goto('/s')
    await opened.waitForLoadState('load')
    const { painted, shift } = await opened.evaluate<{ painted: string[]; shift: number }>(
      '({ painted, shift })',
    )
    expect(painted.filter((title) => title !== 'Of B')).toEqual([])
    expect(shift).toBe(0)
  })

  test('the phone menu shows the section of a shared page', async () => {
    const opened = await open('/o', { viewport: { width: 390, height: 800 } })
    await follow(opened, 'main .oct-content', 'Shared')
    await opened.locator('.oct-menu-button').click()
    const entries = opened.locator('.oct-sidebar .oct-group a:visible')
    expect(await entries.allInnerTexts()).toEqual(['Shared', 'Own'])
  })

  test('every page is reachable without JavaScript, as crawlers require', async () => {
    const opened = await open('/', { javaScriptEnabled: false })
    const found = new Set(['/'])
    for (const path of found) {
      await opened.goto(path)
      const links = await opened
        .locator('.oct-header a[href^="/"], .oct-layout a[href^="/"]')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      for (const link of links) if (!/\.\w+$/.test(link)) found.add(link)
    }
    expect([...found].toSorted()).toEqual([
      '/',
      '/api-reference/list-plants',
      '/api-reference/list-seeds',
      '/o',
      '/s',
    ])
    await opened.goto('/s')
    expect(await seen(opened)).toEqual({ path: '/s', ...A })
  })

  test('the content security policy blocked nothing in shared sections', () => {
    expect(refused).toEqual([])
  })
})

describe.skipIf(!HAS_CHROMIUM)('versions combined with tabs', () => {
  /** Opens a page, follows links, and returns the resulting path, version and tab. */
  async function visit(navigation: object, path: string, links: readonly string[]) {
    await using served = await ServedSite.start({
      ...PAGES,
      'blog.mdx': page('Blog'),
      'docs.json': JSON.stringify({ ...COMMON, navigation }),
    })
    await using browser = await launchChromium()
    const opened = await browser.newPage({ baseURL: served.origin })
    await opened.goto(path)
    const menu = opened.locator('.oct-menu-version > button')
    for (const text of links) {
      const link = opened.locator('.oct-tabbar a, .oct-menu-version li a', { hasText: text })
      if (!(await link.isVisible())) await menu.click()
      await Promise.all([opened.waitForEvent('load'), link.click()])
    }
    const tab = opened.locator('.oct-tabbar [aria-current=true]')
    return [new URL(opened.url()).pathname, await menu.innerText(), await tab.innerText()]
  }

  test("the reader's version is still selected after a visit to a tab without versions", async () => {
    const versions = [
      { version: 'v1', pages: ['s', 'index'] },
      { version: 'v2', pages: ['s', 'o'] },
    ]
    const tabs = [
      { tab: 'Guides', versions },
      { tab: 'Blog', pages: ['blog'] },
    ]
    expect(await visit({ tabs }, '/o', ['Blog', 'Guides'])).toEqual(['/s', 'v2', 'Guides'])
  })

  test("choosing another version keeps the reader's current tab", async () => {
    const tabs = (own: string) => [
      { tab: 'Guides', pages: ['s'] },
      { tab: 'Server', pages: [own, 's'] },
    ]
    const versions = [
      { version: 'v1', tabs: tabs('index') },
      { version: 'v2', tabs: tabs('o') },
    ]
    expect(await visit({ versions }, '/s', ['Server', 'v2'])).toEqual(['/o', 'v2', 'Server'])
    expect(await visit({ versions }, '/o', ['Guides', 'v1'])).toEqual(['/s', 'v1', 'Guides'])
  })

  test("a tab opens even if it does not have the reader's version", async () => {
    const tabs = [
      { tab: 'Blog', pages: ['blog', 's'] },
      {
        tab: 'Guides',
        versions: [
          { version: 'v2', pages: ['o'] },
          { version: 'v1', pages: ['index'] },
        ],
      },
      {
        tab: 'Server',
        versions: [
          { version: 'v1', pages: ['s'] },
          { version: 'v3', pages: ['s'] },
        ],
      },
    ]
    expect(await visit({ tabs }, '/o', ['Server'])).toEqual(['/s', 'v1', 'Server'])
  })
})
