/** Opens pages in every state that a reader can reach, and checks each state with axe-core. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { findFaults } from '../../testing/find-faults.ts'
import { NAVIGATION_SITE } from '../../testing/navigation-site.ts'
import { ServedSite } from '../../testing/served-site.ts'

const WIDE = 1280
const TABLET = 820
const PHONE = 360

type Scheme = 'light' | 'dark'
type State = readonly [
  name: string,
  path: string,
  width: number,
  scheme: Scheme,
  press?: string,
  query?: string,
]

const MENUS = {
  version: '.oct-menu-version > button',
  language: '.oct-menu-language > button',
  tab: '.oct-tabbar .oct-menu > button',
  page: '.oct-page-menu .oct-menu > button',
  parts: '.oct-sidebar > .oct-menu > button',
  drawer: '.oct-menu-button',
  links: '.oct-more',
  contents: '.oct-contents-button',
} as const

const SEARCH = '.oct-search'

const STATES: readonly State[] = [
  ['a page', '/', WIDE, 'light'],
  ['a page', '/', WIDE, 'dark'],
  ['a listing of cards', '/cards/root', WIDE, 'light'],
  ['the page that is not there', '/404.html', WIDE, 'light'],
  ['versions', '/', WIDE, 'light', MENUS.version],
  ['versions', '/', WIDE, 'dark', MENUS.version],
  ['languages', '/', WIDE, 'light', MENUS.language],
  ['the menu of a tab', '/', WIDE, 'light', MENUS.tab],
  ['the menu of a tab', '/', WIDE, 'dark', MENUS.tab],
  ['the menu of the page', '/', WIDE, 'light', MENUS.page],
  ['the menu of the page', '/', WIDE, 'dark', MENUS.page],
  ['products', '/pots/start', WIDE, 'light', MENUS.parts],
  ['dropdowns', '/web/start', WIDE, 'dark', MENUS.parts],
  ['contents', '/', TABLET, 'light', MENUS.contents],
  ['a phone', '/', PHONE, 'light'],
  ['a phone', '/', PHONE, 'dark'],
  ['the drawer', '/closed/deep', PHONE, 'light', MENUS.drawer],
  ['the drawer', '/closed/deep', PHONE, 'dark', MENUS.drawer],
  ['the links', '/', PHONE, 'light', MENUS.links],
  ['from the right', '/ar/index', WIDE, 'light'],
  ['from the right', '/ar/index', WIDE, 'dark', MENUS.page],
  ['the drawer from the right', '/ar/index', PHONE, 'light', MENUS.drawer],
  ['Japanese', '/jp/index', WIDE, 'light', MENUS.page],
  ['German', '/de/index', PHONE, 'light', MENUS.links],
  ['search', '/', WIDE, 'light', SEARCH],
  ['search', '/', WIDE, 'dark', SEARCH],
  ['search with results', '/', WIDE, 'light', SEARCH, 'second page'],
  ['search with results', '/', WIDE, 'dark', SEARCH, 'second page'],
  ['search with results', '/', PHONE, 'light', SEARCH, 'second page'],
  ['search with results from the right', '/ar/index', WIDE, 'light', SEARCH, 'البداية'],
  ['search with results from the right', '/ar/index', PHONE, 'dark', SEARCH, 'البداية'],
  ['search with results in Japanese', '/jp/index', WIDE, 'light', SEARCH, 'インストール'],
  ['search without results', '/', WIDE, 'light', SEARCH, 'zzzzz'],
  ['search without results', '/de/index', PHONE, 'dark', SEARCH, 'zzzzz'],
]

const NAMED_STATES = STATES.map((state) => ({ name: state.slice(0, 4).join(', '), state }))

describe.skipIf(!HAS_CHROMIUM)(
  `states of a page (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser

    beforeAll(async () => {
      served = await ServedSite.start(NAVIGATION_SITE)
      browser = await launchChromium()
    }, 60_000)

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    test.each(NAMED_STATES)('$name: axe finds no accessibility problems', async ({ state }) => {
      const page = await openState(state)
      expect(await findFaults(page)).toEqual([])
      await page.close()
    })

    async function openState(state: State): Promise<Page> {
      const [, path, width, colorScheme, press, query] = state
      const viewport = { width, height: 800 }
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
      await page.goto(served.origin + path)
      if (press === undefined) return page
      await page.locator(press).click()
      await page.locator(':popover-open, dialog[open]').waitFor()
      if (query !== undefined) await page.locator('dialog input').fill(query)
      if (press === SEARCH) {
        const answer = page.locator(`dialog [data-query="${query ?? ''}"]`)
        await answer.waitFor({ state: 'attached' })
      }
      // Wait until all animations have finished, because axe measures colors.
      await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished))')
      return page
    }
  },
)
