/** Tests what each tool returns to which reader, with sites from the real builder. */
import { type DocsSite, docsTools, runTool, type ToolName } from '@octavo/mcp'
import { parseManifestRoot, type Reader } from '@octavo/model'
import { createDeploymentReader, openLibrary } from '@octavo/search'
import { describe, expect, test, vi } from 'vitest'
import { builtSite } from '../../../testing/built-site.ts'

const SPECIFICATION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Plants', version: '1' },
  paths: {
    '/plants/{plantId}': {
      get: {
        summary: 'Get a plant',
        parameters: [{ name: 'plantId', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The plant' } },
      },
    },
  },
})

const LONG = Array.from({ length: 3_000 }, (_, index) => `Row ${index} of the log.`).join('\n\n')

const garden = await builtSite({
  'docs.json': JSON.stringify({
    name: 'Garden',
    navigation: {
      groups: [
        { group: 'Care', pages: ['index', 'care/water', 'care/log', 'secret'] },
        { group: 'API', openapi: 'api.json', pages: ['GET /plants/{plantId}'] },
      ],
    },
  }),
  'api.json': SPECIFICATION,
  'index.mdx': '---\ntitle: Welcome\n---\nA garden.\n',
  'care/water.mdx':
    '---\ntitle: Water\ndescription: When to water.\n---\nEvery morning.\n\n## Hose\n\nTurn it on with `hose --slow`.\n\n### Cold days\n\nNot below 5 °C.\n\n## Rain\n\nDo nothing.\n',
  'care/log.mdx': `---\ntitle: Log\n---\n${LONG}\n`,
  'secret.mdx': '---\ntitle: Treasure\ngroups: [staff]\n---\nThe treasure is below the oak.\n',
})

const readerOf = (...groups: readonly string[]): Reader => ({
  hasSiteAccess: true,
  groups: new Set(groups),
})

function siteFor(reader: Reader, more: Partial<DocsSite> = {}, built = garden): DocsSite {
  const parsed = parseManifestRoot(built.root)
  if (parsed.kind === 'malformed') throw new Error(parsed.reason)
  const blob = (sha256: string) => built.blobs.get(sha256) ?? Buffer.alloc(0)
  const deployment = createDeploymentReader(parsed.root, {
    readRun: async ({ sha256 }) => blob(sha256).toString(),
    readFile: async ({ sha256 }) => blob(sha256),
  })
  return {
    name: 'Garden',
    deployment,
    reader,
    openLibrary: (scope) => openLibrary(deployment, { scope, reader }),
    url: 'https://garden.example.com',
    ...more,
  }
}

async function call(name: ToolName, input: unknown, site = siteFor(readerOf())) {
  const tool = docsTools(site).find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return runTool(site, tool, input)
}

describe('search_docs', () => {
  test('search_docs returns the best sections with their URLs', async () => {
    const { text, isError } = await call('search_docs', { query: 'turn on the hose', limit: 1 })
    expect(isError).toBe(false)
    expect(text).toMatch(
      /^## Water > Hose\nhttps:\/\/garden\.example\.com\/care\/water#hose\n\nTurn it on/,
    )
    // Other sections of the same page are listed without their text.
    expect(text).toContain('Also on this page: Rain')
    expect(text).not.toContain('Do nothing.')
  })

  test('search_docs lists further pages after the first eight unless a limit is set', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `plant-${index}`)
    const pages = names.map((name): [string, string] => [
      `${name}.mdx`,
      `---\ntitle: ${name}\ndescription: About ${name}.\n---\nIt wants a pot.\n`,
    ])
    const config = JSON.stringify({ name: 'Many', navigation: { pages: names } })
    const many = await builtSite({ 'docs.json': config, ...Object.fromEntries(pages) })
    const site = siteFor(readerOf(), {}, many)
    const { text } = await call('search_docs', { query: 'pot' }, site)
    expect(text.match(/^## plant-\d+$/gm)).toHaveLength(8)
    expect(text).toContain('Other pages that may be relevant:')
    const line =
      /^- \[plant-\d+\]\(https:\/\/garden\.example\.com\/plant-\d+\): About plant-\d+\.$/gm
    expect(text.match(line)).toHaveLength(12)
    expect(new Set(text.match(/plant-\d+(?=\)?$|\))/gm)).size).toBe(20)
    const few = await call('search_docs', { query: 'pot', limit: 2 }, site)
    expect(few.text.match(/plant-\d+$/gm)).toHaveLength(4)
    expect(few.text).not.toContain('Other pages')
  })

  test('search_docs returns the text of a page that begins with a heading', async () => {
    const empty = await builtSite({
      'docs.json': JSON.stringify({ name: 'Empty', navigation: { pages: ['next', 'other'] } }),
      'next.mdx': '---\ntitle: Webhooks in Next.js\n---\n\n## Examples\n\nCall `verify()`.\n',
      'other.mdx': '---\ntitle: Other\n---\n\nWebhooks elsewhere.\n',
    })
    const site = siteFor(readerOf(), {}, empty)
    const { text } = await call('search_docs', { query: 'webhooks in Next.js' }, site)
    expect(text).toMatch(/^## Webhooks in Next\.js\n\S+\/next\n\n\*\*Examples\*\*/)
    expect(text.split('## Other')[0]).toContain('verify()')
  })

  test('search_docs says so if there are no results', async () => {
    expect((await call('search_docs', { query: 'xyzzy' })).text).toContain('Nothing was found')
  })
})

describe('read_page', () => {
  test('read_page returns the Markdown of a page or of one section', async () => {
    const page = await call('read_page', { url: '/care/water' })
    expect(page.text).toContain('# Water')
    expect(page.text).toContain('Do nothing.')
    const section = await call('read_page', { url: 'https://garden.example.com/care/water#hose' })
    expect(section.text).toMatch(/^## Hose[\s\S]*Not below 5 °C\.$/)
  })

  test('read_page returns the whole page and a note if the section does not exist', async () => {
    const { text } = await call('read_page', { url: '/care/water#nowhere' })
    expect(text).toMatch(/^The page has no section "nowhere"[\s\S]*# Water/)
  })

  test('read_page returns a long page in several parts that together are complete', async () => {
    let whole = ''
    let offset: number | undefined = 0
    for (let parts = 0; offset !== undefined && parts < 10; parts += 1) {
      const { text } = await call('read_page', { url: '/care/log', offset })
      const [, next] =
        /\n\n\[The page continues: call again with offset (\d+);.*\]$/.exec(text) ?? []
      whole += next === undefined ? text : text.slice(0, text.lastIndexOf('\n\n['))
      offset = next === undefined ? undefined : Number(next)
    }
    expect(whole).toContain('Row 0 of the log.')
    expect(whole.match(/Row \d+ of the log\./g)).toHaveLength(3_000)
  })

  test.each([
    ['/care/watr', 'Did you mean /care/water?'],
    ['/_octavo/manifest.json', 'There is no page'],
    ['/api.json', 'There is no page'],
    ['/../../etc/passwd', 'There is no page'],
    ['https://other.example.com/care/water', 'not part of the documentation'],
  ])('read_page rejects the URL %s', async (url, reason) => {
    const { text, isError } = await call('read_page', { url })
    expect([isError, text]).toEqual([true, expect.stringContaining(reason)])
  })
})

describe('grep_docs', () => {
  test('grep_docs finds literal text, ignoring case', async () => {
    const { text } = await call('grep_docs', { text: 'HOSE --slow' })
    expect(text).toContain('https://garden.example.com/care/water#hose (Water > Hose)')
    expect(text).toContain('Turn it on with hose --slow')
  })

  test('grep_docs does not treat the text as a regular expression', async () => {
    expect((await call('grep_docs', { text: 'h.se' })).text).toBe('No section contains this text.')
    expect((await call('grep_docs', { text: '(a+)+$[' })).isError).toBe(false)
  })

  test('grep_docs can be limited to a path and says if there are more matches', async () => {
    const { text } = await call('grep_docs', { text: 'garden', path: '/care' })
    expect(text).toBe('No section contains this text.')
    const limited = await call('grep_docs', { text: 'e', limit: 1 })
    expect(limited.isError).toBe(true)
    expect((await call('grep_docs', { text: 'ow', limit: 1 })).text).toContain('more matches')
  })

  test('grep_docs is fast for a text that almost matches everywhere', async () => {
    const started = performance.now()
    await call('grep_docs', { text: `${'row '.repeat(40)}x` })
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('list_pages', () => {
  test('list_pages lists pages in reading order, and can be limited to a path', async () => {
    const { text } = await call('list_pages', {})
    expect(text.split('\n')[0]).toBe('- [Welcome](https://garden.example.com/)')
    const below = await call('list_pages', { path: 'care/' })
    expect(below.text.split('\n')).toEqual([
      '- [Water](https://garden.example.com/care/water): When to water.',
      '- [Log](https://garden.example.com/care/log)',
    ])
    expect((await call('list_pages', { path: '/car' })).text).toBe('There are no such pages.')
    expect((await call('list_pages', { offset: 100 })).text).toBe('There are no such pages.')
  })
})

describe('get_operation', () => {
  test.each(['GET /plants/{plantId}', 'get /plants/{id}', 'GET /plants/{plantId}/'])(
    'get_operation returns the reference of %s',
    async (operation) => {
      const { text, isError } = await call('get_operation', { operation })
      expect(isError).toBe(false)
      expect(text).toContain('# Get a plant')
      expect(text).toContain('plantId')
    },
  )

  test('get_operation returns a long reference in parts of about 4,000 tokens', async () => {
    const values = Array.from({ length: 2_000 }, (_, index) => `value-${index}`)
    const schema = { type: 'string', enum: values }
    const parameter = { name: 'kind', in: 'query', schema }
    const get = { summary: 'List kinds', parameters: [parameter], responses: {} }
    const specification = { openapi: '3.1.0', info: { title: 'K', version: '1' } }
    const site = await builtSite({
      'docs.json': JSON.stringify({
        name: 'Kinds',
        navigation: { groups: [{ group: 'API', openapi: 'api.json', pages: ['GET /kinds'] }] },
      }),
      'api.json': JSON.stringify({ ...specification, paths: { '/kinds': { get } } }),
    })
    const read = (offset: number) =>
      call('get_operation', { operation: 'GET /kinds', offset }, siteFor(readerOf(), {}, site))
    const first = await read(0)
    expect(first.text.length).toBeLessThan(16_500)
    const [, offset = ''] = /call again with offset (\d+)/.exec(first.text) ?? []
    expect((await read(Number(offset))).text).toMatch(/value-\d+/)
  })

  test('get_operation lists the existing operations if the requested one is unknown', async () => {
    const { text, isError } = await call('get_operation', { operation: 'POST /plants' })
    expect(isError).toBe(true)
    expect(text).toContain('- GET /plants/{plantId}')
  })
})

describe('pages that are limited to a group', () => {
  const inputs: readonly (readonly [ToolName, object])[] = [
    ['search_docs', { query: 'treasure below the oak' }],
    ['read_page', { url: '/secret' }],
    ['read_page', { url: '/secret.md' }],
    ['grep_docs', { text: 'treasure' }],
    ['list_pages', {}],
  ]
  test.each(inputs)(
    '%s with the input %o does not return pages to readers outside of their group',
    async (name, input) => {
      const { text } = await call(name, input)
      expect(text).not.toMatch(/below the oak|Treasure/)
    },
  )
  test.each(inputs)(
    '%s with the input %o returns pages to readers in their group',
    async (name, input) => {
      const { text } = await call(name, input, siteFor(readerOf('staff')))
      expect(text).toMatch(/below the oak|Treasure/)
    },
  )
})

describe('invalid tool input', () => {
  test.each([
    ['search_docs', {}, 'Missing argument "query".'],
    ['search_docs', { query: 7 }, 'Invalid argument "query": expected a text of 1 to 500'],
    ['search_docs', { query: 'x'.repeat(501) }, 'Invalid argument "query"'],
    ['search_docs', { query: ' \u200b ' }, 'Invalid argument "query"'],
    ['search_docs', { query: 'x', limit: 0 }, 'expected a whole number from 1 to 20'],
    ['search_docs', { query: 'x', limit: 1.5 }, 'Invalid argument "limit"'],
    ['search_docs', { query: 'x', __proto__x: 1 }, 'Unknown argument. Expected query, limit.'],
    ['search_docs', ['x'], 'Expected an object'],
    ['grep_docs', { text: 'x' }, 'a text of 2 to 200 characters'],
    ['read_page', { url: '/x', offset: -1 }, 'Invalid argument "offset"'],
  ] as const)(
    'an invalid input gets an error that describes the expected value: %s %o',
    async (name, input, reason) => {
      const { text, isError } = await call(name, input)
      expect([isError, text]).toEqual([true, expect.stringContaining(reason)])
    },
  )
})

describe('report_problem', () => {
  test('report_problem exists only on sites that store reports', async () => {
    const names = (site: DocsSite) => docsTools(site).map(({ name }) => name)
    expect(names(siteFor(readerOf()))).not.toContain('report_problem')
    const reportProblem = vi.fn(async () => {})
    const site = siteFor(readerOf(), { reportProblem })
    expect(names(site)).toContain('report_problem')
    await call('report_problem', { problem: 'The flag is gone.', url: '/care/water#hose' }, site)
    expect(reportProblem).toHaveBeenCalledWith({
      page: '/care/water',
      problem: 'The flag is gone.',
    })
  })
})
