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

/** The pages of a site with these files, which has them in its navigation as written. */
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

describe('which pages there are', () => {
  test('those of the navigation in its order, then the others', () => {
    const pages = plan(
      { groups: [{ group: 'All', pages: ['moss', 'fern'] }] },
      { 'fern.mdx': '', 'moss.mdx': '', 'alone.mdx': '', 'deep/er.md': '' },
    )
    expect(pages.map(({ path }) => path)).toEqual(['moss', 'fern', 'alone', 'deep/er'])
    expect(pages.map(({ entry }) => entry !== undefined)).toEqual([true, true, false, false])
  })

  test('each once, in however many places it is listed', () => {
    const tabs = [
      { tab: 'A', pages: ['moss', 'fern'] },
      { tab: 'B', pages: ['fern'] },
    ]
    const pages = plan({ tabs }, { 'moss.mdx': '', 'fern.mdx': '' })
    expect(pages.map(({ path }) => path)).toEqual(['moss', 'fern'])
  })

  test('no page for an entry without a file', () => {
    expect(plan({ pages: ['moss', 'missing'] }, { 'moss.mdx': '' })).toHaveLength(1)
  })

  test('no page for a snippet, or for a README that nobody lists', () => {
    const files = { 'moss.mdx': '', 'snippets/hint.mdx': '', 'README.md': '' }
    expect(plan({ pages: ['moss'] }, files).map(({ path }) => path)).toEqual(['moss'])
  })

  test('a page for an operation that a specification has, and no other', () => {
    const pages = plan(
      { pages: [{ group: 'API', openapi: 'api.json', pages: ['GET /plants', 'GET /none'] }] },
      { 'api.json': SPECIFICATION },
    )
    expect(pages).toMatchObject([
      { title: 'List plants', file: undefined, backing: { kind: 'operation', source: 'api.json' } },
    ])
  })
})

describe('what is known of a page', () => {
  const one = (path: string, text: string) => plan({ pages: [path] }, { [`${path}.mdx`]: text })[0]

  test('its title is that of the frontmatter, else of its file', () => {
    expect(one('slow-growth', page('Slow'))?.title).toBe('Slow')
    expect(one('slow-growth', 'Text.')?.title).toBe('Slow growth')
  })

  test('its title is that of its operation where it names one and has no other', () => {
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

  test('its description is for lists; the page of an operation shows it further below', () => {
    expect(one('moss', page('Moss', 'description: Green.\n'))?.description).toBe('Green.')
    const [operation] = plan(
      { pages: [{ group: 'API', openapi: 'api.json', pages: ['GET /plants'] }] },
      { 'api.json': SPECIFICATION },
    )
    expect(operation?.description).toBe('All of them.')
    expect(operation?.frontmatter.metadata).toMatchObject({ hideDescription: true })
  })

  test('its address follows from its path', () => {
    expect(one('guides/moss', '')?.url).toBe('/guides/moss')
    expect(one('index', '')?.url).toBe('/')
  })
})

describe('the index of a folder', () => {
  const addresses = (...given: Parameters<typeof plan>) =>
    plan(...given).map(({ path, alias, url, entry }) => [path, alias, url, entry?.url])

  test('is at the folder, listed or not', () => {
    const files = { 'guides/index.mdx': '', 'more/index.mdx': '' }
    expect(addresses({ pages: ['guides/index'] }, files)).toEqual([
      ['guides/index', 'guides', '/guides', '/guides'],
      ['more/index', 'more', '/more', undefined],
    ])
  })

  test('stays where it is if a page is called like the folder', () => {
    const files = { 'guides/index.mdx': '', 'guides.mdx': '' }
    expect(addresses({ pages: ['guides/index', 'guides'] }, files)).toEqual([
      ['guides/index', undefined, '/guides/index', '/guides/index'],
      ['guides', undefined, '/guides', '/guides'],
    ])
  })

  test('stays where it is if a redirect leads away from the folder', () => {
    const redirects = [{ source: '/guides', destination: '/guides/index' }]
    expect(
      addresses({ pages: ['guides/index'] }, { 'guides/index.mdx': '' }, { redirects }),
    ).toEqual([['guides/index', undefined, '/guides/index', '/guides/index']])
  })

  test('of the whole site has one address', () => {
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

  test('is what it says itself, then its operation, then the tab of a generated page', () => {
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
