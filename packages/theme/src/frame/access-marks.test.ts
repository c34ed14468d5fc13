import { mayRead, omitRanges } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'
import type { LabeledHtml } from './access-marks.ts'
import { notFoundPage } from './small-pages.ts'

/** Returns the HTML that a reader in these groups sees. */
function seenBy({ html, ranges }: LabeledHtml, ...groups: readonly string[]): string {
  const reader = { hasSiteAccess: true, groups: new Set(groups) }
  const bytes = omitRanges(new TextEncoder().encode(html), ranges, (access) =>
    mayRead(reader, access),
  )
  return new TextDecoder().decode(bytes)
}

const base = { name: 'Größe', colors: { primary: '#0F766E' } }

describe('links to pages with restricted access', () => {
  const { frame, view } = sampleFrame(
    {
      ...base,
      styling: { eyebrows: 'breadcrumbs' },
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [
              { group: 'Größe', pages: ['start', 'secret', 'end'] },
              { group: 'Wholly secret', pages: ['secret-too'] },
              { group: 'Secret root', root: 'root', pages: ['below'] },
            ],
          },
          { tab: 'Secret tab', pages: ['tab-one', 'tab-two'] },
          { tab: 'Mixed tab', pages: ['mixed-secret', 'mixed-open'] },
        ],
      },
    },
    {
      groups: {
        secret: ['a'],
        'secret-too': ['a'],
        root: ['a'],
        'tab-one': ['a'],
        'tab-two': ['b'],
        'mixed-secret': ['a'],
      },
    },
  )
  const start = frame.renderLabeled(view('start'))

  test('restricted links on a page are shown without access marks', () => {
    expect(start.html).not.toMatch(/[\uFDD0-\uFDD2]/)
    expect(start.html).toContain('<li><a href="/secret"><span>Secret</span></a></li>')
    expect(frame.renderPage(view('start'))).toBe(start.html)
  })

  test('a restricted link is removed from the sidebar together with an empty group', () => {
    const seen = seenBy(start)
    expect(seen).not.toContain('/secret')
    expect(seen).not.toContain('Wholly secret')
    expect(seen).toContain('<li><a href="/end"><span>End</span></a></li>')
    expect(seenBy(start, 'a')).toContain('Wholly secret')
  })

  test('access ranges are in bytes, not in characters', () => {
    expect(seenBy(start)).toContain('Größe')
    expect(seenBy(start, 'a', 'b')).toBe(start.html)
  })

  test('a group with a restricted root page keeps its name', () => {
    expect(seenBy(start)).toContain(
      '<p class="oct-group-title"><a><span>Secret root</span></a></p>',
    )
    expect(seenBy(start, 'a')).toContain('<a href="/root"><span>Secret root</span></a>')
  })

  test('a tab is shown if the reader may read any of its pages', () => {
    expect(seenBy(start)).not.toContain('Secret tab')
    expect(seenBy(start, 'a')).toContain('<li><a href="/tab-one"><span>Secret tab</span></a></li>')
    expect(seenBy(start, 'b')).toContain('<li><a><span>Secret tab</span></a></li>')
  })

  test('a tab with a restricted first page links to an unrestricted page', () => {
    expect(start.html).toContain('<a href="/mixed-open"><span>Mixed tab</span></a>')
  })

  test('a restricted page is removed from the previous and next links', () => {
    expect(start.html).toContain('<a class="oct-next" rel="next" href="/secret">')
    expect(seenBy(start)).not.toContain('oct-next')
    const end = frame.renderLabeled(view('end'))
    expect(seenBy(end)).not.toContain('oct-prev')
  })

  test('adjacent entries with the same access form one range', () => {
    const of = (label: readonly string[]) =>
      start.ranges.filter(({ access }) => JSON.stringify(access) === JSON.stringify(label))
    // The ranges: two separate links and a group root in the sidebar, and the next-page link.
    expect(of(['a']).length).toBeLessThanOrEqual(5)
  })

  test('a page has no ranges for links that all its readers may see', () => {
    const secret = frame.renderLabeled(view('secret'))
    expect(seenBy(secret, 'a')).toContain('Wholly secret')
    expect(secret.ranges.map(({ access }) => access)).not.toContainEqual(['a'])
  })

  test('restricted links are removed from the 404 page', () => {
    const notFound = frame.renderLabeled(notFoundPage(frame))
    expect(notFound.html).toContain('Secret tab')
    expect(seenBy(notFound)).not.toMatch(/[Ss]ecret tab|\/secret|tab-one/)
    // The logo links to `/`, because the host knows the start page of each reader.
    expect(notFound.html).toContain('<a class="oct-logo" href="/">')
  })
})

describe('translations of a page', () => {
  const { frame, view } = sampleFrame(
    {
      ...base,
      navigation: {
        languages: [
          { language: 'en', pages: ['index', 'guide'] },
          { language: 'de', pages: ['de/index', 'de/guide'] },
        ],
      },
    },
    { groups: { guide: ['a'], 'de/index': ['b'] } },
  )

  test('an alternate link is only visible to readers of the translation', () => {
    const german = frame.renderLabeled(view('de/guide'))
    expect(german.html).toContain('hreflang="en" href="https://docs.example.com/guide"')
    expect(seenBy(german)).not.toContain('https://docs.example.com/guide"')
    expect(seenBy(german)).toContain('hreflang="de" href="https://docs.example.com/de/guide"')
  })

  test('the language menu has no link to a restricted translation', () => {
    const german = frame.renderLabeled(view('de/guide'))
    expect(german.html).toMatch(/<li><a href="\/guide" lang="en" hreflang="en">/)
    expect(seenBy(german)).toMatch(/<li><a lang="en" hreflang="en">/)
  })
})

describe('directory listings and structured data on a restricted site', () => {
  const { frame, view } = sampleFrame(
    {
      ...base,
      styling: { eyebrows: 'breadcrumbs' },
      navigation: {
        tabs: [
          {
            tab: 'Guides',
            groups: [
              {
                group: 'Parts',
                root: 'parts',
                directory: 'card',
                pages: [
                  'parts/open',
                  'parts/secret',
                  { group: 'Inside', pages: ['parts/in/open', 'parts/in/secret'] },
                  { group: 'Led', root: 'parts/led', pages: ['parts/led/open'] },
                ],
              },
              { group: 'Teams', pages: ['teams/b', 'teams/a'] },
            ],
          },
        ],
      },
    },
    {
      groups: {
        'parts/secret': ['a'],
        'parts/in/secret': ['a'],
        'parts/led': ['a'],
        parts: ['b'],
        'teams/a': ['a'],
        'teams/b': ['b'],
      },
      describe: (path) => (path === 'parts/in/open' ? undefined : `About ${path}.`),
    },
  )

  test('a directory listing shows only pages that the reader may read', () => {
    const page = { ...view('parts'), access: 'default' as const }
    const listed = frame.renderLabeled({ ...page, directory: frame.renderDirectory(page.entry) })
    expect(listed.html).toContain('About parts/secret.')
    const seen = seenBy(listed)
    expect(seen).toContain('About parts/open.')
    expect(seen).not.toContain('About parts/secret.')
    // A group without a description shows the description of its root page, or the names of pages
    // that all its readers may read.
    expect(listed.html).toContain('About parts/led.')
    expect(seen).not.toContain('About parts/led.')
    expect(seen).toContain('<a href="/parts/in/open">Inside</a><p>Open</p>')
  })

  test('structured data contains only what all readers of the page may see', () => {
    const page = frame.renderLabeled(view('teams/a'))
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.html)?.[1] ?? ''
    expect(data).toContain('TechArticle')
    expect(data).not.toContain('/teams/b')
    expect(page.html).toContain('<li><a href="/teams/b">Teams</a></li>')
    expect(seenBy(page, 'a')).toContain('<li><a>Teams</a></li>')
  })
})

describe('forged access marks', () => {
  test("access marks in an author's text are replaced and do not change any range", () => {
    const { frame, view } = sampleFrame(
      { ...base, navigation: { pages: ['one', 'two'] } },
      { groups: { two: ['a'] } },
    )
    const forged = '\uFDD00\uFDD1\uFDD2'
    const page = frame.renderLabeled({
      ...view('one'),
      title: `Title${forged}`,
      content: `<p>Text${forged}</p>`,
    })
    expect(page.html).not.toMatch(/[\uFDD0-\uFDD2]/)
    expect(page.html).toContain('<p>Text\uFFFD0\uFFFD\uFFFD</p>')
    expect(seenBy(page)).toContain('Text')
    expect(seenBy(page)).not.toContain('/two')
  })
})
