import { describe, expect, test } from 'vitest'
import { EMPTY_FRONTMATTER } from '../frontmatter/frontmatter-fields.ts'
import { parseConfig } from '../parse-config.ts'
import type { Navigation } from './navigation.ts'
import {
  breadcrumbs,
  divisionsOf,
  firstPage,
  homePage,
  pageNeighbors,
  versionOf,
} from './page-context.ts'
import { resolveNavigation } from './resolve-navigation.ts'
import { NO_SPECIFICATIONS, type OperationListing } from './site-facts.ts'
import { SwitchTargets } from './switch-targets.ts'

function resolve(
  navigation: object,
  operations: Record<string, readonly OperationListing[]> = {},
): Navigation {
  const text = JSON.stringify({ navigation })
  const { config } = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
  if (config === undefined) throw new Error('not read')
  const paths = [...text.matchAll(/"([\w./-]+)"/g)].map((match) => match[1] ?? '')
  const pages = new Map(
    paths.map((path) => {
      const fields = path.endsWith('secret') ? { hidden: true } : {}
      const frontmatter = { ...EMPTY_FRONTMATTER, fields }
      return [path, { path, file: `${path}.mdx`, frontmatter, isPageOnlyWhenListed: false }]
    }),
  )
  const facts = {
    pages,
    ...NO_SPECIFICATIONS,
    operations: (source: string) => operations[source],
    hasFile: () => true,
  }
  return resolveNavigation({ written: config.navigation, ...facts }).navigation
}

function page(navigation: Navigation, path: string) {
  const found = navigation.byPath.get(path)
  if (found === undefined) throw new Error(`no page ${path}`)
  return found
}

describe('breadcrumbs', () => {
  const navigation = resolve({
    versions: [
      {
        version: 'v2',
        tabs: [
          {
            tab: 'Guides',
            groups: [
              {
                group: 'Water',
                root: 'water/index',
                pages: ['water/rain', { group: 'Deep', pages: ['water/well'] }],
              },
            ],
          },
        ],
      },
    ],
  })

  test('breadcrumbs contain the tab and the groups but not the version', () => {
    expect(breadcrumbs(page(navigation, 'water/well'))).toEqual([
      { label: 'Guides', url: '/water' },
      { label: 'Water', url: '/water' },
      { label: 'Deep', url: '/water/well' },
    ])
  })

  test('the breadcrumbs of a root page do not contain its own group', () => {
    expect(breadcrumbs(page(navigation, 'water/index'))).toEqual([
      { label: 'Guides', url: '/water' },
    ])
  })

  test('the divisions of a page are listed from the outermost inward', () => {
    expect(divisionsOf(page(navigation, 'water/well')).map(({ label }) => label)).toEqual([
      'v2',
      'Guides',
    ])
  })
})

describe('previous and next links', () => {
  const navigation = resolve({
    tabs: [
      {
        tab: 'A',
        groups: [
          { group: 'G', root: 'a', pages: ['a', 'secret', 'b'] },
          { group: 'H', pages: ['c'] },
        ],
      },
      { tab: 'B', pages: ['d'] },
    ],
  })
  const around = (path: string) => {
    const { previous, next } = pageNeighbors(page(navigation, path))
    return [previous?.path, next?.path]
  }

  test('previous and next follow the reading order across groups and skip hidden pages', () => {
    expect(around('b')).toEqual(['a', 'c'])
  })

  test('a root page that is also listed occurs only once in previous and next links', () => {
    expect(around('a')).toEqual([undefined, 'b'])
  })

  test('previous and next links end at the boundary of the section', () => {
    expect(around('c')).toEqual(['b', undefined])
    expect(around('d')).toEqual([undefined, undefined])
  })
})

describe('first pages', () => {
  test('the site opens the page `index` if it exists, or else its first page', () => {
    expect(homePage(resolve({ pages: ['start', 'index'] }))?.path).toBe('index')
    expect(homePage(resolve({ pages: ['start', 'end'] }))?.path).toBe('start')
    expect(homePage(resolve({ pages: ['secret', 'end'] }))?.path).toBe('end')
  })

  test('a division opens the first page of its default version', () => {
    const navigation = resolve({
      versions: [
        { version: '1', pages: ['v1/a'] },
        { version: '2', default: true, pages: ['v2/a'] },
      ],
    })
    expect(firstPage(navigation.root)?.path).toBe('v2/a')
  })
})

describe('switch targets of versions and languages', () => {
  const targets = (navigation: Navigation, path: string) => {
    const from = page(navigation, path)
    const division = divisionsOf(from)[0]
    if (division === undefined) throw new Error('no division')
    const found = new SwitchTargets(navigation.byPath).targets(from, division)
    return found.map(({ page: to, samePage }) => `${to?.path}${samePage ? '' : ' (near)'}`)
  }

  test('switching from a page that several versions list opens the chosen version (requirement R6f)', () => {
    const navigation = resolve({
      versions: [
        { version: 'v1', groups: [{ group: 'A', pages: ['start', 'install'] }] },
        { version: 'v2', groups: [{ group: 'A', pages: ['start', 'next', 'more'] }] },
        { version: 'v3', groups: [{ group: 'A', pages: ['start'] }] },
      ],
    })
    // A version whose pages are all listed elsewhere can only lead to the shared page.
    expect(targets(navigation, 'start')).toEqual(['start', 'next (near)', 'start'])
    expect(targets(navigation, 'more')).toEqual(['start (near)', 'more', 'start (near)'])
  })

  test("switching languages opens the same page in the other language's folder", () => {
    const navigation = resolve({
      languages: [
        { language: 'en', groups: [{ group: 'A', pages: ['index', 'guides/water'] }] },
        { language: 'fr', groups: [{ group: 'A', pages: ['fr/index', 'fr/guides/water'] }] },
        { language: 'de', groups: [{ group: 'A', pages: ['de/index'] }] },
      ],
    })
    expect(targets(navigation, 'guides/water')).toEqual([
      'guides/water',
      'fr/guides/water',
      'de/index (near)',
    ])
    expect(targets(navigation, 'fr/guides/water')).toEqual([
      'guides/water',
      'fr/guides/water',
      'de/index (near)',
    ])
  })

  test('switching from a page without a counterpart opens its group, or else the same tab', () => {
    const tabs = (folder: string, more: readonly string[]) => [
      { tab: 'Guides', groups: [{ group: 'Start', pages: [`${folder}/index`] }] },
      {
        tab: 'API',
        groups: [
          { group: 'Plants', pages: [`${folder}/api/plants`, ...more] },
          ...more.map((path) => ({ group: `New ${path}`, pages: [`${path}/more`] })),
        ],
      },
    ]
    const navigation = resolve({
      versions: [
        { version: '2', tabs: tabs('v2', ['v2/api/water']) },
        { version: '1', tabs: tabs('v1', []) },
      ],
    })
    expect(targets(navigation, 'v2/api/water')).toEqual(['v2/api/water', 'v1/api/plants (near)'])
    expect(targets(navigation, 'v2/api/water/more')[1]).toBe('v1/api/plants (near)')
    expect(targets(navigation, 'v1/api/plants')[0]).toBe('v2/api/plants')
  })

  test('switching from a page of a version finds the same page in a language without versions', () => {
    const versions = [
      { version: '2', pages: ['install', 'new'] },
      { version: '1', pages: ['v1/install', 'v1/gone'] },
    ]
    const navigation = resolve({
      languages: [
        { language: 'en', versions },
        { language: 'fr', pages: ['fr/start', 'fr/install'] },
      ],
    })
    expect(targets(navigation, 'v1/install')[1]).toBe('fr/install')
    expect(targets(navigation, 'install')[1]).toBe('fr/install')
    expect(targets(navigation, 'v1/gone')[1]).toBe('fr/install (near)')
    expect(targets(navigation, 'fr/install')[0]).toBe('install')
  })

  test('switching finds the same page in a language with few pages', () => {
    const navigation = resolve({
      languages: [
        { language: 'en', pages: ['guides/water', 'api/list'] },
        { language: 'fr', pages: ['fr/guides/water', 'fr/guides/soil'] },
      ],
    })
    expect(targets(navigation, 'fr/guides/water')[0]).toBe('guides/water')
    expect(targets(navigation, 'guides/water')[1]).toBe('fr/guides/water')
  })

  test('switching versions finds the same operation by method and path', () => {
    const listing = (slug: string) => [{ method: 'GET', path: '/plants', title: 'List', slug }]
    const navigation = resolve(
      {
        versions: [
          {
            version: '1',
            groups: [{ group: 'API', openapi: { source: 'v1.yaml', directory: 'v1' } }],
          },
          {
            version: '2',
            groups: [{ group: 'API', openapi: { source: 'v2.yaml', directory: 'v2' } }],
          },
        ],
      },
      { 'v1.yaml': listing('list'), 'v2.yaml': listing('all-plants') },
    )
    expect(targets(navigation, 'v1/list')).toEqual(['v1/list', 'v2/all-plants'])
  })
})

describe('generation rule 12: the version of a page (requirement G15)', () => {
  const listing = { 'api.json': [{ method: 'GET', path: '/plants', title: 'List', slug: 'list' }] }
  const versions = (tab: object) =>
    versionOf(page(resolve({ tabs: [tab] }, listing), 'api-reference/list'))

  test('the version of a page is that of its nearest tab or anchor', () => {
    const openapi = 'api.json'
    expect(versions({ tab: 'API', version: 'v7', openapi })).toBe('v7')
    const anchors = [{ anchor: 'API', version: 'v8', openapi }]
    expect(versions({ tab: 'API', version: 'v7', anchors })).toBe('v8')
    expect(versions({ tab: 'API', version: 'v7', anchors: [{ anchor: 'API', openapi }] })).toBe(
      'v7',
    )
  })

  test('a page has no version if no tab or anchor sets one', () => {
    expect(versions({ tab: 'API', versions: [{ version: '2.0', openapi: 'api.json' }] })).toBe(
      undefined,
    )
    expect(versionOf(page(resolve({ pages: ['start'] }), 'start'))).toBeUndefined()
  })
})
