/** Checks the filters of the search dialog and the number of results in a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../../testing/chromium.ts'
import { ServedSite } from '../../../testing/served-site.ts'

const page = (title: string) => `---\ntitle: ${title}\n---\n\n## Moss\n\nMoss likes shade.\n`
const names = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}`)
const pages = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [`${path}.mdx`, page(`Page ${path}`)]))

const GUIDES = names('guides', 60)
const RECIPES = names('recipes', 1)

describe.skipIf(!HAS_CHROMIUM)(
  `search filters in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let browser: Browser

    beforeAll(async () => {
      browser = await launchChromium()
    })

    afterEach(() => closePages(browser))

    afterAll(() => browser?.close())

    async function ask(served: ServedSite, query: string): Promise<Page> {
      const context = await browser.newContext({ baseURL: served.origin })
      const tab = await context.newPage()
      await tab.goto('/')
      await tab.keyboard.press('Control+k')
      await tab.locator('dialog[open] input').fill(query)
      await tab.locator('.oct-search-count').filter({ hasText: /\d/ }).waitFor()
      return tab
    }

    test('the tabs of the site filter the results, and the number of results is announced', async () => {
      await using served = await ServedSite.start({
        'docs.json': JSON.stringify({
          name: 'Garden',
          navigation: {
            tabs: [
              { tab: 'Guides', pages: ['index', ...GUIDES.slice(0, 2)] },
              { tab: 'Recipes', pages: RECIPES },
              { tab: 'Tools', pages: ['rake'] },
            ],
          },
        }),
        'index.mdx': '---\ntitle: Welcome\n---\n\nA garden.\n',
        'rake.mdx': '---\ntitle: Rake\n---\n\nFor leaves.\n',
        ...pages([...GUIDES.slice(0, 2), ...RECIPES]),
      })
      const tab = await ask(served, 'moss')
      const filters = tab.locator('.oct-search-filters button')
      expect(await filters.allTextContents()).toEqual(['All 3', 'Guides 2', 'Recipes 1', 'Tools 0'])
      const count = tab.locator('.oct-search-count')
      expect(await count.getAttribute('role')).toBe('status')
      expect(await count.textContent()).toBe('Results: 3')

      await filters.nth(2).click()
      await count.filter({ hasText: 'Results: 1' }).waitFor()
      const titles = tab.locator('a[data-kind=page] .oct-found-name')
      expect(await titles.allTextContents()).toEqual(['Page recipes/0'])
      expect(await filters.nth(2).getAttribute('aria-pressed')).toBe('true')
      // The arrow keys still work, because the field has the focus again.
      expect(await tab.locator('dialog input:focus').count()).toBe(1)
      await tab.locator('dialog input').fill('shade')
      await tab.locator('[data-query=shade]').waitFor()
      expect(await titles.allTextContents()).toEqual(['Page recipes/0'])

      await filters.nth(3).click()
      await tab.getByText('No results for “shade”.').waitFor()
      expect(await count.textContent()).toBe('Results: 0')
      await tab.locator('dialog input').fill('')
      await expect.poll(() => count.textContent()).toBe('')
      expect(await filters.count()).toBe(0)
    })

    test('a site with pages in only one tab has no filters, and results end at a limit', async () => {
      await using served = await ServedSite.start({
        'docs.json': JSON.stringify({
          name: 'Garden',
          navigation: { tabs: [{ tab: 'Guides', pages: ['index', ...GUIDES] }] },
        }),
        'index.mdx': '---\ntitle: Welcome\n---\n\nA garden.\n',
        ...pages(GUIDES),
      })
      const tab = await ask(served, 'moss')
      expect(await tab.locator('.oct-search-filters button').count()).toBe(0)
      expect(await tab.locator('.oct-search-count').textContent()).toBe('Results: 48+')
    })
  },
)
