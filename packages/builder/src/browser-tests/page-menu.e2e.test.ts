/** Checks each option of `contextual.options` in docs.json, in a browser. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'

const TOOLS = [
  ['chatgpt', 'Open in ChatGPT', 'https://chatgpt.com/'],
  ['claude', 'Open in Claude', 'https://claude.ai/new'],
  ['perplexity', 'Open in Perplexity', 'https://www.perplexity.ai/search'],
  ['grok', 'Open in Grok', 'https://grok.com/'],
  ['aistudio', 'Open in Google AI Studio', 'https://aistudio.google.com/prompts/new_chat'],
  ['devin', 'Open in Devin', 'https://app.devin.ai/'],
  ['windsurf', 'Open in Windsurf', 'windsurf://cascade/newChat'],
  ['cursor', 'Open in Cursor', 'cursor://anysphere.cursor-deeplink/prompt'],
] as const

const OWN = {
  title: 'Ask the forum',
  description: 'With this page.',
  href: { base: 'https://forum.example/new', query: [{ key: 'text', value: '$page' }] },
}

const DOWNLOAD = 'Download the API specification'
const SPECIFICATION = 'openapi: 3.1.0\ninfo: { title: Plants, version: "1" }\npaths: {}\n'

function docs(more: object = {}): string {
  const options = ['copy', 'view', 'download-spec', 'download-pdf', ...TOOLS.map(([one]) => one)]
  return JSON.stringify({
    name: 'Garden',
    api: { openapi: 'api/plants.yaml' },
    contextual: { options: [...options, 'mcp', OWN] },
    navigation: { pages: ['index', 'install'] },
    ...more,
  })
}

const SITE = {
  'docs.json': docs(),
  'api/plants.yaml': SPECIFICATION,
  'api/pots.yaml': SPECIFICATION.replace('Plants', 'Pots'),
  'index.mdx': '---\ntitle: Start\n---\n\nText.\n',
  'install.mdx': '---\ntitle: Install\ndescription: About Install.\n---\n\nText.\n',
}

describe.skipIf(!HAS_CHROMIUM)(
  `contextual options (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let served: ServedSite
    let browser: Browser

    beforeAll(async () => {
      served = await ServedSite.start(SITE)
      browser = await launchChromium()
    }, 60_000)

    afterEach(() => closePages(browser))

    afterAll(async () => {
      await browser?.close()
      await served?.[Symbol.asyncDispose]()
    })

    type Reader = Parameters<Browser['newContext']>[0]

    const path = (page: Page) => new URL(page.url()).pathname
    const menu = (page: Page) => page.locator('#oct-page-menu')

    async function open(options: Reader = {}): Promise<Page> {
      const permissions = ['clipboard-read', 'clipboard-write']
      const context = await browser.newContext({
        permissions,
        baseURL: served.origin,
        reducedMotion: 'reduce',
        ...options,
      })
      const page = await context.newPage()
      await page.goto('/install')
      return page
    }

    async function openMenu(options: Reader = {}): Promise<Page> {
      const page = await open(options)
      await page.getByRole('button', { name: 'Actions for this page' }).click()
      return page
    }

    // Requirement P5.
    test('`copy` copies the page as Markdown and confirms it, both by button and by menu', async () => {
      const page = await open()
      await page.getByRole('button', { name: 'Copy page' }).first().click()
      await expect.poll(() => page.locator('#oct-status').textContent()).toBe('Copied')
      const copied = () => page.evaluate('navigator.clipboard.readText()')
      expect(await copied()).toMatch(/\n# Install\n\n> About Install\./)
      await page.evaluate('navigator.clipboard.writeText("")')
      await page.getByRole('button', { name: 'Actions for this page' }).click()
      await menu(page).getByRole('button', { name: 'Copy page' }).press('Enter')
      await expect.poll(copied).toMatch(/\n# Install/)
      expect(await page.locator('#oct-page-menu:popover-open').count()).toBe(0)
    })

    test('`view` opens the page as Markdown', async () => {
      const page = await openMenu()
      await menu(page).getByRole('link', { name: 'View as Markdown' }).click()
      expect(path(page)).toBe('/install.md')
    })

    test('`download-pdf` prints the page', async () => {
      const page = await openMenu()
      await page.evaluate('self.print = () => { self.isPrinted = true }')
      await menu(page).getByRole('button', { name: 'Save as PDF' }).click()
      await expect.poll(() => page.evaluate('self.isPrinted')).toBe(true)
    })

    /** Returns the URL that a menu entry would open, without loading the other site. */
    async function follow(page: Page, name: string): Promise<URL> {
      await page.evaluate('self.open = (url) => { self.opened = url }')
      await menu(page).getByRole('link', { name }).click()
      const opened = () => page.evaluate<string | undefined>('self.opened')
      await expect.poll(opened).toMatch(/^\w+:/)
      return new URL((await opened()) ?? '')
    }

    // Requirement P7.
    test.each(TOOLS)(
      "the menu option `%s` opens its tool with the URL of the page's Markdown",
      async (...tool) => {
        const [, name, address] = tool
        const url = await follow(await openMenu(), name)
        expect(url.href.startsWith(address)).toBe(true)
        expect([...url.searchParams.values()]).toContain(
          `Read ${served.origin}/install.md. I want to ask questions about it.`,
        )
      },
    )

    test("a custom menu entry receives the page's content", async () => {
      const url = await follow(await openMenu(), 'Ask the forum')
      expect(url.searchParams.get('text')).toMatch(/\n# Install\n/)
    })

    test('`mcp` is hidden on a host without an MCP server', async () => {
      const names = await menu(await openMenu())
        .locator('li')
        .allInnerTexts()
      expect(names.filter((name) => /mcp/i.test(name))).toEqual([])
    })

    test('the page menu without JavaScript shows only entries that work', async () => {
      const page = await openMenu({ javaScriptEnabled: false })
      const shown = page.locator('#oct-page-menu :is(a, button):visible > span')
      expect(await shown.allInnerTexts()).toEqual(['View as Markdown', DOWNLOAD])
    })

    describe('the `download-spec` option (playground rule 4)', () => {
      async function downloadedFrom(config: string): Promise<string | undefined> {
        served.site.write({ 'docs.json': config })
        await served.site.build()
        const page = await openMenu()
        const entry = menu(page).getByRole('link', { name: DOWNLOAD })
        if ((await entry.count()) === 0) return
        const download = page.waitForEvent('download')
        await entry.click()
        return (await download).suggestedFilename()
      }

      // Requirements P6, Y5, Y6.
      test('`download-spec` downloads one specification, or several as api-specs.zip', async () => {
        expect(await downloadedFrom(docs())).toBe('plants.yaml')
        const openapi = ['api/plants.yaml', 'api/pots.yaml']
        expect(await downloadedFrom(docs({ api: { openapi } }))).toBe('api-specs.zip')
      })

      // Requirement Y7.
      test.each(['auth', 'userAuth'])(
        'the menu option `download-spec` is hidden if `%s` protects the site',
        async (key) => {
          expect(await downloadedFrom(docs({ [key]: { partial: true } }))).toBe(undefined)
        },
      )
    })
  },
)
