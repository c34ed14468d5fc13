import { describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { planPages } from '../plan/plan-pages.ts'
import type { AssetFacts } from '../source/images/asset-facts.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { OperationCompiler } from './compile-operations.ts'
import { type ShownPage, shownOf } from './shown-page.ts'

const CONFIG = '{ "navigation": { "groups": [{ "group": "API", "openapi": "plants.yaml" }] } }'
const NO_FILE: AssetFacts = { exists: false, size: undefined }

type Opened = { readonly compiler: OperationCompiler; readonly pages: readonly ShownPage[] }

/** Opens a site with one specification and with images that have the given facts. */
function open(specification: string, images: Readonly<Record<string, AssetFacts>> = {}): Opened {
  const texts: Readonly<Record<string, string>> = {
    'docs.json': CONFIG,
    'plants.yaml': `openapi: 3.1.0\ninfo: { title: Plants, version: '1' }\n${specification}`,
  }
  const files = [...Object.keys(texts), ...Object.keys(images)]
  const tree = memoryTree(texts)
  const { site } = loadSite(tree)
  if (site === undefined) throw new Error('There is no site.')
  const pages = planPages(site).flatMap((page) => shownOf(page) ?? [])
  const assets = { files, factsOf: (path: string) => images[path] ?? NO_FILE }
  const compiler = new OperationCompiler({ site, pages, version: 'test', assets })
  return { compiler, pages }
}

async function compileAll({ compiler, pages }: Opened) {
  return Promise.all(pages.map((page) => compiler.compile(page)))
}

describe('operation pages', () => {
  const PLANTS = `paths:
  /plants:
    get:
      summary: List
      description: "In a query:\\n\\n\`\`\`sql\\nSELECT name FROM plants\\n\`\`\`"
      x-codeSamples:
        - { lang: 'C#', source: 'using Plants;' }
      responses:
        '200': { description: OK, content: { application/json: { schema: { properties: { name: {} } } } } }
        '404': { description: None, content: { application/json: { schema: { properties: { code: {} } } } } }
`

  test('code in samples and descriptions is highlighted in any programming language', async () => {
    const [page] = await compileAll(open(PLANTS))
    expect(page?.html).toMatch(/<span class="[^"]+">using /)
    expect(page?.html).toMatch(/<span class="[^"]+">SELECT /)
  })

  test('the success response is shown and the other responses are in tabs', async () => {
    const [page] = await compileAll(open(PLANTS))
    const [, ok = '', missing = ''] = page?.html.match(
      /oct-responses">(<input .*?)(<input .*)/s,
    ) ?? ['']
    expect(ok).toMatch(/ checked>.*oct-http-2">200<.*id="response-200".*id="response-name"/s)
    expect(missing).toMatch(/oct-http-4">404<.*id="response-404".*id="response-404-code"/s)
    expect(missing).not.toContain(' checked')
  })
})

describe('the Markdown of an operation (requirement P5)', () => {
  test('the Markdown of an operation has method, URL, credentials and labels, but no button texts', async () => {
    const [page] = await compileAll(
      open(`servers: [{ url: 'https://api.plants.example' }]
security: [{ key: [] }, { session: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: key }
    session: { type: apiKey, in: cookie, name: sid }
  schemas:
    Plant:
      type: object
      properties:
        id: { type: string, readOnly: true, x-svc: { pre: [new], post: [stable] } }
        size: { type: integer, minimum: 1, maximum: 9 }
        parent: { $ref: '#/components/schemas/Plant' }
paths:
  /plants:
    get:
      summary: List
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Plant' } } } }
`),
    )
    const markdown = page?.markdown ?? ''
    expect(markdown).toMatch(/^GET `https:\/\/api\.plants\.example\/plants`\n/)
    expect(markdown).toContain('- `key` (query, string, required)')
    expect(markdown).toContain('- `sid` (cookie, string, required)')
    expect(markdown).toContain('- `id` (new, string, read-only, stable)')
    expect(markdown).toContain('≥ 1 · ≤ 9')
    expect(markdown).toMatch(
      /- `parent` \(Plant\)\n {2}Properties of Plant: `#\/components\/schemas\/Plant` of the specification\n\nSpecification: \[plants\.yaml\]\(\/plants\.yaml\)\n$/,
    )
    expect(markdown).not.toContain('Try it')
    // Parts that a script would load are named by their path in the specification.
    expect(markdown).not.toMatch(/Properties of(?! Plant: `#\/)/)
  })
})

describe('the facts of an operation page', () => {
  const SERVERS = `servers: [{ url: 'https://api.plants.example' }]
paths: { /plants: { get: { summary: List, description: Water, responses: { '200': { description: OK }, '404': { description: None } } } } }
`

  async function compile(playground?: ShownPage['playground']) {
    const { compiler, pages } = open(SERVERS)
    const [page] = pages
    if (page === undefined) throw new Error('There is no operation.')
    return compiler.compile({ ...page, playground })
  }

  test('a page with a playground lists the playground feature and the origins of its servers', async () => {
    const { features, origins } = await compile()
    expect(features).toEqual(['playground'])
    expect(origins?.connections).toEqual(['https://api.plants.example'])
  })

  test('a page without a playground lists no origins', async () => {
    const { features, origins } = await compile('simple')
    expect(features).toEqual([])
    expect(origins).toBeUndefined()
  })

  test('an operation page has a section for each heading', async () => {
    const { sections, headings } = await compile()
    expect(sections.map(({ id, path, heading }) => [id, [...path, heading].join(' > ')])).toEqual([
      ['', ''],
      ['responses', 'Responses'],
      ['response-200', 'Responses > 200'],
      ['response-404', 'Responses > 404'],
    ])
    expect(sections.slice(1).map(({ id }) => id)).toEqual(headings.map(({ id }) => id))
    expect(sections[0]?.text).toContain('Water')
    expect(sections[3]?.text).toContain('None')
  })
})

describe('links and images in a description', () => {
  const describing = (text: string) =>
    `paths: { /plants: { get: { summary: List, description: '${text}', responses: {} } } }`
  const leaf = (width: number) => ({
    'images/leaf.png': { exists: true, size: { width, height: 12 } },
  })

  test('links in a description resolve relative to the page, wherever the specification is', async () => {
    const [page] = await compileAll(open(describing('[Soil](soil), [all](/all)')))
    expect(page?.html).toContain('href="/api-reference/soil"')
    expect(page?.html).toContain('href="/all"')
    expect(page?.links).toEqual([
      { kind: 'link', url: 'soil', file: 'plants.yaml', offset: expect.any(Number) },
      { kind: 'link', url: '/all', file: 'plants.yaml', offset: expect.any(Number) },
    ])
  })

  test('images in a description have the size of their file', async () => {
    const [page] = await compileAll(open(describing('![Leaf](images/leaf.png)'), leaf(24)))
    expect(page?.html).toMatch(/src="\/images\/leaf\.png"[^>]* width="24"/)
    expect(page?.files).toContain('images/leaf.png')
  })

  test('the cache key of a page depends on image files only if the specification uses images', () => {
    const keyOf = (text: string, width: number) => {
      const { compiler, pages } = open(describing(text), leaf(width))
      return pages.map((page) => compiler.keyOf(page))
    }
    expect(keyOf('![Leaf](/images/leaf.png)', 24)).not.toEqual(
      keyOf('![Leaf](/images/leaf.png)', 25),
    )
    expect(keyOf('A leaf.', 24)).toEqual(keyOf('A leaf.', 25))
  })
})

describe('texts that pages load later', () => {
  const DEEP = (listed: string) => `paths:
  /a: { get: { summary: A, ${listed} } }
  /b: { get: { summary: B, responses: { '200': { description: B, content: { application/json: { schema: { $ref: '#/components/schemas/Top' } } } } } } }
components:
  schemas:
    Top: { type: object, properties: { next: { $ref: '#/components/schemas/Middle' } } }
    Middle: { type: object, properties: { next: { $ref: '#/components/schemas/Deep' } } }
    Deep: { type: object, properties: { x: { type: string, description: '[deep](/deep)' } } }
    Unused: { type: object, properties: { x: { type: string, description: '[unused](/unused)' } } }
`
  const urls = (pages: readonly { readonly links: readonly { readonly url: string }[] }[]) =>
    pages.map(({ links }) => links.map(({ url }) => url))

  test('links in lazily loaded text belong to the first page, no matter which page loads the text', async () => {
    const pages = await compileAll(open(DEEP('responses: {}')))
    expect(urls(pages)).toEqual([['/deep'], []])
    expect(pages.map(({ html }) => html.includes('/deep'))).toEqual([false, false])
  })

  test('links in lazily loaded texts are ignored if no page links to the texts', async () => {
    const hidden = open(DEEP('responses: {}').replace('summary: B', 'summary: B, x-hidden: true'))
    expect(urls(await compileAll(hidden))).toEqual([[]])
  })
})

describe('samples of a body with alternatives', () => {
  const payments = (media: string) => `servers: [{ url: 'https://api.example.com' }]
paths:
  /payments:
    post:
      requestBody: { content: { application/json: { ${media} } } }
      responses: { '201': { description: Paid }, '402': { description: Declined } }
components:
  schemas:
    Payment:
      properties: { amount: { type: integer, example: 6540 }, method: { $ref: '#/components/schemas/Method' } }
    Method:
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Wallet' }]
      discriminator: { propertyName: kind, mapping: { card: '#/components/schemas/Card', wallet: '#/components/schemas/Wallet' } }
    Card: { properties: { kind: { type: string }, number: { type: string, example: '4242' } } }
    Wallet: { properties: { kind: { type: string }, token: { type: string, example: tok_1 } } }
`
  const panels = (html = '') =>
    [...html.matchAll(/ value="(card|wallet)"(?: checked)?>/g)].map(([, title]) => title)

  test.each(['Payment', 'Method'])('a sample follows the alternatives of %s', async (name) => {
    const [page] = await compileAll(
      open(payments(`schema: { $ref: '#/components/schemas/${name}' }`)),
    )
    // The tabs of the sample and those of the body have the same titles, so one follows the other.
    expect(panels(page?.html)).toEqual(['card', 'wallet', 'card', 'wallet'])
    expect(page?.markdown).toMatch(/"kind": "card",?\s+"number": "4242"/)
    expect(page?.markdown).toMatch(
      /"kind": "wallet",?\s+"token": "tok_1"|"token": "tok_1",?\s+"kind": "wallet"/,
    )
  })

  test('an example of the author follows no alternative', async () => {
    const media = "schema: { $ref: '#/components/schemas/Payment' }, example: { amount: 1 }"
    const [page] = await compileAll(open(payments(media)))
    expect(page?.html).not.toContain('oct-following')
    expect(panels(page?.html)).toEqual([])
  })

  test('headings know how many fields or responses are below them', async () => {
    const [page] = await compileAll(
      open(payments("schema: { $ref: '#/components/schemas/Payment' }")),
    )
    const counts = page?.headings.map(({ id, count }) => [id, count])
    expect(counts).toEqual([
      ['body', 2],
      ['responses', 2],
      ['response-201', undefined],
      ['response-402', undefined],
    ])
  })
})
