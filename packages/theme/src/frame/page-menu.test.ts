/** `contextual` of docs.json, option by option. Browser tests open the menu; see the builder. */
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

/** Where the one entry leads. */
function addressOf(option: unknown): string {
  const found = /href="([^"]*)"/.exec(menuOf([option]))?.[1] ?? ''
  return found.replaceAll('&amp;', '&')
}

describe('contextual options', () => {
  test('`copy` is a button that needs script, so it is hidden until there is some', () => {
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
    '`download-spec` is hidden where `%s` protects the site',
    (key) => {
      expect(menuOf(['download-spec'], { [key]: { partial: true } })).toBe('')
    },
  )

  test('`download-pdf` prints', () => {
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
  ])('`%s` hands the Markdown of the page over', (option, address) => {
    const prompt =
      'Read https://docs.example.com/guides/start.md. I want to ask questions about it.'
    expect(addressOf(option)).toBe(address + encodeURIComponent(prompt))
  })

  test('the assistant waits for the script of a host that has one, and is never the face alone', () => {
    const entry = '<button type="button" hidden data-assistant>'
    expect(menuOf(['assistant'])).toContain(entry)
    const menu = menuOf(['assistant', 'view'])
    expect(menu.indexOf('View as Markdown')).toBeLessThan(menu.indexOf(entry))
  })

  test.each([
    ['mcp', '<button type="button" hidden data-mcp="{mcp}">'],
    ['add-mcp', '<button type="button" hidden data-mcp="npx add-mcp {mcp}">'],
    ['vscode', 'url%22%3A%22%7Bmcp%7D%22%7D" hidden data-mcp>'],
  ])('`%s` waits for the script of a host that has an MCP server', (option, entry) => {
    expect(menuOf([option])).toContain(entry)
    const menu = menuOf([option, 'view'])
    expect(menu.indexOf('View as Markdown')).toBeLessThan(menu.indexOf(entry))
  })

  test('`devin-mcp` is left out', () => expect(menuOf(['devin-mcp'])).toBe(''))

  test('an entry of the author has its placeholders filled in', () => {
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

  test('an address that runs code leads nowhere', () => {
    const query = [{ key: 'p', value: 'x' }]
    const option = { title: 'A', description: 'B', href: { base: 'java\nscript:alert(1)', query } }
    expect(menuOf([option])).not.toMatch(/script:/)
  })
})

describe('the menu', () => {
  test('shows the first entry, and all of them in a popover', () => {
    const menu = menuOf(['view', 'copy'])
    expect(menu).toMatch(/^<div class="oct-page-menu"><a href="\/guides\/start.md">/)
    expect(menu).toContain('<ul id="oct-page-menu" popover><li><a')
  })

  test('stands under the list of contents with `display: toc`', () => {
    const { frame, view } = sampleFrame({
      contextual: { options: ['view'], display: 'toc' },
      navigation: { pages: ['start'] },
    })
    const page = frame.renderPage({ ...view('start'), markdownUrl: '/start.md' })
    expect(page).toMatch(/<\/nav><div class="oct-page-menu">.*<\/aside>/s)
    const short = frame.renderPage({ ...view('start'), markdownUrl: '/start.md', headings: [] })
    expect(short).toMatch(/<div class="oct-page-menu">.*<\/header>/s)
  })

  test('of a page replaces that of the site; an empty one, or `false`, is none', () => {
    expect(menuOf(['copy'], {}, { contextual: { options: ['view'] } })).not.toContain('Copy page')
    expect(menuOf(['copy'], {}, { contextual: { options: [] } })).toBe('')
    expect(menuOf(['copy'], {}, { contextual: false })).toBe('')
    expect(menuOf([])).toBe('')
  })

  test('without an address of its own, a site leaves it to the browser to fill in', () => {
    const { frame, view } = sampleFrame(
      { contextual: { options: ['claude'] }, navigation: { pages: ['start'] } },
      { hasAddress: false },
    )
    const page = frame.renderPage({ ...view('start'), markdownUrl: '/start.md' })
    expect(page).toContain('q=Read%20%7Borigin%7D%2Fstart.md')
    expect(page).toContain('hidden data-oct="hand-off"')
  })
})
