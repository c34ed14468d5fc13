import { describe, expect, test } from 'vitest'
import { breakLines } from '../../testing/break-lines.ts'
import { sampleFrame } from '../../testing/sample-frame.ts'

const GROUP = {
  group: 'Guides',
  root: 'guides/index',
  pages: [
    'guides/one',
    { group: 'More', tag: 'new', pages: ['guides/two', 'guides/three'] },
    { group: 'Hidden', hidden: true, pages: ['guides/four'] },
  ],
}

const ABOUT: Readonly<Record<string, string>> = { 'guides/one': 'The <first>.' }

function listing(group: object, path = 'guides/index', outside: object = {}): string {
  const { frame, navigation } = sampleFrame(
    { navigation: { ...outside, groups: [group] } },
    { describe: (page) => ABOUT[page] },
  )
  return frame.renderDirectory(navigation.byPath.get(path))
}

describe('directory values', () => {
  test('`card` lists child pages as cards with their descriptions', () => {
    expect(breakLines(listing({ ...GROUP, directory: 'card' }))).toBe(
      `<ul class="oct-directory oct-directory-card">
<li>
<div><a href="/guides/one">One</a>
<p>The &lt;first&gt;.</p></div></li>
<li>
<div><a href="/guides/two">More</a> <span class="oct-tag">new</span>
<p>Two · Three</p></div></li></ul>
`,
    )
  })

  test('`accordion` lists child pages as rows with collapsible groups', () => {
    expect(breakLines(listing({ ...GROUP, directory: 'accordion' }))).toBe(
      `<ul class="oct-directory oct-directory-accordion">
<li>
<div><a href="/guides/one">One</a>
<p>The &lt;first&gt;.</p></div></li>
<li class="oct-directory-group">
<details>
<summary><span>More</span> <span class="oct-tag">new</span></summary>
<ul class="oct-directory oct-directory-accordion">
<li>
<div><a href="/guides/two">Two</a></div></li>
<li>
<div><a href="/guides/three">Three</a></div></li></ul></details></li></ul>
`,
    )
  })

  test('a listed operation has its method, as in the sidebar', () => {
    const { frame, navigation } = sampleFrame(
      {
        navigation: {
          groups: [{ ...GROUP, directory: 'card', openapi: 'a.json', pages: ['DELETE /a'] }],
        },
      },
      { operations: [{ method: 'DELETE', path: '/a', title: 'Remove', slug: 'remove' }] },
    )
    expect(frame.renderDirectory(navigation.byPath.get('guides/index'))).toContain(
      '<div><span class="oct-method oct-method-delete">DEL</span><a href="/api-reference/remove">Remove</a>',
    )
  })

  test('`none`, the default, lists no pages', () => {
    expect(listing({ ...GROUP, directory: 'none' })).toBe('')
    expect(listing(GROUP)).toBe('')
  })
})

describe('navigation rules 4 and 5', () => {
  test('the directory value is inherited unless overridden', () => {
    expect(listing(GROUP, 'guides/index', { directory: 'card' })).toContain('oct-directory-card')
    expect(listing({ ...GROUP, directory: 'none' }, 'guides/index', { directory: 'card' })).toBe('')
  })

  test('only the root page of a group lists its pages', () => {
    expect(listing({ ...GROUP, directory: 'card' }, 'guides/one')).toBe('')
    const { root: _, ...rootless } = GROUP
    expect(listing({ ...rootless, directory: 'card' }, 'guides/one')).toBe('')
  })

  test('the listing styles are only loaded on a page with a listing', () => {
    const { frame, view } = sampleFrame({ navigation: { groups: [GROUP] } })
    const page = view('guides/index')
    expect(frame.renderPage({ ...page, directory: '<ul></ul>' })).toContain('/directory.css')
    expect(frame.renderPage(page)).not.toContain('/directory.css')
  })
})

describe('tabs with a menu', () => {
  const { frame, view } = sampleFrame({
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index'] },
        {
          tab: 'API',
          menu: [
            { item: 'REST', description: 'Over HTTP', pages: ['rest'] },
            { item: 'Status', href: 'https://status.example' },
          ],
        },
      ],
    },
  })

  test('a tab with a menu links to its first page and has a popover', () => {
    expect(frame.renderPage(view('index'))).toContain(
      '<li><a href="/rest"><span>API</span></a><div class="oct-menu"><button type="button" popovertarget="oct-tab-1" aria-label="API"></button><ul id="oct-tab-1" popover><li><a href="/rest"><span>REST</span><small>Over HTTP</small></a></li><li><a href="https://status.example" rel="noopener"><span>Status</span></a></li></ul></div></li>',
    )
  })

  test('the current tab and menu item are marked, and a tab without items has no menu', () => {
    const html = frame.renderPage(view('rest'))
    expect(html).toContain('<a href="/rest" aria-current="true"><span>API</span>')
    expect(html).toContain('<a href="/rest" aria-current="true"><span>REST</span>')
    expect(html).not.toContain('oct-tab-0')
  })
})
