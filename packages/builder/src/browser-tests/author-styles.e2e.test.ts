/** Checks in a browser how an author's stylesheets, scripts and classes affect pages. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'
import type { Files } from '../../testing/temporary-site.ts'

const FILES: Files = {
  'docs.json': JSON.stringify({
    logo: '/a.svg',
    contextual: { options: ['copy'] },
    navbar: { primary: { type: 'button', label: 'Go', href: '/page' } },
    navigation: { groups: [{ group: 'All', pages: ['page', 'home', 'other'] }] },
  }),
  'home.mdx': '---\ntitle: Home\nmode: custom\n---\n<a className="my-button" href="/page">Go</a>\n',
  'page.mdx': `---
title: Page
---
<button className="px-3 rounded bg-zinc-950">Press</button>

<div className="box">Box</div>

After the box.

<style>{\`.only-here { opacity: 0.25 }\`}</style>

<p className="only-here">Here.</p>

<Card title="Card">Text.</Card>

<a className="my-button" style={{ display: 'inline-flex' }} href="/other">

Get started

</a>

export const Counter = () => {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>{count}</button>
}

<Counter />

After the island.

## Banner

Text.

## Last

Text.
`,
  'other.mdx': '---\ntitle: Other\n---\n<p className="only-here">There.</p>\n',
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>',
  'own.css': `@layer base { h2 { font-size: 1px } }
.my-button { color: rgb(255, 255, 255) }
#navbar { background: rgb(10, 20, 30) }
#topbar-cta-button a { color: rgb(40, 50, 60) }
.nav-logo { opacity: 0.5 }
#sidebar-content { padding-top: 7px }
#content-area .eyebrow { display: none }
#content-area h1 { color: rgb(70, 80, 90) }
.mdx-content p { color: rgb(11, 12, 13) }
.card { outline: 3px solid rgb(1, 1, 1) }
#banner { color: rgb(9, 9, 9) }
h2 { color: rgb(60, 0, 0) }
`,
  'own.js': `const sign = document.createElement('div')
sign.innerHTML = '<svg id="sign" class="size-5 flex-none" viewBox="0 0 1 1"></svg>'
document.body.prepend(sign)
`,
}

describe.skipIf(!HAS_CHROMIUM)(
  `author styles (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser

    beforeAll(async () => {
      served = await ServedSite.start(FILES)
      browser = await launchChromium()
    })

    afterEach(() => closePages(browser))

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    async function open(path: string): Promise<Page> {
      const page = await (await browser.newContext()).newPage()
      await page.goto(`${served.origin}${path}`, { waitUntil: 'load' })
      return page
    }

    const style = (page: Page, selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)

    test("an author's class overrides the theme's link styles", async () => {
      expect(await style(await open('/home'), '.my-button', 'color')).toBe('rgb(255, 255, 255)')
    })

    test("an author's element rule overrides the theme, but a reset in a cascade layer does not", async () => {
      const page = await open('/page')
      expect(await style(page, '#last', 'color')).toBe('rgb(60, 0, 0)')
      expect(await style(page, '#last', 'fontSize')).toBe('23px')
    })

    test.each([
      ['#navbar', 'backgroundColor', 'rgb(10, 20, 30)'],
      ['#topbar-cta-button a', 'color', 'rgb(40, 50, 60)'],
      ['.nav-logo', 'opacity', '0.5'],
      ['#sidebar-content', 'paddingTop', '7px'],
      ['#content-area h1', 'color', 'rgb(70, 80, 90)'],
      ['.mdx-content p', 'color', 'rgb(11, 12, 13)'],
      ['.oct-card', 'outlineWidth', '3px'],
    ])('authors can style %s', async (selector, name, value) => {
      expect(await style(await open('/page'), selector, name)).toBe(value)
    })

    test('a heading keeps its id, and ids that no stylesheet names are not added', async () => {
      const page = await open('/page')
      expect(await page.locator('#banner').count()).toBe(1)
      expect(await page.locator('h2#banner').count()).toBe(1)
      expect(await page.locator('#footer').count()).toBe(0)
    })

    test('classes of elements that a script creates have styles', async () => {
      const page = await open('/page')
      expect(await style(page, '#sign', 'width')).toBe('20px')
    })

    test('a button with utility classes has no browser default styles', async () => {
      const page = await open('/page')
      expect(await style(page, '.px-3', 'borderTopWidth')).toBe('0px')
      expect(await style(page, '.px-3', 'paddingLeft')).toBe('12px')
      expect(await style(page, '.px-3', 'backgroundColor')).toBe('rgb(9, 9, 11)')
    })

    test("a paragraph after an author's block keeps its margin", async () => {
      const page = await open('/page')
      const bottom = (await page.locator('.box').boundingBox())?.y ?? 0
      const height = (await page.locator('.box').boundingBox())?.height ?? 0
      const top = (await page.locator('p:has-text("After the box.")').boundingBox())?.y ?? 0
      expect(top - bottom - height).toBe(20)
    })

    test('a paragraph after an island keeps its margin', async () => {
      const page = await open('/page')
      const island = await page.locator('octavo-island').boundingBox()
      const after = await page.locator('p:has-text("After the island.")').boundingBox()
      // The island is part of a line that is taller than the island.
      const gap = (after?.y ?? 0) - (island?.y ?? 0) - (island?.height ?? 0)
      expect(gap).toBeGreaterThanOrEqual(20)
    })

    test('a paragraph that is the label of a button has no margin', async () => {
      expect(await style(await open('/page'), '.my-button > p', 'marginBottom')).toBe('0px')
    })

    test('the page menu is in the row of the title if the line above the title is hidden', async () => {
      const page = await open('/page')
      const title = await page.locator('h1').boundingBox()
      const menu = await page.locator('.oct-page-menu').boundingBox()
      expect(Math.abs((menu?.y ?? 0) - (title?.y ?? 99))).toBeLessThan(8)
    })

    test('`<style>` in a page applies only to that page', async () => {
      expect(await style(await open('/page'), '.only-here', 'opacity')).toBe('0.25')
      expect(await style(await open('/other'), '.only-here', 'opacity')).toBe('1')
    })
  },
)
