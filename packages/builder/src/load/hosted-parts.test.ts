/** References of hosted specifications into other documents of their host. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { TestServer } from '../../testing/test-server.ts'
import { readFolder } from '../source/read-folder.ts'
import { networkFetcher } from './fetch-specifications.ts'
import { HOSTED_SPECIFICATIONS_MAX } from './hosted-specifications.ts'
import { openSite } from './open-site.ts'

const ROOT = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants:
    get:
      summary: List plants
      responses:
        '200':
          description: Plants.
          content: { application/json: { schema: { $ref: './schemas/plant.yaml' } } }
`
const PLANT = `type: object
properties:
  leaf: { $ref: '/shared.yaml#/Leaf' }
  parent: { $ref: plant.yaml }
`
const SHARED = 'Leaf: { type: object, properties: { color: { type: string } } }\n'

let files: Record<string, string> = {}
let server: TestServer
let site: TemporarySite
beforeEach(async () => {
  files = { '/api/openapi.yaml': ROOT, '/api/schemas/plant.yaml': PLANT, '/shared.yaml': SHARED }
  server = await TestServer.start(({ url = '' }, response) => {
    const text = files[url]
    if (text?.startsWith('-> ')) response.writeHead(302, { location: text.slice(3) }).end()
    else response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  site = new TemporarySite({
    'docs.json': JSON.stringify({
      name: 'Plants',
      navigation: { groups: [{ group: 'API', openapi: `${server.origin}/api/openapi.yaml` }] },
    }),
  })
})
afterEach(async () => {
  site[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

function fetcher() {
  const cacheFolder = `${site.root}/cache`
  return networkFetcher({ cacheFolder, allowPrivateHosts: ['127.0.0.1'], now: () => 0 })
}

async function load() {
  const result = await openSite(readFolder(site.folder), fetcher())
  const relative = (file: string) => file.replace(server.origin, '')
  return {
    files: [...(result.site?.specifications.values() ?? [])].flatMap((one) =>
      one.files.map(relative),
    ),
    problems: result.diagnostics
      .filter(({ severity }) => severity !== 'note')
      .map(({ code, place }) => `${code} ${relative(place.file)}:${place.line}`),
    messages: result.diagnostics.map(({ message }) => message).join('\n'),
  }
}

describe('a hosted specification in several documents', () => {
  test('is read with the documents of its host to which references lead, each fetched once', async () => {
    const { files: read, problems } = await load()
    expect(problems).toEqual([])
    expect(read).toEqual(['/api/openapi.yaml', '/api/schemas/plant.yaml', '/shared.yaml'])
    expect(server.requests).toHaveLength(3)
  })

  test('has the same pages as one document, whether or not its author is trusted', async () => {
    const build = async (isTrusted: boolean) => {
      const output = `${site.root}/${isTrusted}`
      await site.build({ fetcher: fetcher(), isTrusted, output, cacheFolder: `${output}-cache` })
      return site.read('api-reference/list-plants.md', String(isTrusted))
    }
    const whole = await build(true)
    expect(whole).toContain('color')
    expect(await build(false)).toBe(whole)
  })

  test.each<[string, Record<string, string>, readonly string[]]>([
    [
      'a document that does not exist',
      { '/shared.yaml': '' },
      ['openapi/broken-reference /api/schemas/plant.yaml:3'],
    ],
    [
      'a document on another host',
      { '/shared.yaml': SHARED, '/api/schemas/plant.yaml': '$ref: "https://example.com/a.yaml"' },
      ['openapi/external-reference /api/schemas/plant.yaml:1'],
    ],
    [
      'a document on another port',
      { '/api/schemas/plant.yaml': '$ref: "http://127.0.0.1:1/a.yaml"' },
      ['openapi/external-reference /api/schemas/plant.yaml:1'],
    ],
    [
      'a file',
      { '/api/schemas/plant.yaml': '$ref: "file:///etc/passwd"' },
      ['openapi/external-reference /api/schemas/plant.yaml:1'],
    ],
    [
      'a redirect into the private network',
      { '/api/schemas/plant.yaml': '-> http://169.254.169.254/latest' },
      ['openapi/refused /api/openapi.yaml:10'],
    ],
    [
      'a web page',
      { '/api/schemas/plant.yaml': '<!doctype html><p>Sign in</p>' },
      ['openapi/unreadable /api/openapi.yaml:10'],
    ],
    [
      'text that is not YAML',
      { '/api/schemas/plant.yaml': 'type: [' },
      [
        'openapi/broken-reference /api/openapi.yaml:10',
        'openapi/unreadable /api/schemas/plant.yaml:1',
      ],
    ],
  ])('has a finding for a reference to %s', async (_, changed, expected) => {
    files = { ...files, ...changed }
    const { problems } = await load()
    expect(problems.toSorted()).toEqual(expected)
  })

  test('has a finding for a document that the server does not have', async () => {
    delete files['/shared.yaml']
    const { problems, messages } = await load()
    expect(problems).toEqual(['openapi/unreachable /api/schemas/plant.yaml:3'])
    expect(messages).toContain('404')
  })

  test('uses the copy of a document that cannot be fetched, and reports it in docs.json', async () => {
    await load()
    delete files['/shared.yaml']
    const { files: read, problems } = await load()
    expect(read).toHaveLength(3)
    expect(problems).toEqual(['openapi/stale docs.json:1'])
  })

  test.each([
    [HOSTED_SPECIFICATIONS_MAX - 1, []],
    [HOSTED_SPECIFICATIONS_MAX, ['openapi/refused']],
  ])('with %i other documents has these problems: %j', async (count, codes) => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`)
    files = Object.fromEntries(names.map((name) => [`/api/${name}.yaml`, 'type: object\n']))
    const schemas = names.map((name) => `    ${name}: { $ref: ${name}.yaml }\n`)
    files['/api/openapi.yaml'] =
      `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n${schemas.join('')}`
    const { problems } = await load()
    expect(
      problems.flatMap((problem) => /openapi\/(?:refused|un\w+|br\w+)/.exec(problem)?.[0] ?? []),
    ).toEqual(codes)
  })
})
