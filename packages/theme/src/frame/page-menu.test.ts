/** Tests each `contextual` option of docs.json. The menu's browser tests are in the builder. */
import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'

type Written = Readonly<Record<string, unknown>>

function menuOf(options: readonly unknown[], more: Written = {}, fields: Written = {}): string {
  const { frame, view } = sampleFrame(
    { contextual: { options }, navigation: { pages: ['guides/start'] }, ...more },
    { specificationUrl: '/api/plants.yaml' },
  )
  const page = frame.renderPage({
    ...view('guides/start', fields),
    markdownUrl: '/guides/start.md',
  })
  return /<div class="oct-page-menu">.*?<\/header>/s.exec(page)?.[0].replace('</header>', '') ?? ''
}

/** Returns the link of a menu with one entry. */
function addressOf(option: unknown): string {
  const found = /href="([^"]*)"/.exec(menuOf([option]))?.[1] ?? ''
  return found.replaceAll('&amp;', '&')
}

describe('contextual options', () => {
  test('`copy` is a button that is hidden until its script has loaded', () => {
    expect(menuOf(['copy'])).toBe(
      '<div class="oct-page-menu"><button type="button" hidden data-oct="copy-page" data-url="/guides/start.md"><i class="oct-sign"></i><span>Copy page</span><small>As Markdown, for an assistant</small></button></div>',
    )
  })

  test('`view` opens the page as Markdown', () => {
    expect(addressOf('view')).toBe('/guides/start.md')
  })

  test('`download-spec` downloads the specification', () => {
    expect(menuOf(['download-spec'])).toContain('<a href="/api/plants.yaml" download>')
  })

  test.each(['auth', 'userAuth'])(
    'the menu option `download-spec` is omitted if `%s` protects the site',
    (key) => {
      expect(menuOf(['download-spec'], { [key]: { partial: true } })).toBe('')
    },
  )

  test('`download-pdf` prints the page', () => {
    expect(menuOf(['download-pdf'])).toContain('hidden data-oct="print"')
  })

  test.each([
    ['chatgpt', 'https://chatgpt.com/?hints=search&q='],
    ['claude', 'https://claude.ai/new?q='],
    ['perplexity', 'https://www.perplexity.ai/search?q='],
    ['grok', 'https://grok.com/?q='],
    ['aistudio', 'https://aistudio.google.com/prompts/new_chat?prompt='],
    ['devin', 'https://app.devin.ai/?prompt='],
    ['windsurf', 'windsurf://cascade/newChat?prompt='],
    ['devin-desktop', 'windsurf://cascade/newChat?prompt='],
    ['cursor', 'cursor://anysphere.cursor-deeplink/prompt?text='],
  ])("the menu option `%s` opens its tool with the page's Markdown URL", (option, address) => {
    const prompt =
      'Read https://docs.example.com/guides/start.md. I want to ask questions about it.'
    expect(addressOf(option)).toBe(address + encodeURIComponent(prompt))
  })

  test("the assistant entry is hidden until a host's script shows it, and never comes first", () => {
    const entry = '<button type="button" hidden data-assistant>'
    expect(menuOf(['assistant'])).toContain(entry)
    const menu = menuOf(['assistant', 'view'])
    expect(menu.indexOf('View as Markdown')).toBeLessThan(menu.indexOf(entry))
  })

  test.each([
    ['mcp', '<button type="button" hidden data-mcp="{mcp}">'],
    ['add-mcp', '<button type="button" hidden data-mcp="npx add-mcp {mcp}">'],
    ['vscode', 'url%22%3A%22%7Bmcp%7D%22%7D" hidden data-mcp>'],
  ])('the menu option `%s` is hidden until a host with an MCP server shows it', (option, entry) => {
    expect(menuOf([option])).toContain(entry)
    const menu = menuOf([option, 'view'])
    expect(menu.indexOf('View as Markdown')).toBeLessThan(menu.indexOf(entry))
  })

  test('`devin-mcp` is omitted', () => expect(menuOf(['devin-mcp'])).toBe(''))

  test('the placeholders of a custom entry are replaced', () => {
    const own = { title: 'Ask <us>', description: 'About it.', icon: 'rocket' }
    const query = [{ key: 'p', value: 'at $path' }]
    expect(addressOf({ ...own, href: 'https://a.example/?p=$path' })).toBe(
      'https://a.example/?p=guides%2Fstart',
    )
    expect(addressOf({ ...own, href: { base: 'https://a.example/x?y=1', query } })).toBe(
      'https://a.example/x?y=1&p=at%20guides%2Fstart',
    )
    const whole = menuOf([{ ...own, href: 'https://a.example/?q=$page' }])
    expect(whole).toContain(
      '?q=%7Bpage%7D" target="_blank" rel="noopener" hidden data-oct="hand-off"',
    )
    expect(whole).toContain('<span>Ask &lt;us&gt;</span><small>About it.</small>')
    expect(whole).toContain('<svg class="oct-icon"')
    expect(menuOf([{ ...own, href: 'https://a.example/?m=$mcp' }])).toContain(
      '<a href="https://a.example/?m=%7Bmcp%7D" hidden data-mcp>',
    )
  })

  test('a custom entry with an unsafe URL has no link', () => {
    const query = [{ key: 'p', value: 'x' }]
    const option = { title: 'A', description: 'B', href: { base: 'java\nscript:alert(1)', query } }
    expect(menuOf([option])).not.toMatch(/script:/)
  })
})

describe('page menu', () => {
  test('the page menu shows its first entry, and all entries in a popover', () => {
    const menu = menuOf(['view', 'copy'])
    expect(menu).toMatch(/^<div class="oct-page-menu"><a href="\/guides\/start.md">/)
    expect(menu).toContain('<ul id="oct-page-menu" popover><li><a')
  })

  test('the page menu is below the table of contents if `display` is `toc`', () => {
    const { frame, view } = sampleFrame({
      contextual: { options: ['view'], display: 'toc' },
      navigation: { pages: ['start'] },
    })
    const page = frame.renderPage({ ...view('start'), markdownUrl: '/start.md' })
    expect(page).toMatch(/<\/nav><div class="oct-page-menu">.*<\/aside>/s)
    const short = frame.renderPage({ ...view('start'), markdownUrl: '/start.md', headings: [] })
    expect(short).toMatch(/<div class="oct-page-menu">.*<\/header>/s)
  })

  test("a page's own menu replaces the site's, and an empty one or `false` hides it", () => {
    expect(menuOf(['copy'], {}, { contextual: { options: ['view'] } })).not.toContain('Copy page')
    expect(menuOf(['copy'], {}, { contextual: { options: [] } })).toBe('')
    expect(menuOf(['copy'], {}, { contextual: false })).toBe('')
    expect(menuOf([])).toBe('')
  })

  test('the browser inserts the origin into the menu if the site has no URL', () => {
    const { frame, view } = sampleFrame(
      { contextual: { options: ['claude'] }, navigation: { pages: ['start'] } },
      { hasAddress: false },
    )
    const page = frame.renderPage({ ...view('start'), markdownUrl: '/start.md' })
    expect(page).toContain('q=Read%20%7Borigin%7D%2Fstart.md')
    expect(page).toContain('hidden data-oct="hand-off"')
  })
})
