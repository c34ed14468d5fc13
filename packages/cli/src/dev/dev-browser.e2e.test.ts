/** Tests what an author sees in a browser while editing. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, RunningDev } from '../../testing/dev/running-dev.ts'

const CHROMIUM = '/usr/bin/chromium'
const LONG = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n')
const TABS = (text: string) =>
  `<Tabs>\n<Tab title="One">First.</Tab>\n<Tab title="Two">${text}</Tab>\n</Tabs>\n`
const PAGE = (text: string, title = 'Start') =>
  `---\ntitle: ${title}\n---\n\n${TABS('Second.')}\n${LONG}\n\n${text}\n`
const CONFIG = (name: string) =>
  JSON.stringify({
    name,
    navigation: { pages: ['index', 'other'] },
    colors: { primary: '#0D9373' },
  })

describe.skipIf(!existsSync(CHROMIUM))(`octavo dev in a browser (needs ${CHROMIUM})`, () => {
  let browser: Browser
  let dev: RunningDev
  let page: Page

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
    dev = await RunningDev.start({
      'docs.json': CONFIG('First name'),
      'index.mdx': PAGE('The old words.'),
      'other.mdx': '---\ntitle: Other\n---\nOther.\n',
      'style.css': 'html { --mine: 1 }',
    })
    page = await browser.newPage({ viewport: { width: 1200, height: 700 } })
    await page.goto(`${dev.origin}/`)
    await page.locator('octavo-dev').waitFor({ state: 'attached' })
    // This marker disappears if the page is reloaded.
    await page.evaluate('window.mark = 1; scrollTo(0, 400)')
  })
  afterAll(async () => {
    await browser.close()
    await dev[Symbol.asyncDispose]()
  })

  const read = (expression: string) => page.evaluate<unknown>(expression)
  // A page that changed while it was opened may reload once. The next poll then succeeds.
  const until = (expression: string) =>
    eventually(() => read(`Boolean(${expression})`).catch(() => false), Boolean)

  const problems = () =>
    page
      .evaluate<string>('document.querySelector("octavo-dev").shadowRoot.textContent')
      .catch(() => 'no page')

  test('a saved file updates the open page in place and keeps the scroll position', async () => {
    dev.write({ 'index.mdx': PAGE('The new words.') })
    expect(await until('document.body.textContent.includes("The new words.")')).toBe(true)
    expect(await read('[window.mark, scrollY]')).toEqual([1, 400])
  })

  test('a selected tab stays selected while its text changes', async () => {
    await page.getByRole('tab', { name: 'Two' }).click()
    dev.write({ 'index.mdx': PAGE('The new words.').replace(TABS('Second.'), TABS('Changed.')) })
    await until('document.body.textContent.includes("Changed.")')
    expect(await page.getByText('Changed.').isVisible()).toBe(true)
    expect(await read('window.mark')).toBe(1)
  })

  test('a changed title of another page is updated in the navigation', async () => {
    dev.write({ 'other.mdx': '---\ntitle: Renamed\n---\nOther.\n' })
    expect(
      await until(
        'document.querySelector("nav a[href=\\"/other\\"]").textContent.includes("Renamed")',
      ),
    ).toBe(true)
    expect(await read('window.mark')).toBe(1)
  })

  test("a changed docs.json updates the page's name and colors", async () => {
    const color = await read(
      'getComputedStyle(document.querySelector("[aria-current=page]")).color',
    )
    dev.write({ 'docs.json': CONFIG('Second name').replace('#0D9373', '#7700bb') })
    expect(await until('document.title.includes("Second name")')).toBe(true)
    await until(
      `getComputedStyle(document.querySelector("[aria-current=page]")).color !== "${String(color)}"`,
    )
    expect(await read('window.mark')).toBe(1)
  })

  test('a changed custom stylesheet is reloaded', async () => {
    dev.write({ 'style.css': 'html { --mine: 7 }' })
    expect(
      await until('getComputedStyle(document.documentElement).getPropertyValue("--mine") === "7"'),
    ).toBe(true)
    expect(await read('window.mark')).toBe(1)
  })

  test('an error is shown on top of the page, with its place and hint, until it is fixed', async () => {
    dev.write({ 'index.mdx': `${PAGE('The new words.')}\n<Crad>x</Crad>\n` })
    const shown = await eventually(problems, (text) => text.includes('1 error'))
    expect(shown).toContain('index.mdx:')
    expect(shown).toContain('Did you mean')
    dev.write({ 'index.mdx': PAGE('Mended words.') })
    const after = await eventually(problems, (text) => !text.includes('1 error'))
    expect(after).not.toContain('1 error')
  })

  describe('problem panel', () => {
    const panel = () => page.locator('octavo-dev').getByRole('region', { name: 'Problems' })
    const pill = () => page.locator('octavo-dev .badge')

    test('the problem panel shows broken links, broken anchors and missing images of the saved page', async () => {
      const links = '[a](/nowhere) [b](/other#no-part) [c](#nor-here) ![d](/gone.png)'
      dev.write({ 'index.mdx': PAGE(links) })
      const text = await eventually(problems, (shown) => shown.includes('gone.png'))
      expect(text).toContain('2 errors, 2 warnings')
      for (const code of ['link/broken', 'link/anchor', 'link/missing-file'])
        expect(text).toContain(code)
    })

    test('a closed problem panel stays closed until there is a new error', async () => {
      await panel().getByRole('button', { name: 'Close' }).click()
      await page.reload()
      await pill().waitFor()
      expect(await pill().textContent()).toBe('2 errors, 2 warnings')
      expect(await panel().count()).toBe(0)
      dev.write({ 'index.mdx': PAGE('[a](/nowhere) ![d](/gone.png) [e](/another)') })
      await panel().waitFor()
      expect(await problems()).toContain('3 errors')
    })

    test('the problem panel has a caret below the column, and the font and colors of the site', async () => {
      dev.write({ 'index.mdx': PAGE('Some text and <tip>help</tip>.') })
      const row = panel().locator('pre').filter({ hasText: 'Some text and' })
      await row.waitFor()
      expect(await row.textContent()).toMatch(/^(\d+) │ (Some text and )<tip>.*\n +│ \2\^$/)
      const panelNode = 'document.querySelector("octavo-dev").shadowRoot.querySelector(".panel")'
      const style = async (name: string) =>
        String(await read(`getComputedStyle(${panelNode}).getPropertyValue("${name}")`))
      const siteFont = await read('getComputedStyle(document.body).fontFamily')
      expect(await style('font-family')).toContain(String(siteFont))
      const light = await style('background-color')
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await style('background-color')).not.toBe(light)
      await page.emulateMedia({ colorScheme: 'light' })
    })

    test('the problem panel and its button do not cover the sidebar', async () => {
      const edge = await read(
        'document.querySelector(".oct-sidebar").getBoundingClientRect().right',
      )
      expect((await panel().boundingBox())?.x).toBeGreaterThan(Number(edge))
      await panel().getByRole('button', { name: 'Close' }).click()
      expect((await pill().boundingBox())?.x).toBeGreaterThan(Number(edge))
      await pill().click()
    })

    test('the button "Fix" changes the file as `octavo check --fix` does', async () => {
      dev.write({ 'index.mdx': PAGE('One <tip>help</tip>, two <br>, three [a](/nowhere).') })
      await panel().getByText('never closed').waitFor()
      const fixes = panel().getByRole('button', { name: /^Fix/ })
      expect(await fixes.count(), 'a broken link has no exact fix').toBe(2)
      await fixes.first().press('Enter')
      await eventually(
        () => fixes.count(),
        (count) => count === 1,
      )
      const focused = 'document.querySelector("octavo-dev").shadowRoot.activeElement.className'
      expect(await read(focused), 'the keyboard stays in the panel').not.toBe('')
      expect(readFileSync(join(dev.folder, 'index.mdx'), 'utf8')).toBe(
        PAGE('One <Tip>help</Tip>, two <br>, three [a](/nowhere).'),
      )
      dev.write({ 'index.mdx': PAGE('Fine.') })
      await panel().waitFor({ state: 'detached' })
    })

    test('a page of another site cannot apply a fix', async () => {
      const wrong = PAGE('One <tip>help</tip>.')
      dev.write({ 'index.mdx': wrong })
      await panel().getByRole('button', { name: 'Fix' }).waitFor()
      const place = { file: 'index.mdx', line: wrong.split('\n').length - 1, column: 5 }
      const message = '`<tip>` is not allowed on a page, so only its content is shown.'
      const body = JSON.stringify({ ...place, code: 'content/tag', message })
      await using other = await serve('<!doctype html><title>Other</title>')
      const foreign = await browser.newPage()
      await foreign.goto(other.origin)
      // The requests cover CORS with and without a preflight, and `no-cors`.
      for (const type of ['application/json', 'text/plain'])
        for (const mode of ['cors', 'no-cors'])
          await foreign.evaluate(([url, options]) => fetch(url, options).catch(() => undefined), [
            `${dev.origin}/_octavo/dev/fix`,
            { method: 'POST', mode, body, headers: { 'content-type': type } } as object,
          ] as const)
      await foreign.close()
      const send = (origin: string) =>
        page.request.post(`${dev.origin}/_octavo/dev/fix`, {
          headers: { 'content-type': 'application/json', origin },
          data: body,
        })
      expect((await send(other.origin)).status()).toBe(403)
      expect((await send('null')).status()).toBe(403)
      const text = () => readFileSync(join(dev.folder, 'index.mdx'), 'utf8')
      expect(text()).toBe(wrong)
      // A page of this server may send the same request.
      expect((await send(dev.origin)).status()).toBe(204)
      expect(text()).toBe(PAGE('One <Tip>help</Tip>.'))
      expect((await send(dev.origin)).status(), 'applied twice').toBeGreaterThanOrEqual(400)
    })

    test('errors in other files are shown only as a count in the corner', async () => {
      dev.write({ 'index.mdx': PAGE('Fine.'), 'far.mdx': '---\ntitle: [\n---\nFar.\n' })
      await eventually(problems, (text) => text.includes('far.mdx'))
      expect(await panel().count(), 'the file that was just saved').toBe(1)
      dev.write({ 'other.mdx': '---\ntitle: Renamed\n---\nOther words.\n' })
      await page.goto(`${dev.origin}/other`)
      await pill().waitFor()
      expect(await pill().textContent()).toMatch(/^1 error/)
      expect(await panel().count()).toBe(0)
      rmSync(join(dev.folder, 'far.mdx'))
      await pill().waitFor({ state: 'detached' })
      dev.write({ 'index.mdx': PAGE('Mended words.') })
      await page.goto(`${dev.origin}/`)
      expect(await until('document.body.textContent.includes("Mended words.")')).toBe(true)
    })

    test('a problem is printed once even if its line moves', async () => {
      const wrong = '[a](/printed-once)'
      dev.write({ 'index.mdx': PAGE(wrong) })
      await eventually(problems, (text) => text.includes('printed-once'))
      dev.write({ 'index.mdx': PAGE(`One line more.\n\n${wrong}`) })
      const done = dev.output.length
      await eventually(
        () => dev.output.slice(done),
        (text) => text.includes('index.mdx'),
      )
      // This request makes the server build the whole site, which finds the problem too.
      await page.request.get(`${dev.origin}/llms.txt`)
      expect(dev.output.match(/Broken link: `\/printed-once`/g)).toHaveLength(1)
      dev.write({ 'index.mdx': PAGE('Mended words.') })
      await eventually(problems, (text) => !text.includes('printed-once'))
    })
  })

  test('each time a page is removed, the problem panel opens with all links to it', async () => {
    const other = '---\ntitle: Renamed\n---\nOther words.\n'
    dev.write({ 'far.mdx': '---\ntitle: Far\n---\nSee [other](/other).\n' })
    const panel = page.locator('octavo-dev').getByRole('region', { name: 'Problems' })
    const printed = (text: string) => dev.output.split(text).length - 1
    const before = printed('nav/missing-page')
    for (const time of [1, 2]) {
      rmSync(join(dev.folder, 'other.mdx'))
      await panel.getByText('far.mdx:').waitFor()
      expect(await problems()).toMatch(/docs\.json:1:\d+nav\/missing-page/)
      const count = () => printed('nav/missing-page') - before
      expect(await eventually(count, (now) => now === time)).toBe(time)
      expect(printed('far.mdx:4:13  link/broken')).toBe(time)
      dev.write({ 'other.mdx': other })
      await panel.waitFor({ state: 'detached' })
    }
    rmSync(join(dev.folder, 'far.mdx'))
  })

  test('the 404 page does not suggest a removed page', async () => {
    await page.request.get(`${dev.origin}/llms.txt`)
    rmSync(join(dev.folder, 'other.mdx'))
    await page.goto(`${dev.origin}/other`)
    await page.getByText('Page not found').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('#oct-suggestions a[href="/other"]').count()).toBe(0)
    dev.write({ 'other.mdx': '---\ntitle: Renamed\n---\nOther words.\n' })
    await page.goto(`${dev.origin}/`)
  })

  test('if docs.json is broken, the open page remains and shows the error on top', async () => {
    // The page from the previous test may still be loading.
    expect(await until('document.body.textContent.includes("Mended words.")')).toBe(true)
    await page.evaluate('window.mark = 1')
    dev.write({ 'docs.json': '{"name"' })
    expect(await eventually(problems, (text) => text.includes('docs.json:1'))).toContain(
      'docs.json:1',
    )
    expect(await page.getByText('Mended words.').count()).toBe(1)
    dev.write({ 'docs.json': CONFIG('Third name') })
    expect(await until('document.title.includes("Third name")')).toBe(true)
    expect(await read('window.mark')).toBe(1)
  })

  test('a missing page appears as soon as it is created', async () => {
    await page.goto(`${dev.origin}/new/page`)
    await page.locator('octavo-dev').waitFor({ state: 'attached' })
    mkdirSync(join(dev.folder, 'new'))
    writeFileSync(join(dev.folder, 'new/page.mdx'), '---\ntitle: New\n---\nBrand new.\n')
    await page.getByText('Brand new.').waitFor()
    rmSync(join(dev.folder, 'new'), { recursive: true })
    await page.getByText('Brand new.').waitFor({ state: 'detached' })
  })
})

/** Serves a page from another origin. */
async function serve(html: string): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
