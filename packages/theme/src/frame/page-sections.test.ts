import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'

const SITE = { name: 'Garden', theme: 'mint', colors: { primary: '#0f766e' } }

const version = (name: string, pages: readonly unknown[]) => ({
  version: name,
  groups: [{ group: `Group ${name}`, pages }],
})

function render(navigation: unknown, path: string): string {
  const { frame, view } = sampleFrame({ ...SITE, navigation })
  return frame.renderPage(view(path))
}

describe('pages listed in two versions', () => {
  const navigation = {
    versions: [version('v1', ['index', 'install']), version('v"2', ['index', 'deep/one'])],
  }

  test('a shared page contains the header, sidebar and page links of the other version', () => {
    const page = render(navigation, 'index')
    expect(page.match(/<template data-section="v&quot;2">(<\w+ [^>]*class="[\w-]+)/g)).toEqual([
      '<template data-section="v&quot;2"><header class="oct-header',
      '<template data-section="v&quot;2"><nav id="oct-sidebar" class="oct-sidebar',
      expect.stringContaining('<p class="oct-eyebrow'),
      '<template data-section="v&quot;2"><nav class="oct-neighbours',
    ])
    expect(page).toMatch(/<\/nav><\/template><nav id="oct-sidebar"/)
    expect(page).toContain('<script data-section="v1\nv&quot;2">')
  })

  test('the version menu links to an unshared page without scripts', () => {
    expect(render(navigation, 'index')).toContain(
      '<a href="/deep/one" data-section="v&quot;2" data-url="/">',
    )
  })

  test('an unshared page contains only its own version', () => {
    const page = render(navigation, 'install')
    expect(page).not.toContain('<template')
    expect(page).not.toMatch(/<a[^>]* data-section/)
    expect(page).toContain('<script data-section="v1">')
  })

  test('a link from another version opens the shared page in its version', () => {
    expect(render(navigation, 'deep/one')).toContain(
      '<a href="/" data-section="v1"><span>v1</span>',
    )
  })

  test('a version with a sidebar that is too long is not included', () => {
    const long = (length: number) => ({ group: 'x'.repeat(length), pages: ['open/one'] })
    const withLong = (length: number) => ({
      versions: [version('v1', ['index']), version('v2', ['index', long(length)])],
    })
    expect(render(withLong(260_000), 'index')).toContain('<template data-section="v2">')
    const page = render(withLong(262_144), 'index')
    expect(page).not.toContain('<template')
    expect(page).toContain('<a href="/open/one">')
  })
})

/** Returns the links of the tabs or anchors. */
function sectionLinks(page: string): readonly string[] {
  const [list = ''] =
    /<(?:nav class="oct-tabbar"|ul class="oct-anchors").*?<\/ul>/s.exec(page) ?? []
  return [...list.matchAll(/<a ([^>]*)>/g)].map(([, attributes = '']) => attributes)
}

// These tests are for requirements R6b and R6c.
describe.each(['tab', 'anchor'])('pages listed in each %s', (kind) => {
  const division = (label: string, pages: readonly string[]) => ({ [kind]: label, pages })
  const site = (...divisions: readonly object[]) => ({ [`${kind}s`]: divisions })
  const navigation = site(
    division('A', ['index', 'install']),
    division('B', ['install', 'open/one']),
    division('C', ['install']),
    division('D', ['deep/one']),
  )

  test('a section link to a shared page has an unshared page as fallback', () => {
    expect(sectionLinks(render(navigation, 'index'))).toEqual([
      'href="/" aria-current="true"',
      'href="/open/one" data-section="›B" data-url="/install"',
      'href="/install" data-section="›C"',
      'href="/deep/one"',
    ])
  })

  test('a shared page contains the sidebar and the key of each section', () => {
    const page = render(navigation, 'install')
    expect(page).toContain('<script data-section="›A\n›B\n›C">')
    expect(page).toMatch(/<template data-section="›B"><nav id="oct-sidebar".*?open\/one.*?<\/nav>/)
    expect(page).toMatch(/<template data-section="›C"><nav id="oct-sidebar"/)
    expect(page).not.toMatch(/<template data-section="›D"/)
  })

  test('the link of the first section opens the shared page in that section', () => {
    const shared = site(division('A', ['index']), division('B', ['index', 'install']))
    expect(sectionLinks(render(shared, 'install'))).toEqual([
      'href="/" data-section="›A"',
      'href="/install" data-section="›B" data-url="/" aria-current="true"',
    ])
  })

  test('a section that does not fit into a shared page links to a page of its own', () => {
    const long = { group: 'x'.repeat(262_144), pages: ['open/one'] }
    const page = render(
      site(division('A', ['index']), {
        [kind]: 'B',
        groups: [{ group: 'G', pages: ['index'] }, long],
      }),
      'index',
    )
    expect(page).not.toContain('<template')
    expect(sectionLinks(page)[1]).toBe('href="/open/one"')
  })

  test('a shared page contains at most 32 other sections', () => {
    const labels = Array.from({ length: 40 }, (_, index) => `Section ${index}`)
    const page = render(site(...labels.map((label) => division(label, ['index']))), 'index')
    expect(page.match(/<template [^>]*><nav id="oct-sidebar"/g) ?? []).toHaveLength(
      kind === 'tab' ? 0 : 32,
    )
    expect(page.match(/<template [^>]*><header/g) ?? []).toHaveLength(kind === 'tab' ? 32 : 0)
  })
})

test.each(['product', 'dropdown'])(
  'a page listed in each %s is shown in the one that the reader chose',
  (kind) => {
    const entry = (label: string, pages: readonly string[]) => ({ [kind]: label, pages })
    const navigation = {
      [`${kind}s`]: [entry('A', ['index', 'install']), entry('B', ['install', 'open/one'])],
    }
    const link = '<a href="/open/one" data-section="›B" data-url="/install"><span>B</span>'
    expect(render(navigation, 'install')).toContain(link)
    expect(render(navigation, 'install')).toContain(
      '<template data-section="›B"><nav id="oct-sidebar"',
    )
    // From another page, the menu links to a page that only the other section lists.
    expect(render(navigation, 'index')).toContain('<a href="/open/one"><span>B</span>')
  },
)

test("a link to a tab with versions keeps the reader's version", () => {
  const inside = (pages: readonly string[]) => [version('v1', pages), version('v2', pages)]
  const navigation = {
    tabs: [
      { tab: 'A', versions: inside(['index', 'install']) },
      { tab: 'B', versions: inside(['open/one']) },
      { tab: 'C', pages: ['deep/one'] },
    ],
  }
  expect(sectionLinks(render(navigation, 'deep/one'))).toEqual([
    'href="/" data-section="›A"',
    'href="/open/one" data-section="›B"',
    'href="/deep/one" aria-current="true"',
  ])
  expect(render(navigation, 'index')).toContain('<script data-section="v1›A\nv2›A">')
})

describe('versions that a page inherits from its tabs', () => {
  const navigation = {
    tabs: [
      { tab: 'One', version: '1', pages: ['index'] },
      { tab: 'Two', version: '2', pages: ['index'] },
      { tab: 'Three', pages: ['index'] },
    ],
  }
  const { frame, view } = sampleFrame({ ...SITE, navigation })
  const label = (name: string) => `<span class="oct-tag" title="Version">${name}</span>`

  test('a shared page has the version of each tab', () => {
    expect(frame.renderPage({ ...view('index'), inheritsVersion: true })).toContain(
      `<h1>Title of index <template data-section="›Two">${label('2')}</template><template data-section="›Three"></template>${label('1')}</h1>`,
    )
  })

  test('a page that sets its own version has the same version in all tabs', () => {
    expect(frame.renderPage(view('index', { version: '9' }))).toContain(
      `<h1>Title of index ${label('9')}</h1>`,
    )
  })
})

test('the link of a tab avoids a restricted first page if another page is unrestricted', () => {
  const tab = (name: string, pages: readonly string[]) => ({ tab: name, pages })
  const own = (...pages: readonly string[]) => {
    const tabs = [tab('A', ['index']), tab('B', ['index', ...pages]), tab('C', ['deep/one'])]
    const site = { ...SITE, navigation: { tabs } }
    const { frame, view } = sampleFrame(site, { groups: { install: ['staff'] } })
    return sectionLinks(frame.renderPage(view('deep/one')))[1]
  }
  expect(own('install')).toBe('href="/" data-section="›B"')
  expect(own('install', 'open/one')).toBe('href="/open/one" data-section="›B" data-url="/"')
})

test('a section key is visible only to readers of the section', () => {
  const { frame, view } = sampleFrame(
    {
      ...SITE,
      navigation: {
        tabs: [
          { tab: 'A', pages: ['index'] },
          { tab: 'B', pages: ['open/one', 'index'] },
          { tab: 'C', pages: ['install'] },
        ],
      },
    },
    { groups: { install: ['staff'] } },
  )
  const { html, ranges } = frame.renderLabeled({ ...view('index'), access: 'public' })
  const bytes = new TextEncoder().encode(html)
  let seen = ''
  let from = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > from) seen += new TextDecoder().decode(bytes.slice(from, start))
    from = Math.max(from, end)
  }
  seen += new TextDecoder().decode(bytes.slice(from))
  expect(html).toContain('<script data-section="›A\n›B">')
  expect(seen).toContain('<script data-section="›A">')
  expect(seen).not.toContain('›B"')
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
    'a link is in two tabs',
    {
      tabs: [
        { tab: 'A', pages: ['index', 'https://example.com'] },
        { tab: 'B', pages: ['install', 'https://example.com'] },
      ],
    },
  ],
])('there is no section script if %s', (_, navigation) => {
  const page = render(navigation, 'index')
  expect(page).not.toContain('octavo-section')
  expect(page).not.toContain('<template')
})
