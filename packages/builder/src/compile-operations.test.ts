import { expect, test } from 'vitest'
import { OperationCompiler } from './compile-operations.ts'
import { loadSite } from './load-site.ts'
import type { SourceTree } from './source-tree.ts'

const FILES: Readonly<Record<string, string>> = {
  'docs.json': '{ "navigation": { "groups": [{ "group": "API", "openapi": "plants.yaml" }] } }',
  'plants.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants:
    get:
      summary: List
      description: "In a query:\\n\\n\`\`\`sql\\nSELECT name FROM plants\\n\`\`\`"
      x-codeSamples:
        - { lang: 'C#', source: 'using Plants;' }
      responses: { '200': { description: OK } }
`,
}
const TREE: SourceTree = {
  files: Object.keys(FILES),
  read: (path) => FILES[path],
  stampOf: () => '',
  readHead: () => undefined,
  diagnostics: [],
}

test('samples and descriptions are coloured in whatever language they are', async () => {
  const { site } = loadSite(TREE)
  const [backing] = site === undefined ? [] : (site.listings('plants.yaml') ?? [])
  if (site === undefined || backing === undefined) throw new Error('There is no operation.')
  const compiler = new OperationCompiler({ site, version: 'test', variables: {} })
  const { html } = await compiler.compile({
    ...{ playground: undefined, language: undefined },
    backing: { kind: 'operation', source: 'plants.yaml', listing: backing },
  })
  expect(html).toMatch(/<span class="[^"]+">using /)
  expect(html).toMatch(/<span class="[^"]+">SELECT /)
})
