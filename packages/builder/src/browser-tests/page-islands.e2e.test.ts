/**
 * Checks event handlers and expressions that need a browser, on built sites with their content
 * security policy.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'

const PAGES = join(import.meta.dirname, '../../../../fixtures/pages')

/** Returns the page and the snippets of a fixture, with the page at a different path. */
function fixture(name: string, page: string): Record<string, string> {
  const snippets = readdirSync(join(PAGES, name, 'snippets'))
  const read = (path: string) => readFileSync(join(PAGES, name, path), 'utf8')
  return {
    [`${page}.mdx`]: `---\ntitle: ${page}\n---\n${read('page.mdx')}`,
    ...Object.fromEntries(snippets.map((file) => [`snippets/${file}`, read(`snippets/${file}`)])),
  }
}

const FILES = {
  'docs.json': JSON.stringify({
    navigation: { pages: ['handlers', 'expressions', 'refused', 'copy', 'plain', 'a'] },
  }),
  ...fixture('handler-on-the-page-itself', 'handlers'),
  ...fixture('expression-that-needs-a-browser', 'expressions'),
  ...fixture('handler-that-cannot-run', 'refused'),
  'copy.mdx': `---
title: Copy
---
<div style={{ display: 'flex', gap: 12 }}>
  <button
    type="button"
    style={{ minHeight: 42, flex: '1 1 0' }}
    onClick={async (event) => {
      const button = event.currentTarget;
      await navigator.clipboard.writeText("A prompt");
      button.textContent = "Copied";
    }}
  >
    Copy the prompt
  </button>
  <a href="/plain" style={{ flex: '1 1 0' }}>A guide</a>
</div>
`,
  'a.mdx': '---\ntitle: A\n---\nText.\n',
  'plain.mdx': '---\ntitle: Plain\n---\nA **page** without code, <b title="x">and</b> {1 + 1}.\n',
}

describe.skipIf(!HAS_CHROMIUM)(
  `islands of pages (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser
    const problems: string[] = []

    beforeAll(async () => {
      served = await ServedSite.start(FILES)
      browser = await launchChromium()
    })

    afterEach(async () => {
      problems.length = 0
      await closePages(browser)
    })

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    async function open(path: string): Promise<{ page: Page; alerts: string[] }> {
      const context = await browser.newContext({ permissions: ['clipboard-write'] })
      const page = await context.newPage()
      const alerts: string[] = []
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message())
        void dialog.accept()
      })
      page.on('console', (message) => {
        const { url } = message.location()
        const isIcon = url.endsWith('/favicon.ico')
        if (message.type() === 'error' && !isIcon) problems.push(`${message.text()} ${url}`)
      })
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(`${served.origin}${path}`)
      await page.waitForLoadState('networkidle')
      return { page, alerts }
    }

    test('event handlers of elements can use the names that the page defines', async () => {
      const { page, alerts } = await open('/handlers')
      const content = page.locator('.oct-content')
      await content.getByText('Water now').click()
      await content.getByText('a plant').hover()
      await content.getByText('a link').focus()
      await content.getByText('words').click()
      await content.getByText('Pick Rose').click()
      await content.getByText('Greet Fern').click()
      await content.getByText('two').click()
      await content.getByRole('button', { name: 'b', exact: true }).click()
      expect(alerts).toEqual(['Rose', 'Rose', 'Rose', 'Rose', 'Rose', 'FernRose', 'Rose', 'b'])
      expect(problems).toEqual([])
    })

    test('an element with an event handler keeps its layout and works', async () => {
      const { page } = await open('/copy')
      const button = page.getByRole('button', { name: 'Copy the prompt' })
      // The button is still a flex item of the box around it.
      expect((await button.boundingBox())?.width).toBeGreaterThan(200)
      await button.click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(problems).toEqual([])
    })

    test('expressions are evaluated in the browser', async () => {
      const { page } = await open('/expressions')
      const text = page.locator('.oct-content')
      const year = new Date().getFullYear()
      await expect.poll(() => text.textContent()).toContain(`© ${year} Plants, 1,234 of them.`)
      await expect.poll(() => text.locator('p[title]').getAttribute('title')).toMatch(/Rose|Fern/)
      expect(await text.locator('p[title]').textContent()).toBe('Any plant')
      expect(await text.locator('.size-2').textContent()).toMatch(/^(?:Rose|Fern): Inside here\.$/)
      expect(await text.textContent()).toContain('Wide')
      expect(await text.textContent()).not.toContain('Narrow')
      expect(await text.textContent()).toContain('/expressions')
      expect(await text.locator('[data-component=CodeBlock], .oct-code').textContent()).toMatch(
        /WATER=0\.\d+/,
      )
      expect(problems).toEqual([])
    })

    test('code that cannot run is an error in the build, and the rest of the page is shown', async () => {
      const { page } = await open('/refused')
      expect(await page.locator('octavo-island').count()).toBe(0)
      expect(await page.locator('.oct-content').textContent()).toContain('Press')
      expect(problems).toEqual([])
    })

    test('a page without handlers and expressions loads no island script', async () => {
      const { page } = await open('/plain')
      expect(await page.locator('script[src*=islands], octavo-island').count()).toBe(0)
    })
  },
)
