import { describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { OperationCompiler, type ShownPage } from './compile-operations.ts'
import type { CompiledPage } from './compile-page.ts'

const FILES: Readonly<Record<string, string>> = {
  'docs.json': '{ "navigation": { "groups": [{ "group": "API", "openapi": "plants.yaml" }] } }',
  'plants.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
servers: [{ url: 'https://api.plants.example' }]
paths:
  /plants:
    get:
      summary: List
      description: "In a query:\\n\\n\`\`\`sql\\nSELECT name FROM plants\\n\`\`\`"
      x-codeSamples:
        - { lang: 'C#', source: 'using Plants;' }
      responses:
        '200': { description: OK, content: { application/json: { schema: { properties: { name: {} } } } } }
        '404': { description: None, content: { application/json: { schema: { properties: { code: {} } } } } }
`,
}
const TREE = memoryTree(FILES)

async function compile(playground?: ShownPage['playground']): Promise<CompiledPage> {
  const { site } = loadSite(TREE)
  const [backing] = site === undefined ? [] : (site.listings('plants.yaml') ?? [])
  if (site === undefined || backing === undefined) throw new Error('There is no operation.')
  const assets = { files: [], factsOf: () => ({ isThere: false, size: undefined }) }
  const compiler = new OperationCompiler({ site, pages: [], version: 'test', assets })
  return compiler.compile({
    path: 'api-reference/list',
    playground,
    language: undefined,
    backing: { kind: 'operation', source: 'plants.yaml', listing: backing },
  })
}

test('samples and descriptions are colored in whatever language they are', async () => {
  const { html } = await compile()
  expect(html).toMatch(/<span class="[^"]+">using /)
  expect(html).toMatch(/<span class="[^"]+">SELECT /)
})

test('the success response is expanded, the others are collapsed', async () => {
  const { html } = await compile()
  expect(html).toMatch(/id="response-200"(?:(?!<details).)*id="response-name"/)
  expect(html).toMatch(
    /id="response-404".*<details class="oct-expandable">.*id="response-404-code"/,
  )
})

describe('a page of an operation', () => {
  test('with a playground says so, and may talk to the servers of the specification', async () => {
    const { features, origins } = await compile()
    expect(features).toEqual(['playground'])
    expect(origins?.connections).toEqual(['https://api.plants.example'])
  })

  test('without a playground talks to nobody', async () => {
    const { features, origins } = await compile('simple')
    expect(features).toEqual([])
    expect(origins).toBeUndefined()
  })

  test('has a section for each of its headings', async () => {
    const { sections, headings } = await compile()
    expect(sections.map(({ id, path, heading }) => [id, [...path, heading].join(' > ')])).toEqual([
      ['', ''],
      ['responses', 'Responses'],
      ['response-200', 'Responses > 200'],
      ['response-404', 'Responses > 404'],
    ])
    expect(sections.slice(1).map(({ id }) => id)).toEqual(headings.map(({ id }) => id))
    expect(sections[0]?.text).toContain('SELECT name FROM plants')
    expect(sections[3]?.text).toMatch(/None(?:.|\n)*code/)
  })
})
