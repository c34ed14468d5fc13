/**
 * Tests the entries `mcp`, `add-mcp` and `vscode` of the page menu in Chromium, on a hosted site.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GARDEN, newAssistantSite, startAssistantService } from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { HAS_CHROMIUM, launchFor } from '../../../testing/panel-site.ts'
import type { TestService } from '../../../testing/test-service.ts'

const FILES = {
  ...GARDEN,
  'docs.json': JSON.stringify({
    name: 'Garden',
    contextual: { options: ['view', 'mcp', 'add-mcp', 'vscode'] },
    navigation: { pages: ['water', 'soil'] },
  }),
}

let service: TestService
let browser: Browser
beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  service = await startAssistantService()
  browser = await launchFor(service.port)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** Opens the page menu on a new site. Also returns the expected URL of the MCP server. */
async function openMenu(basePath = '', options: { readonly javaScriptEnabled?: boolean } = {}) {
  const built = await builtSite(
    FILES,
    basePath === '' ? undefined : `https://example.com${basePath}/`,
  )
  const site = await newAssistantSite(service, built)
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ permissions, ...options })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(`http://${site.host}${basePath}/soil`)
  await open(page)
  return { page, site, errors, mcp: `http://${site.host}${basePath}/mcp` }
}

/** Opens the menu, which closes each time an entry is used. */
const open = (page: Page) => page.getByRole('button', { name: 'Actions for this page' }).click()
const menu = (page: Page) => page.locator('#oct-page-menu')
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

describe.skipIf(!HAS_CHROMIUM)('the page menu', { timeout: 120_000 }, () => {
  test.each(['', '/docs'])(
    'the page menu of a site with the base path "%s" contains the URL of its MCP server',
    async (basePath) => {
      const { page, site, errors, mcp } = await openMenu(basePath)
      await menu(page).getByRole('button', { name: 'MCP URL' }).click()
      await expect.poll(() => copied(page)).toBe(mcp)
      const answer = await site.call('POST', `${basePath}/mcp`, {
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })
      expect(answer.text).toContain('search_docs')
      await open(page)
      await menu(page).getByRole('button', { name: 'npx add-mcp' }).click()
      await expect.poll(() => copied(page)).toBe(`npx add-mcp ${mcp}`)
      await open(page)
      const href = await menu(page).getByRole('link', { name: 'VS Code' }).getAttribute('href')
      const [scheme, server = ''] = (href ?? '').split('?')
      expect(scheme).toBe('vscode:mcp/install')
      expect(JSON.parse(decodeURIComponent(server))).toEqual({
        name: 'Garden',
        type: 'http',
        url: mcp,
      })
      expect(errors).toEqual([])
    },
  )

  test('the page menu contains no MCP entries without JavaScript', async () => {
    const { page } = await openMenu('', { javaScriptEnabled: false })
    expect(await menu(page).locator(':is(a, button):visible > span').allInnerTexts()).toEqual([
      'View as Markdown',
    ])
  })
})
