/**
 * Checks large sections, whose pages omit the lists of collapsed groups: every page can be
 * reached by links alone, and the browser completes the sidebar.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Access, mayRead, omitRanges } from '@octavo/model'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { builtManifest } from '../../testing/built-manifest.ts'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'
import { type Files, TemporarySite } from '../../testing/temporary-site.ts'

const pagesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/p${index}`)

const GUIDES = [
  {
    group: 'Start',
    pages: [
      'index',
      { group: 'Basics', pages: pagesOf('basics', 40) },
      {
        group: 'More',
        pages: [
          'more/custom',
          'more/missing',
          { group: 'Deep', root: 'deep/root', pages: pagesOf('deep', 20) },
          { group: 'Deeper', pages: [{ group: 'Deepest', pages: pagesOf('deepest', 20) }] },
          'more/last',
        ],
      },
      { group: 'Shared', pages: pagesOf('shared', 20) },
    ],
  },
]
const REFERENCE = [
  {
    group: 'Reference',
    pages: [
      'reference/index',
      { group: 'Parts', pages: [...pagesOf('shared', 20), ...pagesOf('parts', 60)] },
      { group: 'Rest', pages: pagesOf('rest', 60) },
    ],
  },
]
const DOCS = {
  name: 'Large',
  colors: { primary: '#0F766E' },
  navigation: {
    tabs: [
      { tab: 'Guides', groups: GUIDES },
      { tab: 'Reference', groups: REFERENCE },
    ],
  },
}
const PATHS = [...new Set(JSON.stringify(DOCS.navigation).match(/(?<=")[\w-]+\/\w+(?=")|index/g))]
const SITE: Files = {
  'docs.json': JSON.stringify(DOCS),
  ...Object.fromEntries(
    PATHS.filter((path) => path !== 'more/missing').map((path) => [
      `${path}.mdx`,
      `---\ntitle: Title ${path.replace('/', ' ')}\n${path === 'more/custom' ? 'mode: custom\n' : ''}---\n\nText.\n`,
    ]),
  ),
}

let served: ServedSite

beforeAll(async () => {
  served = await ServedSite.start(SITE)
}, 120_000)

afterAll(() => served?.[Symbol.asyncDispose]())

const output = () => join(served.site.root, 'out')
const fileOf = (path: string) => join(output(), path, 'index.html')

/** Returns the paths of all pages that links lead to, directly or indirectly. */
function crawl(start: string): ReadonlySet<string> {
  const found = new Set([start])
  for (const path of found) {
    const html = readFileSync(fileOf(path), 'utf8').replaceAll(/<template.*?<\/template>/gs, '')
    for (const [, link = ''] of html.matchAll(/<a [^>]*?href="(\/[^"#?]*)/g))
      if (existsSync(fileOf(link))) found.add(link)
  }
  return found
}

describe('a large section without scripts', () => {
  test('every page can be reached by links from the home page', () => {
    const written = PATHS.filter((path) => path !== 'more/missing')
    const urls = written.map((path) => `/${path.replace(/(?:^|\/)index$/, '')}`)
    expect([...crawl('/')].toSorted()).toEqual(urls.toSorted())
  })

  test('the lists of each section are one file in the manifest', () => {
    const files = readdirSync(join(output(), '_octavo/nav'))
    expect(files).toHaveLength(2)
    const manifest = readdirSync(join(output(), '_octavo/manifest'))
      .map((name) => readFileSync(join(output(), '_octavo/manifest', name), 'utf8'))
      .join('')
    for (const file of files) expect(manifest).toContain(`_octavo/nav/${file}`)
  })
})

test('after an edit of one section, only its file changes, as in a cold build', async () => {
  const { site } = served
  const before = readdirSync(join(output(), '_octavo/nav'))
  site.write({ 'rest/p59.mdx': '---\ntitle: New title\n---\n\nText.\n' })
  await site.build()
  const after = readdirSync(join(output(), '_octavo/nav'))
  expect(after).toHaveLength(2)
  expect(after.filter((name) => before.includes(name))).toHaveLength(1)
  const hashes = site.hashes()
  await site.build({ output: join(site.root, 'cold'), cacheFolder: join(site.root, 'cold-cache') })
  expect(hashes).toEqual(site.hashes('cold'))
}, 120_000)

describe('a large section that only a group may read', () => {
  const files = {
    ...Object.fromEntries(
      Object.entries(SITE).map(([path, text]) => [
        path,
        text.replace('---\n', '---\ngroups: [staff]\n'),
      ]),
    ),
    // A page that does not exist has no label, so its section would stay complete.
    'docs.json': JSON.stringify(DOCS).replace('"more/missing",', ''),
    // This page is outside of the navigation, so it shows the first section.
    'open.mdx': '---\ntitle: Open\npublic: true\n---\n\nText.\n',
  }

  test('its file has the label of its pages, and other readers do not see the URL', async () => {
    using site = new TemporarySite(files)
    await site.build()
    const { entries } = builtManifest(site)
    const lists = entries.filter(({ path }) => path.startsWith('_octavo/nav/'))
    expect(lists.map(({ access }) => access)).toEqual([['staff'], ['staff']])
    const open = entries.find(({ path }) => path === 'open/index.html')
    const seenBy = (...groups: string[]) => {
      const reader = { hasSiteAccess: true, groups: new Set(groups) }
      const bytes = readFileSync(join(site.root, 'out/open/index.html'))
      const may = (access: Access) => mayRead(reader, access)
      return Buffer.from(omitRanges(bytes, open?.ranges ?? [], may)).toString()
    }
    expect(seenBy('staff')).toContain('data-tree="/_octavo/nav/')
    expect(seenBy()).not.toMatch(/data-tree="|_octavo\/nav|Basics/)
  }, 120_000)
})

describe.skipIf(!HAS_CHROMIUM)(
  `a large sidebar in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await launchChromium()
    }, 60_000)

    afterEach(() => closePages(browser))

    afterAll(() => browser?.close())

    async function open(
      path: string,
      options: Parameters<Browser['newContext']>[0] = {},
    ): Promise<{ readonly page: Page; readonly refused: string[]; readonly lists: string[] }> {
      const context = await browser.newContext({ baseURL: served.origin, ...options })
      const page = await context.newPage()
      const refused: string[] = []
      const lists: string[] = []
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      page.on('request', (request) => {
        if (request.url().includes('/_octavo/nav/')) lists.push(request.url())
      })
      await page.goto(path)
      return { page, refused, lists }
    }

    const summary = (page: Page, name: string) =>
      page.locator('#oct-sidebar summary', { hasText: new RegExp(`^${name}$`) })
    const link = (page: Page, path: string) => page.locator(`#oct-sidebar a[href="${path}"]`)

    test('a collapsed group shows all its pages when it is opened', async () => {
      const { page, refused, lists } = await open('/')
      expect(await page.locator('#oct-sidebar [data-tree]').count()).toBe(3)
      expect(lists).toEqual([])
      await summary(page, 'Basics').click()
      await link(page, '/basics/p39').waitFor()
      expect(await page.locator('#oct-sidebar [data-tree]').count()).toBe(0)
      expect([lists.length, refused]).toEqual([1, []])
    })

    test('a group inside a collapsed group can be opened with the keyboard', async () => {
      const { page } = await open('/')
      await summary(page, 'More').press('Enter')
      await summary(page, 'Deeper').press('Enter')
      await summary(page, 'Deepest').press('Enter')
      await link(page, '/deepest/p19').waitFor()
      await link(page, '/deepest/p19').press('Enter')
      await page.waitForURL('**/deepest/p19')
    })

    test('the next page is complete from the start, and opened groups stay open', async () => {
      const { page, refused, lists } = await open('/')
      await summary(page, 'Basics').click()
      await link(page, '/basics/p39').waitFor()
      await page.addInitScript(`
        addEventListener('DOMContentLoaded', () => {
          window.omitted = document.querySelectorAll('[data-tree]').length
        })
        new PerformanceObserver((list) => {
          window.shift = (window.shift ?? 0) + list.getEntries().reduce((sum, { value }) => sum + value, 0)
        }).observe({ type: 'layout-shift', buffered: true })
      `)
      await page.goto('/more/last')
      expect(await link(page, '/basics/p39').isVisible()).toBe(true)
      expect(await page.evaluate('window.omitted')).toBe(0)
      expect(await page.evaluate('window.shift ?? 0')).toBe(0)
      expect([lists.length, refused]).toEqual([1, []])
    })

    test('the focus stays on the same link when the lists arrive', async () => {
      const { page } = await open('/')
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/_octavo/nav/*', async (route) => {
        await held
        await route.continue()
      })
      await summary(page, 'Basics').press('Enter')
      await link(page, '/basics/p0').focus()
      release()
      await link(page, '/basics/p39').waitFor()
      expect(await page.evaluate('document.activeElement.pathname')).toBe('/basics/p0')
    })

    test('if the lists cannot be loaded, a group links to its first page', async () => {
      const { page } = await open('/')
      await page.route('**/_octavo/nav/*', (route) => route.abort())
      await summary(page, 'Basics').click()
      await link(page, '/basics/p0').click()
      await page.waitForURL('**/basics/p0')
      expect(await link(page, '/basics/p39').isVisible()).toBe(true)
    })

    test('the menu on a phone is completed too', async () => {
      const { page } = await open('/', { viewport: { width: 360, height: 740 }, hasTouch: true })
      await page.locator('.oct-menu-button').tap()
      await summary(page, 'Basics').tap()
      await link(page, '/basics/p39').waitFor()
    })
  },
)
