import type { AccessLabel } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'
import { BasePath } from './base-path.ts'

const PAGES_MAX = 100

const pagesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/p${index}`)

/** Groups with as many pages in total as given, most of them in collapsed groups. */
function groupsWith(count: number) {
  return [
    {
      group: 'Start',
      pages: [
        'start/home',
        { group: 'Short', pages: ['short/p0'] },
        { group: 'Closed', pages: pagesOf('closed', count - 38) },
        {
          group: 'Outer',
          pages: [
            'outer/p0',
            { group: 'Inner', root: 'inner/root', pages: pagesOf('inner', 20) },
            { group: 'Shown', expanded: true, pages: pagesOf('shown', 10) },
          ],
        },
      ],
    },
    { group: 'Top', pages: pagesOf('top', 4) },
  ]
}

type Options = NonNullable<Parameters<typeof sampleFrame>[1]>

/** Creates a frame that saves lists in memory. */
function frameOf(navigation: object, options: Options = {}) {
  const saved: { readonly lists: readonly string[]; readonly access: AccessLabel }[] = []
  const site = sampleFrame(
    { navigation },
    {
      saveTree: (text, access) => {
        saved.push({ lists: JSON.parse(text) as string[], access })
        return `/_octavo/nav/${saved.length - 1}.json`
      },
      ...options,
    },
  )
  const sidebar = (path: string) => {
    const page = site.frame.renderPage(site.view(path))
    return /<nav id="oct-sidebar".*?<\/nav>/s.exec(page)?.[0] ?? ''
  }
  return { ...site, saved, sidebar }
}

const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url)
const OMITTED = /<ul data-tree="([^"#]*)#(\d+)">.*?<\/ul>/s

/** Inserts all saved lists, as the browser does. */
function complete(sidebar: string, lists: readonly string[]): string {
  let html = sidebar.replace(/<script>.*<\/script>/s, '')
  while (OMITTED.test(html)) html = html.replace(OMITTED, (_, __, index) => lists[index] ?? '')
  return html
}

describe('the sidebar of a large section', () => {
  const large = frameOf({ groups: groupsWith(PAGES_MAX + 1) })
  const whole = frameOf({ groups: groupsWith(PAGES_MAX + 1) }, { saveTree: undefined as never })

  test('a section with at most 100 pages is complete in each page', () => {
    const small = frameOf({ groups: groupsWith(PAGES_MAX) })
    const sidebar = small.sidebar('start/home')
    expect(linksOf(sidebar)).toHaveLength(PAGES_MAX)
    expect(sidebar).not.toContain('data-tree')
    expect(sidebar).not.toContain('<script>')
    small.frame.saveTrees()
    expect(small.saved).toEqual([])
  })

  test('a page has one link into each collapsed group, and all that is visible', () => {
    expect(linksOf(large.sidebar('start/home'))).toEqual([
      '/start/home',
      '/short/p0',
      '/closed/p0',
      '/outer/p0',
      ...pagesOf('/top', 4),
    ])
  })

  test('the groups around the current page are complete, except groups inside them', () => {
    expect(linksOf(large.sidebar('outer/p0'))).toEqual([
      '/start/home',
      '/short/p0',
      '/closed/p0',
      '/outer/p0',
      '/inner/root',
      '/inner/p0',
      ...pagesOf('/shown', 10),
      ...pagesOf('/top', 4),
    ])
    expect(linksOf(large.sidebar('inner/p3'))).toContain('/inner/p19')
    expect(linksOf(large.sidebar('inner/root'))).toContain('/inner/p19')
  })

  test('with the saved lists, a sidebar is the same as a whole one', () => {
    for (const { path } of large.navigation.entries)
      expect(complete(large.sidebar(path), large.saved[0]?.lists ?? [])).toBe(whole.sidebar(path))
  })

  test('the lists of a section are saved once, each of them without those inside it', () => {
    expect(large.saved).toHaveLength(1)
    expect(large.saved[0]?.access).toBe('default')
    const lists = large.saved[0]?.lists.map((list) => linksOf(list).length)
    expect(lists?.toSorted()).toEqual([13, 20, 63])
  })

  test('URLs have the base path', () => {
    const { sidebar, saved } = frameOf(
      { groups: groupsWith(PAGES_MAX + 1) },
      { basePath: new BasePath({ path: '/docs' }) },
    )
    expect(sidebar('start/home')).toContain('data-tree="/docs/_octavo/nav/0.json#')
    expect(saved[0]?.lists.every((list) => linksOf(list)[0]?.startsWith('/docs/'))).toBe(true)
  })
})

describe('the link into a collapsed group', () => {
  test('it is the first page with a sidebar, and the entries before it', () => {
    const modes = new Map([['closed/p0', 'custom']] as const)
    const { sidebar } = frameOf({ groups: groupsWith(PAGES_MAX + 1) }, { modes })
    expect(linksOf(sidebar('top/p0')).slice(2, 5)).toEqual([
      '/closed/p0',
      '/closed/p1',
      '/outer/p0',
    ])
  })

  test('it is never a page that opens in another section', () => {
    const shared = pagesOf('shared', 60)
    const { sidebar } = frameOf({
      tabs: [
        { tab: 'One', pages: shared },
        {
          tab: 'Two',
          groups: [
            { group: 'Top', pages: ['two/index', ...pagesOf('two', 60)] },
            {
              group: 'More',
              pages: [
                { group: 'Shared', pages: [...shared, 'own'] },
                { group: 'All shared', pages: shared },
              ],
            },
          ],
        },
      ],
    })
    // Both groups are complete: the first would need links to all its pages.
    expect(sidebar('two/index')).not.toContain('data-tree')
  })
})

describe('a large section with access labels', () => {
  const navigation = { groups: groupsWith(PAGES_MAX + 1) }

  test('a section is complete in each page if some readers may see only a part of it', () => {
    const { sidebar, saved } = frameOf(navigation, { groups: { 'inner/p3': ['staff'] } })
    expect(linksOf(sidebar('start/home'))).toHaveLength(PAGES_MAX + 1)
    expect(saved).toEqual([])
  })

  test('the lists of a section have the label of its pages and no marks', () => {
    const { sidebar, saved, navigation: resolved } = frameOf(navigation, { groups: {} })
    const paths = resolved.entries.map(({ path }) => path)
    const groups = Object.fromEntries(paths.map((path) => [path, ['staff']]))
    expect(sidebar('start/home')).toContain('data-tree')
    expect(saved[0]?.access).toBe('default')
    const forStaff = frameOf(navigation, { groups })
    forStaff.frame.saveTrees()
    expect(forStaff.saved[0]?.access).toEqual(['staff'])
    expect(forStaff.saved[0]?.lists.join('')).not.toMatch(/[\uFDD0-\uFDD2]/)
  })
})
