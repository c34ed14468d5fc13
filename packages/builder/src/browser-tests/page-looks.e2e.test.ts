/** Measures the layout of pages in a browser: edges, gaps and sizes. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'
import type { Files } from '../../testing/temporary-site.ts'

const OPERATION = {
  summary: 'List plants',
  description: 'All plants of a garden.',
  responses: {
    200: {
      description: 'The plants.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { name: { type: 'string' } } },
          example: { name: 'Rose' },
        },
      },
    },
    404: { description: 'No such garden.' },
  },
}

const GUIDE = `---
title: Guide
---
Text.

## First

<Steps>
<Step title="One">Do one.</Step>
<Step title="Two">

Do two.

</Step>
</Steps>

<ResponseField name="first" type="string">The first.</ResponseField>
<ResponseField name="last" type="string">The last.</ResponseField>

After the fields.

<img src="/a.svg" alt="A" width="40" height="20" />

After the picture.

* [x] Loose

* [ ] And open

## Second

\`\`\`bash
npx octavo check --all --format json --output report.json --verbose
\`\`\`
`

const FILES: Files = {
  'docs.json': JSON.stringify({
    background: { decoration: 'grid' },
    navigation: {
      languages: [
        {
          language: 'en',
          tabs: [
            {
              tab: 'Guides',
              groups: [
                { group: 'Plain', pages: ['guide', 'cards', 'wide', 'updates'] },
                { group: 'Drawn', icon: 'leaf', pages: ['long', 'own', 'print'] },
              ],
            },
            { tab: 'API', openapi: 'api.json' },
          ],
        },
        { language: 'ar', pages: ['ar/guide'] },
      ],
    },
  }),
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Garden', version: '1' },
    servers: [{ url: 'https://garden.example' }],
    paths: { '/plants': { get: OPERATION } },
  }),
  'guide.mdx': GUIDE,
  'ar/guide.mdx': GUIDE,
  'cards.mdx': '---\ntitle: Cards\n---\n<Columns><Card title="x">Text.</Card></Columns>\n',
  'wide.mdx': '---\ntitle: Wide\nmode: wide\n---\nText.\n',
  'long.mdx': `---\ntitle: Long\n---\n${'## Part\n\nText.\n\n'.repeat(40)}`,
  'own.mdx': '---\ntitle: Own\nopenapi: GET /plants\n---\nBefore the fields.\n',
  'print.mdx': `---\ntitle: Print\n---\n<Warning>Hot.</Warning>\n\n\`\`\`bash lines\n${'word '.repeat(60)}\n\`\`\`\n`,
  'updates.mdx':
    '---\ntitle: Updates\n---\n<Update label="Version 1.24.0 of March">Text.</Update>\n',
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>',
}

describe.skipIf(!HAS_CHROMIUM)(
  `page layout (skipped if there is no ${CHROMIUM})`,
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

    async function open(path: string, width = 1440): Promise<Page> {
      const context = await browser.newContext({ viewport: { width, height: 900 } })
      const page = await context.newPage()
      await page.goto(`${served.origin}${path}`, { waitUntil: 'load' })
      return page
    }

    /** Returns the position of the first matching element. */
    async function box(page: Page, selector: string) {
      const found = await page.locator(selector).first().boundingBox()
      const { x = 0, y = 0, width = 0, height = 0 } = found ?? {}
      return { left: x, top: y, right: x + width, bottom: y + height, width, height }
    }

    const style = (page: Page, selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)

    test.each([1920, 1440, 1000])(
      'titles and the search field have the same left edge on all pages at a width of %i px',
      async (width) => {
        const kinds = ['/guide', '/cards', '/wide', '/updates', '/api-reference/list-plants']
        const edges = new Set<number>()
        for (const path of kinds) {
          const page = await open(path, width)
          edges.add((await box(page, 'h1')).left)
          edges.add((await box(page, '.oct-search')).left)
          edges.add((await box(page, '.oct-content:not(.oct-side) > *')).left)
        }
        expect(edges.size, [...edges].join(' ')).toBe(1)
      },
    )

    test('lines of text are at most 680 px wide', async () => {
      const page = await open('/guide', 1920)
      expect((await box(page, '.oct-content > p')).width).toBe(680)
    })

    test('Inter is rendered with intermediate font weights', async () => {
      const page = await open('/guide')
      expect(await style(page, 'h1', 'fontWeight')).toBe('650')
      expect(await page.evaluate("document.fonts.check('650 34px Inter')")).toBe(true)
    })

    test("a step's text has the same distance to the step's title with and without a paragraph", async () => {
      const page = await open('/guide')
      const gaps = await page.evaluate<
        number[]
      >(`Array.from(document.querySelectorAll('.oct-step'), (step) => {
        const title = step.querySelector('.oct-step-title')
        const texts = document.createTreeWalker(step, NodeFilter.SHOW_TEXT)
        do texts.nextNode()
        while (title.contains(texts.currentNode) || texts.currentNode.data.trim() === '')
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        const [text] = range.getClientRects()
        return Math.round(text.top - title.getBoundingClientRect().bottom)
      })`)
      const [first = 0, second = 99] = gaps
      expect(first).toBe(second)
    })

    test('the last field has a gap below it, but no border', async () => {
      const page = await open('/guide')
      expect(await style(page, '.oct-field + .oct-field', 'borderBlockEndWidth')).toBe('0px')
      const after = await box(page, 'p:has-text("After the fields.")')
      const field = await box(page, '.oct-field + .oct-field .oct-field-body')
      expect(after.top - field.bottom).toBeGreaterThanOrEqual(16)
    })

    test('an image on its own line keeps its margin', async () => {
      const page = await open('/guide')
      const gap = (await box(page, 'p:has-text("After the picture.")')).top
      expect(gap - (await box(page, '.oct-content > img')).bottom).toBe(20)
    })

    test("a task's checkbox is aligned with its text", async () => {
      const page = await open('/guide')
      const { top, bottom } = await box(page, '.task input')
      const words = await box(page, '.task p')
      expect(top).toBeGreaterThan(words.top)
      expect(bottom).toBeLessThan(words.bottom)
    })

    test.each(['/guide', '/ar/guide'])(
      'the copy button is at the right edge of the code on a phone, on the page %s',
      async (path) => {
        const page = await open(path, 390)
        const code = await box(page, '.oct-code')
        const button = await box(page, '.oct-code > .oct-copy')
        expect(code.right - button.right).toBeLessThan(10)
      },
    )

    test('the long label of a changelog entry is plain text, not a badge that wraps', async () => {
      const page = await open('/updates')
      expect(await style(page, '.oct-update-link', 'backgroundColor')).toBe('rgba(0, 0, 0, 0)')
    })

    test('the method, path and description come before the samples on a phone', async () => {
      const page = await open('/api-reference/list-plants', 390)
      const samples = await box(page, '.oct-example')
      expect((await box(page, '.oct-endpoint')).bottom).toBeLessThan(samples.top)
      expect((await box(page, 'p:has-text("All plants of a garden.")')).bottom).toBeLessThan(
        samples.top,
      )
      // The samples come before the fields.
      expect(samples.bottom).toBeLessThan((await box(page, '#responses')).top)
    })

    test("the method and path come directly below the title, before the author's text", async () => {
      const page = await open('/own', 390)
      const endpoint = await box(page, '.oct-endpoint')
      expect(endpoint.top).toBeGreaterThan((await box(page, '.oct-title')).bottom)
      const text = await box(page, 'p:has-text("Before the fields.")')
      expect(text.top).toBeGreaterThan(endpoint.bottom)
      expect(text.bottom).toBeLessThan((await box(page, '.oct-example')).top)
    })

    test('a printed callout shows its kind and icon, and numbered code wraps', async () => {
      const page = await open('/print', 700)
      await page.emulateMedia({ media: 'print' })
      expect(
        await page.evaluate(
          `getComputedStyle(document.querySelector('.oct-callout'), '::before').content`,
        ),
      ).toBe('"Warning"')
      expect(await style(page, '.oct-callout-mark', 'printColorAdjust')).toBe('exact')
      const line = await box(page, '.oct-code .line')
      expect(line.right).toBeLessThanOrEqual(700)
      expect(line.height).toBeGreaterThan(40)
    })

    test('the icons at the top of a page are inline and need no request', async () => {
      const page = await open('/long')
      expect(await page.locator('.oct-sidebar .oct-icon path').count()).toBe(1)
      const sprites = `performance.getEntriesByType('resource').filter(({ name }) => /icons-/.test(name)).length`
      expect(await page.evaluate(sprites)).toBe(0)
    })

    test('a printed page has no background decoration', async () => {
      const page = await open('/guide')
      await page.emulateMedia({ media: 'print' })
      const shown = await page.evaluate("getComputedStyle(document.body, '::before').display")
      expect(shown).toBe('none')
    })

    test('opening a page at a fragment does not use smooth scrolling', async () => {
      const page = await open('/long#part-40')
      const behavior = 'getComputedStyle(document.documentElement).scrollBehavior'
      expect(await page.evaluate(behavior)).toBe('auto')
      await page.locator('.oct-contents a').first().focus()
      expect(await page.evaluate(behavior)).toBe('smooth')
    })
  },
)
