import type { Frontmatter, OperationListing } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { breakLines } from '../../testing/break-lines.ts'
import { sampleFrame } from '../../testing/sample-frame.ts'
import { loadLanguages } from '../languages/load-languages.ts'
import { HEAD_SCRIPT, PAUSE_SCRIPT } from './head-script.ts'
import { renderNotFound, renderRedirect } from './small-pages.ts'

const OPERATIONS: readonly OperationListing[] = [
  { method: 'GET', path: '/things', title: 'List things', slug: 'things/list' },
  {
    method: 'DELETE',
    path: '/things/{id}',
    title: 'Delete a thing',
    slug: 'things/delete',
    deprecated: true,
  },
]

const GUIDES = {
  group: 'Start',
  icon: 'rocket',
  pages: [
    'index',
    'install',
    {
      group: 'Deep <b>',
      tag: 'new',
      pages: ['deep/one', { group: 'Deeper', root: 'deep/root', pages: ['deep/two'] }],
    },
    { group: 'Open', expanded: true, pages: ['open/one'] },
  ],
}

const SITE = {
  name: 'Acme & Co',
  description: 'All of it.',
  colors: { primary: '#0F766E', light: '#2DD4BF', dark: '#115E59' },
  favicon: '/favicon.svg',
  logo: { light: '/light.svg', dark: '/dark.svg' },
  banner: { content: 'New: [version 2](/install) **now** <script>' },
  navbar: {
    links: [
      { label: 'Blog', href: 'https://blog.example' },
      { type: 'github', href: 'https://github.com/a/b' },
    ],
    primary: { type: 'button', label: 'Sign up', href: 'https://app.example' },
  },
  footer: {
    socials: { x: 'https://x.com/acme' },
    links: [{ header: 'Company', items: [{ label: 'About', href: '/install' }] }],
  },
  styling: { eyebrows: 'breadcrumbs' },
  navigation: {
    global: { anchors: [{ anchor: 'Community', href: 'https://forum.example' }] },
    languages: [
      {
        language: 'en',
        versions: [
          {
            version: 'v2',
            tag: 'Latest',
            tabs: [
              { tab: 'Guides', groups: [GUIDES] },
              {
                tab: 'API',
                openapi: 'api.yaml',
                groups: [{ group: 'Things', pages: ['GET /things', 'DELETE /things/{id}'] }],
              },
              { tab: 'Status', href: 'https://status.example' },
            ],
          },
          { version: 'v1', groups: [{ group: 'Old', pages: ['v1/index', 'v1/install'] }] },
        ],
      },
      { language: 'ar', groups: [{ group: 'ابدأ', pages: ['ar/index'] }] },
    ],
  },
}

const { frame, navigation, view } = sampleFrame(SITE, {
  operations: OPERATIONS,
  texts: await loadLanguages(['ar']),
})

describe('page documents', () => {
  test('a page has every part of the layout', async () => {
    const page = {
      ...view('deep/two'),
      markdownUrl: '/deep/two.md',
      lastModified: '2026-05-04T03:02:01Z',
    }
    await expect(breakLines(frame.renderPage(page))).toMatchFileSnapshot(
      '../../testing/expected/page.txt',
    )
  })

  test('a page shows its version next to its title (requirements G15, M6)', () => {
    const html = frame.renderPage(view('install', { version: '<v7>', deprecated: true }))
    expect(html).toContain(
      '<span class="oct-tag" title="Version">&lt;v7&gt;</span> <span class="oct-tag oct-deprecated">Deprecated</span></h1>',
    )
  })

  test("the logo links to the home page in the reader's language", () => {
    expect(frame.renderPage(view('deep/two'))).toContain('<a class="oct-logo" href="/">')
    expect(frame.renderPage(view('ar/index'))).toContain('<a class="oct-logo" href="/ar/index">')
  })

  test('code in a title and description is rendered as code', () => {
    const html = frame.renderPage({ ...view('x'), title: 'Run `a` <b>', description: 'With `b`.' })
    expect(html).toContain('<h1>Run <code>a</code> &lt;b&gt;</h1>')
    expect(html).toContain('<p class="oct-description">With <code>b</code>.</p>')
  })

  test('a page in a right-to-left language has its direction set', async () => {
    const html = frame.renderPage(view('ar/index'))
    expect(html).toContain('<html lang="ar" dir="rtl">')
    await expect(breakLines(html)).toMatchFileSnapshot('../../testing/expected/page-ar.txt')
  })

  test('an operation page shows methods and deprecation in the sidebar', async () => {
    const operation = navigation.entries.find((entry) => entry.operation?.method === 'DELETE')
    const html = frame.renderPage({ ...view('x'), entry: operation })
    await expect(breakLines(html)).toMatchFileSnapshot('../../testing/expected/page-operation.txt')
  })

  test('a page has no inline handlers or styles, and only scripts allowed by the policy', () => {
    for (const entry of navigation.entries) {
      const html = frame
        .renderPage(view(entry.path))
        .replace(`<script>${HEAD_SCRIPT}</script>`, '')
        .replace(`<script>${PAUSE_SCRIPT}</script>`, '')
      expect(html).not.toMatch(
        /<script(?! type="module" src="| type="application\/ld\+json">)|<style| on\w+=| style=/,
      )
    }
  })
})

describe('sidebar', () => {
  test('the sidebar marks the page once and opens only its groups', () => {
    for (const entry of navigation.entries) {
      const html = frame.renderPage(view(entry.path))
      const sidebar = html.slice(html.indexOf('<nav id="oct-sidebar"'), html.indexOf('<main'))
      expect(sidebar.match(/aria-current="page"/g), entry.path).toHaveLength(1)
      expect(sidebar).toContain(`href="${entry.url}" aria-current="page"`)
    }
    const open = (path: string) =>
      frame.renderPage(view(path)).match(/<details open>/g)?.length ?? 0
    expect(open('install')).toBe(1)
    expect(open('deep/one')).toBe(2)
    expect(open('deep/two')).toBe(3)
    expect(open('deep/root')).toBe(3)
  })

  test('rendering a page again returns the same sidebar', () => {
    const once = frame.renderPage(view('deep/two'))
    frame.renderPage(view('install'))
    expect(frame.renderPage(view('deep/two'))).toBe(once)
  })
})

describe('page modes', () => {
  const has = (html: string) => ({
    sidebar: html.includes('id="oct-sidebar" class'),
    contents: html.includes('<aside id="oct-contents"'),
    title: html.includes('<h1>'),
  })
  test('a page mode determines the parts of the layout', () => {
    const shown = (mode: NonNullable<Frontmatter['fields']['mode']>) =>
      has(frame.renderPage(view('install', { mode })))
    expect(shown('default')).toEqual({ sidebar: true, contents: true, title: true })
    expect(shown('wide')).toEqual({ sidebar: true, contents: false, title: true })
    expect(shown('center')).toEqual({ sidebar: false, contents: false, title: true })
    expect(shown('frame')).toEqual({ sidebar: true, contents: false, title: false })
    expect(shown('custom')).toEqual({ sidebar: false, contents: false, title: false })
  })
})

test('a page of cards without a table of contents has a class on its body', () => {
  const content = '<div class="oct-columns">x</div>'
  const classes = (headings: readonly { level: number; id: string; text: string }[]) =>
    /<body class="([^"]*)"/.exec(
      frame.renderPage({ ...view('guides/start'), content, headings }),
    )?.[1]
  const two = ['a', 'b'].map((id) => ({ level: 2, id, text: id }))
  expect(classes([])).toBe('oct-mode-default oct-has-cards')
  expect(classes(two)).toBe('oct-mode-default')
})

describe('page head', () => {
  test('a page with noindex is excluded from search engines', () => {
    expect(frame.renderPage(view('install', { noindex: true }))).toContain(
      '<meta name="robots" content="noindex">',
    )
    expect(frame.renderPage(view('install'))).not.toContain('robots')
  })

  test('a page has a canonical URL', () => {
    expect(frame.renderPage(view('install'))).toContain(
      '<link rel="canonical" href="https://docs.example.com/install">',
    )
    const page = view('install', { canonical: 'https://elsewhere.example/' })
    expect(frame.renderPage(page)).toContain(
      '<link rel="canonical" href="https://elsewhere.example/">',
    )
  })
})

describe('tabs with both pages and an href', () => {
  const tabs = (href: string) => {
    const { frame, view } = sampleFrame({
      navigation: {
        tabs: [
          { tab: 'One', href, pages: ['one/start', 'one/more'] },
          { tab: 'Two', pages: ['two/start'] },
        ],
      },
    })
    return /<nav class="oct-tabbar".*?href="([^"]*)"/s.exec(
      frame.renderPage(view('two/start')),
    )?.[1]
  }

  test.each([
    ['one/more', '/one/more'],
    ['one', '/one/start'],
    ['https://one.example', 'https://one.example'],
  ])('a tab with href %s links to %s', (href, expected) => expect(tabs(href)).toBe(expected))
})

test('a tab is current on the unlisted page that it links to (requirement R6b)', () => {
  const { frame, view } = sampleFrame({
    navigation: {
      tabs: [
        { tab: 'One', pages: ['one'] },
        { tab: 'Alone', href: '/alone' },
      ],
    },
  })
  const currentOn = (path: string) =>
    /<nav class="oct-tabbar".*?aria-current="true"><span>(.*?)<\/span>/s.exec(
      frame.renderPage(view(path)),
    )?.[1]
  expect(currentOn('alone')).toBe('Alone')
  expect(currentOn('one')).toBe('One')
})

test('icons and descriptions of versions and languages are shown (requirements N22, N23)', () => {
  const { frame, view } = sampleFrame({
    navigation: {
      languages: [
        {
          language: 'en',
          icon: 'rocket',
          versions: [
            { version: '2', icon: 'rocket', description: 'For new gardens.', pages: ['two'] },
            { version: '1', pages: ['first'] },
          ],
        },
        { language: 'fr', pages: ['fr/start'] },
      ],
    },
  })
  const menus =
    /<div id="oct-links".*?<button class="oct-more"/s.exec(frame.renderPage(view('two')))?.[0] ?? ''
  expect(menus.match(/<svg/g)).toHaveLength(4)
  expect(menus).toContain('<small>For new gardens.</small>')
})

describe('404 and redirect pages', () => {
  test('the 404 page has links to the main sections and the navigation', () => {
    const html = renderNotFound(frame)
    expect(html).toContain('Page not found')
    expect(html).toContain('<ul class="oct-directory oct-directory-card">')
    for (const part of ['Guides', 'API', 'Status']) expect(html).toContain(`>${part}</a>`)
    expect(html).toContain('/assets/directory.css')
    expect(html).toContain('id="oct-sidebar"')
    expect(html).not.toContain('aria-current="page"')
  })

  test('a redirect page cannot run code', () => {
    expect(renderRedirect('/new?a=1&b="2"')).toContain('0; url=/new?a=1&amp;b=&quot;2&quot;')
    expect(renderRedirect('javascript:alert(1)')).not.toContain('javascript')
  })
})
