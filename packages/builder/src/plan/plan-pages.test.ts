import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { readFolder } from '../source/read-folder.ts'
import { type PlannedPage, planPages } from './plan-pages.ts'

const root = mkdtempSync(join(tmpdir(), 'octavo-plan-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0

/** Returns the planned pages of a site with the given files and navigation. */
function plan(
  navigation: object,
  files: Readonly<Record<string, string>>,
  more: object = {},
): readonly PlannedPage[] {
  count += 1
  const folder = join(root, String(count))
  for (const [path, text] of Object.entries({
    'docs.json': JSON.stringify({ navigation, ...more }),
    ...files,
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { site } = loadSite(readFolder(folder))
  if (site === undefined) throw new Error('The site cannot be read.')
  return planPages(site)
}

const SPECIFICATION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Plants', version: '1' },
  paths: {
    '/plants': {
      get: { summary: 'List plants', description: 'All of them.', responses: {} },
    },
  },
})
const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nText.\n`

describe('the pages of a site', () => {
  test('listed pages come first in the order of the navigation, followed by the other pages', () => {
    const pages = plan(
      { groups: [{ group: 'All', pages: ['moss', 'fern'] }] },
      { 'fern.mdx': '', 'moss.mdx': '', 'alone.mdx': '', 'deep/er.md': '' },
    )
    expect(pages.map(({ path }) => path)).toEqual(['moss', 'fern', 'alone', 'deep/er'])
    expect(pages.map(({ entry }) => entry !== undefined)).toEqual([true, true, false, false])
  })

  test('a page that is listed several times is planned only once', () => {
    const tabs = [
      { tab: 'A', pages: ['moss', 'fern'] },
      { tab: 'B', pages: ['fern'] },
    ]
    const pages = plan({ tabs }, { 'moss.mdx': '', 'fern.mdx': '' })
    expect(pages.map(({ path }) => path)).toEqual(['moss', 'fern'])
  })

  test('a navigation entry without a file does not become a page', () => {
    expect(plan({ pages: ['moss', 'missing'] }, { 'moss.mdx': '' })).toHaveLength(1)
  })

  test('a snippet or an unlisted README does not become a page', () => {
    const files = { 'moss.mdx': '', 'snippets/hint.mdx': '', 'README.md': '' }
    expect(plan({ pages: ['moss'] }, files).map(({ path }) => path)).toEqual(['moss'])
  })

  test('only operations that the specification contains become pages', () => {
    const pages = plan(
      { pages: [{ group: 'API', openapi: 'api.json', pages: ['GET /plants', 'GET /none'] }] },
      { 'api.json': SPECIFICATION },
    )
    expect(pages).toMatchObject([
      { title: 'List plants', file: undefined, backing: { kind: 'operation', source: 'api.json' } },
    ])
  })
})

describe('the data of a page', () => {
  const one = (path: string, text: string) => plan({ pages: [path] }, { [`${path}.mdx`]: text })[0]

  test('the title of a page comes from the frontmatter, or else from the file name', () => {
    expect(one('slow-growth', page('Slow'))?.title).toBe('Slow')
    expect(one('slow-growth', 'Text.')?.title).toBe('Slow growth')
  })

  test('a page without a title has the title of its operation', () => {
    const plants = (more: string) =>
      plan(
        { pages: ['plants'] },
        {
          'plants.mdx': `---\nopenapi: api.json GET /plants\n${more}---\n`,
          'api.json': SPECIFICATION,
        },
      )[0]
    expect(plants('')).toMatchObject({ title: 'List plants', file: 'plants.mdx' })
    expect(plants('title: Mine\n')).toMatchObject({ title: 'Mine' })
  })

  test("an operation's description appears in lists but is hidden on the operation's page", () => {
    expect(one('moss', page('Moss', 'description: Green.\n'))?.description).toBe('Green.')
    const [operation] = plan(
      { pages: [{ group: 'API', openapi: 'api.json', pages: ['GET /plants'] }] },
      { 'api.json': SPECIFICATION },
    )
    expect(operation?.description).toBe('All of them.')
    expect(operation?.frontmatter.metadata).toMatchObject({ hideDescription: true })
  })

  test('the URL of a page is derived from its path', () => {
    expect(one('guides/moss', '')?.url).toBe('/guides/moss')
    expect(one('index', '')?.url).toBe('/')
  })
})

describe('the index page of a folder', () => {
  const addresses = (...given: Parameters<typeof plan>) =>
    plan(...given).map(({ path, alias, url, entry }) => [path, alias, url, entry?.url])

  test('an index page has the URL of its folder, whether or not it is listed', () => {
    const files = { 'guides/index.mdx': '', 'more/index.mdx': '' }
    expect(addresses({ pages: ['guides/index'] }, files)).toEqual([
      ['guides/index', 'guides', '/guides', '/guides'],
      ['more/index', 'more', '/more', undefined],
    ])
  })

  test("an index page keeps its path as URL if another page has the folder's name", () => {
    const files = { 'guides/index.mdx': '', 'guides.mdx': '' }
    expect(addresses({ pages: ['guides/index', 'guides'] }, files)).toEqual([
      ['guides/index', undefined, '/guides/index', '/guides/index'],
      ['guides', undefined, '/guides', '/guides'],
    ])
  })

  test('an index page keeps its path as URL if there is a redirect from the folder', () => {
    const redirects = [{ source: '/guides', destination: '/guides/index' }]
    expect(
      addresses({ pages: ['guides/index'] }, { 'guides/index.mdx': '' }, { redirects }),
    ).toEqual([['guides/index', undefined, '/guides/index', '/guides/index']])
  })

  test('the index page of the site has only one URL', () => {
    expect(plan({ pages: ['index'] }, { 'index.mdx': '' })[0]?.alias).toBeUndefined()
  })
})

describe('the version of a page (requirements G15, M6, X8)', () => {
  const specification = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1' },
    paths: {
      '/plants': {
        get: { summary: 'List', responses: {} },
        post: { summary: 'Add', responses: {}, 'x-svc': { metadata: { version: 'v8' } } },
      },
    },
  })
  const files = {
    'api.json': specification,
    'own.mdx': '---\ntitle: Own\nversion: v4\nopenapi: POST /plants\n---\n',
    'backed.mdx': '---\ntitle: Backed\nopenapi: POST /plants\n---\n',
    'plain.mdx': '---\ntitle: Plain\n---\n',
  }
  const tabs = [
    { tab: 'API', version: 'v7', openapi: 'api.json' },
    { tab: 'Guides', version: 'v7', pages: ['own', 'backed', 'plain'] },
  ]

  test("a page's version comes from the page, its operation, or the tab of a generated page", () => {
    const pages = plan({ tabs }, files)
    expect(pages.map(({ path, frontmatter }) => [path, frontmatter.fields.version])).toEqual([
      ['api-reference/list', 'v7'],
      ['api-reference/add', 'v8'],
      ['own', 'v4'],
      ['backed', 'v8'],
      ['plain', undefined],
    ])
  })
})
