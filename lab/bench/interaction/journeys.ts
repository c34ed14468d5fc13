/** Actions of readers on a page, step by step. Each step is measured separately. */
import type { Page } from 'playwright-core'

export type Journey = {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  /** The path of the start page; by default, that of `--page` or of the site's first page. */
  readonly path?: string
  readonly steps: readonly Step[]
}

type Step = {
  readonly name: string
  /** The selector of a required element. The step is skipped if the page does not have it. */
  readonly needs: string
  readonly act: (page: Page) => Promise<void>
}

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
/** An average reader's time between keys, which is long enough for some results to arrive. */
const LETTER_MS = 180
const QUERY = 'configure the pipelnie'

export const JOURNEYS: readonly Journey[] = [
  {
    name: 'menus',
    viewport: WIDE,
    steps: [
      press('the menu of a tab', '.oct-tabbar .oct-menu > button'),
      press('versions', '.oct-menu-version > button'),
      press('languages', '.oct-menu-language > button'),
      press('the menu of the page', '.oct-page-menu .oct-menu > button'),
    ],
  },
  {
    name: 'phone',
    viewport: PHONE,
    steps: [
      press('the drawer', '.oct-menu-button'),
      press('the links', '.oct-more'),
      press('the list of contents', '.oct-contents-button'),
      press('search', '.oct-search'),
    ],
  },
  {
    name: 'search',
    viewport: WIDE,
    steps: [
      { name: 'open', needs: '.oct-search', act: openSearch },
      { name: 'type a letter', needs: 'dialog[open]', act: typeQuery },
      { name: 'move in the results', needs: '[role=option]', act: moveInResults },
      { name: 'close', needs: 'dialog[open]', act: (page) => page.keyboard.press('Escape') },
      { name: 'open again', needs: '.oct-search', act: openSearch },
    ],
  },
]

/** Returns a step that clicks a control and closes what it opened. */
function press(name: string, selector: string): Step {
  const act = async (page: Page) => {
    await page.locator(selector).first().click()
    await page.waitForTimeout(300)
    await page.keyboard.press('Escape')
  }
  return { name, needs: selector, act }
}

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open] input:focus').waitFor()
}

async function typeQuery(page: Page): Promise<void> {
  await page.keyboard.type(QUERY, { delay: LETTER_MS })
  await page.locator(`[data-query="${QUERY}"]`).waitFor()
}

async function moveInResults(page: Page): Promise<void> {
  for (let count = 0; count < 8; count += 1) {
    await page.keyboard.press('ArrowDown')
    await page.waitForTimeout(100)
  }
}
