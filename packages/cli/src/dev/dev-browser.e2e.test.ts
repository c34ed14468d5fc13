/** Tests what an author sees in a browser while editing. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
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
    // A marker that disappears if the page is reloaded.
    await page.evaluate('window.mark = 1; scrollTo(0, 400)')
  })
  afterAll(async () => {
    await browser.close()
    await dev[Symbol.asyncDispose]()
  })

  const read = (expression: string) => page.evaluate<unknown>(expression)
  // A page that changed while it was opened can reload once; the next poll then counts.
  const until = (expression: string) =>
    eventually(() => read(`Boolean(${expression})`).catch(() => false), Boolean)

  const problems = () =>
    page
      .evaluate<string>('document.querySelector("octavo-dev").shadowRoot.textContent')
      .catch(() => 'no page')

  test('a save updates the text in place and keeps the scroll position', async () => {
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

  test('an error is shown over the page with place and hint until it is fixed', async () => {
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

    test('the panel shows broken links, anchors and missing images of the saved page', async () => {
      const links = '[a](/nowhere) [b](/other#no-part) [c](#nor-here) ![d](/gone.png)'
      dev.write({ 'index.mdx': PAGE(links) })
      const text = await eventually(problems, (shown) => shown.includes('gone.png'))
      expect(text).toContain('2 errors, 2 warnings')
      for (const code of ['link/broken', 'link/anchor', 'link/missing-file'])
        expect(text).toContain(code)
    })

    test('a closed panel stays closed until there is a new error', async () => {
      await panel().getByRole('button', { name: 'Close' }).click()
      await page.reload()
      await pill().waitFor()
      expect(await pill().textContent()).toBe('2 errors, 2 warnings')
      expect(await panel().count()).toBe(0)
      dev.write({ 'index.mdx': PAGE('[a](/nowhere) ![d](/gone.png) [e](/another)') })
      await panel().waitFor()
      expect(await problems()).toContain('3 errors')
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
      // The build of the whole site finds the problem too.
      await page.request.get(`${dev.origin}/llms.txt`)
      expect(dev.output.match(/Broken link: `\/printed-once`/g)).toHaveLength(1)
      dev.write({ 'index.mdx': PAGE('Mended words.') })
      await eventually(problems, (text) => !text.includes('printed-once'))
    })
  })

  test('a broken docs.json keeps the page and shows the error on top', async () => {
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
