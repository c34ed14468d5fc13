import { leaveOut, mayRead } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'
import type { LabelledHtml } from './access-marks.ts'
import { notFoundPage } from './small-pages.ts'

/** What a reader in these groups sees. */
function seenBy({ html, ranges }: LabelledHtml, ...groups: readonly string[]): string {
  const reader = { isLetIn: true, groups: new Set(groups) }
  const bytes = leaveOut(new TextEncoder().encode(html), ranges, (access) =>
    mayRead(reader, access),
  )
  return new TextDecoder().decode(bytes)
}

const base = { name: 'Größe', colors: { primary: '#0F766E' } }

describe('links to pages with other readers', () => {
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
  const start = frame.renderLabelled(view('start'))

  test('are in the page as it is written, without marks', () => {
    expect(start.html).not.toMatch(/[\uFDD0-\uFDD2]/)
    expect(start.html).toContain('<li><a href="/secret"><span>Secret</span></a></li>')
    expect(frame.renderPage(view('start'))).toBe(start.html)
  })

  test('are left out of the sidebar with the group that has no other pages', () => {
    const seen = seenBy(start)
    expect(seen).not.toContain('/secret')
    expect(seen).not.toContain('Wholly secret')
    expect(seen).toContain('<li><a href="/end"><span>End</span></a></li>')
    expect(seenBy(start, 'a')).toContain('Wholly secret')
  })

  test('are ranges of bytes, not of letters', () => {
    expect(seenBy(start)).toContain('Größe')
    expect(seenBy(start, 'a', 'b')).toBe(start.html)
  })

  test('that head a group leave its name behind', () => {
    expect(seenBy(start)).toContain(
      '<p class="oct-group-title"><a><span>Secret root</span></a></p>',
    )
    expect(seenBy(start, 'a')).toContain('<a href="/root"><span>Secret root</span></a>')
  })

  test('take a tab with them if nothing else is in it, and any page of it brings it back', () => {
    expect(seenBy(start)).not.toContain('Secret tab')
    expect(seenBy(start, 'a')).toContain('<li><a href="/tab-one"><span>Secret tab</span></a></li>')
    expect(seenBy(start, 'b')).toContain('<li><a><span>Secret tab</span></a></li>')
  })

  test('do not open a tab that has pages for more readers', () => {
    expect(start.html).toContain('<a href="/mixed-open"><span>Mixed tab</span></a>')
  })

  test('are left out of previous and next', () => {
    expect(start.html).toContain('<a class="oct-next" rel="next" href="/secret">')
    expect(seenBy(start)).not.toContain('oct-next')
    const end = frame.renderLabelled(view('end'))
    expect(seenBy(end)).not.toContain('oct-prev')
  })

  test('that follow one another are one range', () => {
    const of = (label: readonly string[]) =>
      start.ranges.filter(({ access }) => JSON.stringify(access) === JSON.stringify(label))
    // In the sidebar two that stand apart and the root of a group, and the next page.
    expect(of(['a']).length).toBeLessThanOrEqual(5)
  })

  test('are no ranges on a page whose readers all may read them', () => {
    const secret = frame.renderLabelled(view('secret'))
    expect(seenBy(secret, 'a')).toContain('Wholly secret')
    expect(secret.ranges.map(({ access }) => access)).not.toContainEqual(['a'])
  })

  test('are left out of the page for addresses that do not exist', () => {
    const notFound = frame.renderLabelled(notFoundPage(frame))
    expect(notFound.html).toContain('Secret tab')
    expect(seenBy(notFound)).not.toMatch(/[Ss]ecret tab|\/secret|tab-one/)
    // A host knows where each reader begins.
    expect(notFound.html).toContain('<a class="oct-logo" href="/">')
  })
})

describe('the same page in another language', () => {
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

  test('is named to those only who may read it', () => {
    const german = frame.renderLabelled(view('de/guide'))
    expect(german.html).toContain('hreflang="en" href="https://docs.example.com/guide"')
    expect(seenBy(german)).not.toContain('https://docs.example.com/guide"')
    expect(seenBy(german)).toContain('hreflang="de" href="https://docs.example.com/de/guide"')
  })

  test('is an entry of the menu without an address for others', () => {
    const german = frame.renderLabelled(view('de/guide'))
    expect(german.html).toMatch(/<li><a href="\/guide" lang="en" hreflang="en">/)
    expect(seenBy(german)).toMatch(/<li><a lang="en" hreflang="en">/)
  })
})

describe('listings and data', () => {
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

  test('name pages to those who may read them', () => {
    const page = { ...view('parts'), access: 'default' as const }
    const listed = frame.renderLabelled({ ...page, directory: frame.renderDirectory(page.entry) })
    expect(listed.html).toContain('About parts/secret.')
    const seen = seenBy(listed)
    expect(seen).toContain('About parts/open.')
    expect(seen).not.toContain('About parts/secret.')
    // A group is described by its root page, or by the names of pages that all may read who see it.
    expect(listed.html).toContain('About parts/led.')
    expect(seen).not.toContain('About parts/led.')
    expect(seen).toContain('<a href="/parts/in/open">Inside</a><p>Open</p>')
  })

  test('for search engines name nothing that some readers of the page may not know', () => {
    const page = frame.renderLabelled(view('teams/a'))
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.html)?.[1] ?? ''
    expect(data).toContain('TechArticle')
    expect(data).not.toContain('/teams/b')
    expect(page.html).toContain('<li><a href="/teams/b">Teams</a></li>')
    expect(seenBy(page, 'a')).toContain('<li><a>Teams</a></li>')
  })
})

describe('a text that holds marks', () => {
  test('gives them up, and moves no range', () => {
    const { frame, view } = sampleFrame(
      { ...base, navigation: { pages: ['one', 'two'] } },
      { groups: { two: ['a'] } },
    )
    const forged = '\uFDD00\uFDD1\uFDD2'
    const page = frame.renderLabelled({
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
