import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../testing/sample-frame.ts'

const SITE = { name: 'Garden', theme: 'mint', colors: { primary: '#0f766e' } }

const version = (name: string, pages: readonly unknown[]) => ({
  version: name,
  groups: [{ group: `Group ${name}`, pages }],
})

function render(navigation: unknown, path: string): string {
  const { frame, view } = sampleFrame({ ...SITE, navigation })
  return frame.renderPage(view(path))
}

describe('a page that two versions list', () => {
  const navigation = {
    versions: [version('v1', ['index', 'install']), version('v"2', ['index', 'deep/one'])],
  }

  test('carries the header, the sidebar and its neighbours of the other, each before its own', () => {
    const page = render(navigation, 'index')
    expect(page.match(/<template data-version="v&quot;2">(<\w+ [^>]*class="[\w-]+)/g)).toEqual([
      '<template data-version="v&quot;2"><header class="oct-header',
      '<template data-version="v&quot;2"><nav id="oct-sidebar" class="oct-sidebar',
      expect.stringContaining('<p class="oct-eyebrow'),
      '<template data-version="v&quot;2"><nav class="oct-neighbours',
    ])
    expect(page).toMatch(/<\/nav><\/template><nav id="oct-sidebar"/)
    expect(page).toContain('<script data-version="v1">')
  })

  test('is chosen in the menu of versions, which leads elsewhere without script', () => {
    expect(render(navigation, 'index')).toContain('<a href="/deep/one" data-version="v&quot;2">')
  })

  test('is the only one: others carry nothing but their version', () => {
    const page = render(navigation, 'install')
    expect(page).not.toContain('<template')
    expect(page).not.toMatch(/<a[^>]* data-version/)
    expect(page).toContain('<script data-version="v1">')
  })

  test('carries nothing of a version whose sidebar is too long', () => {
    const long = (length: number) => ({ group: 'x'.repeat(length), pages: ['open/one'] })
    const withLong = (length: number) => ({
      versions: [version('v1', ['index']), version('v2', ['index', long(length)])],
    })
    expect(render(withLong(260_000), 'index')).toContain('<template data-version="v2">')
    const page = render(withLong(262_144), 'index')
    expect(page).not.toContain('<template')
    expect(page).toContain('<a href="/open/one">')
  })
})

test.each([
  ['no page is shared', { versions: [version('v1', ['index']), version('v2', ['install'])] }],
  [
    'languages share a page',
    {
      languages: [
        { language: 'en', versions: [version('v1', ['index'])] },
        { language: 'de', versions: [version('v2', ['index'])] },
      ],
    },
  ],
  [
    'the other version hides it',
    {
      versions: [
        version('v1', ['index']),
        { version: 'v2', groups: [{ group: 'G', hidden: true, pages: ['index'] }] },
      ],
    },
  ],
  [
    'tabs of one version share a page',
    {
      versions: [
        {
          version: 'v1',
          tabs: [
            { tab: 'A', pages: ['index'] },
            { tab: 'B', pages: ['index', 'install'] },
          ],
        },
      ],
    },
  ],
])('there is no script for versions where %s', (_, navigation) => {
  const page = render(navigation, 'index')
  expect(page).not.toContain('octavo-version')
  expect(page).not.toContain('<template')
})
