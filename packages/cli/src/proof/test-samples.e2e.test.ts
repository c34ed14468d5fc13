/** Tests `octavo test` with real curl, Node.js and Python. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runIn, writeFiles } from '../../testing/run-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-test-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Sample = { readonly lang: string; readonly source: string }
const URL = 'https://api.example.com/v1/plants'
const JSON_HEADER = `-H 'Content-Type: application/json'`

let count = 0
/** Runs the command on a site with one specification. */
async function testSite(paths: object, args: readonly string[] = [], api: object = {}) {
  count += 1
  const site = `site-${count}`
  const specification = {
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1' },
    servers: [{ url: 'https://api.example.com/v1' }],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }
  const navigation = { groups: [{ group: 'API', openapi: 'plants.json' }] }
  writeFiles(join(folder, site), {
    'docs.json': JSON.stringify({ name: 'Plants', navigation, api }),
    'plants.json': JSON.stringify(specification, null, 2),
  })
  return runIn(folder, ['test', site, ...args])
}

/** Runs samples of `POST /plants`, which has one required property and a query parameter. */
function testWritten(samples: readonly Sample[], args: readonly string[] = []) {
  const post = {
    summary: 'Add a plant',
    'x-codeSamples': samples,
    security: [{ key: [] }],
    parameters: [{ name: 'notify', in: 'query', schema: { type: 'boolean' } }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, height: { type: 'number' } },
          },
        },
      },
    },
    responses: {
      201: { description: 'Added', content: { 'application/json': { example: { id: 'fern' } } } },
    },
  }
  const get = { summary: 'List', 'x-codeSamples': [], responses: { 200: { description: 'All' } } }
  return testSite({ '/plants': { post, get } }, args, { examples: { autogenerate: false } })
}

const curl = (source: string) => ({ lang: 'curl', source })
const AUTH = `-H 'Authorization: Bearer abc'`

describe('octavo test with generated samples', () => {
  test('samples of all kinds of requests pass with curl, Node.js and Python', async () => {
    const body = (type: string, schema: object, example?: unknown) => ({
      summary: type,
      requestBody: { content: { [type]: { schema, ...(example !== undefined && { example }) } } },
      responses: { 200: { description: 'Yes' } },
    })
    const file = { type: 'string', format: 'binary' }
    const fields = { type: 'object', properties: { name: { type: 'string' }, photo: file } }
    const { code, out, err } = await testSite(
      {
        '/plants/{id}': {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'tags', in: 'query', example: ['a b', 'c&d'], schema: { type: 'array' } },
            { name: 'X-Trace', in: 'header', example: 'on', schema: { type: 'string' } },
            { name: 'garden', in: 'cookie', example: '5', schema: { type: 'string' } },
          ],
          get: {
            summary: 'Get',
            responses: {
              302: {
                description: 'Moved',
                headers: { Location: { example: 'https://example.com/', schema: {} } },
              },
            },
          },
          head: { summary: 'Head', responses: { 200: { description: 'Yes' } } },
          delete: {
            summary: 'Delete',
            security: [{ key: [] }],
            responses: { 204: { description: 'Gone' } },
          },
          post: body('application/json', {}, { url: URL, text: 'ü "quoted" \'text\'\n\\' }),
          put: body('multipart/form-data', fields, { name: 'a\nb' }),
        },
        '/form': { post: body('application/x-www-form-urlencoded', fields, { name: 'a & b' }) },
        '/text': { post: body('text/plain', { type: 'string' }, '@file\n') },
        '/photo': { post: body('image/png', file) },
      },
      [],
      { examples: { languages: ['curl', 'javascript', 'node', 'typescript', 'python'] } },
    )
    expect({ code, out, err }).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^octavo test {2}40 samples of 8 operations, with curl \S+, node \S+, python .*\n\n✓ 40 passed\.\n$/,
      ),
    })
  })

  test('samples without a runtime or a server are listed as not run', async () => {
    const get = { summary: 'List', responses: { 200: { description: 'All' } } }
    const examples = { languages: ['curl', 'dart'] }
    const own = { ...get, servers: [{ url: '/v1' }] }
    const paths = { '/plants': { get }, '/trees': { get: own } }
    const { code, out } = await testSite(paths, [], { examples })
    expect(code).toBe(0)
    expect(out).toContain('not run  2 samples, Dart: Octavo cannot run samples in this language')
    expect(out).toContain('not run  1 sample, cURL: the operation has no server with an absolute')
    expect(out).toContain('✓ 1 passed, 3 not run.')
  })
})

describe('octavo test with samples from x-codeSamples', () => {
  test('samples pass if their request fits the operation, whatever their values are', async () => {
    const { code, out } = await testWritten([
      curl(`curl "${URL}?notify=true" ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'`),
      {
        lang: 'Python',
        source: `import requests
plant = requests.post("${URL}", json={"name": "Moss", "height": 2}, headers={"Authorization": "Bearer abc"}).json()
print(plant["id"])`,
      },
      {
        lang: 'js',
        source: `const response = await fetch('${URL}', { method: 'POST', body: '{"name": "Moss"}',
  headers: { authorization: 'Bearer abc', 'content-type': 'application/json' } })
const { id } = await response.json()
if (id !== 'fern') throw new Error('wrong')`,
      },
    ])
    expect(out).toContain('3 samples from `x-codeSamples`: this code of the specification')
    expect(out).toContain('✓ 3 passed.')
    expect(code).toBe(0)
  })

  test.each([
    [
      `curl -X PUT ${URL} ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'`,
      'request: The sample has sent `PUT /v1/plants`, which no operation of the specification has.',
    ],
    [
      `curl https://api.example.com/plants ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'`,
      'has sent `POST /plants`, which no operation',
    ],
    [
      `curl "${URL}?notfy=true" ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'`,
      'no query parameter `notfy`',
    ],
    [
      `curl ${URL} ${AUTH} ${JSON_HEADER} -d '{"nam": "Moss"}'`,
      '`body` has no `name`, which the schema requires',
    ],
    [`curl ${URL} ${AUTH} ${JSON_HEADER} -d '{"name": "Moss}'`, 'not valid JSON'],
    [`curl ${URL} ${AUTH} -d '{"name": "Moss"}'`, 'does not accept a body of the type'],
    [`curl ${URL} ${JSON_HEADER} -d '{"name": "Moss"}'`, 'no credential for `key`'],
    [`curl --header=${URL}`, 'program: The program has the exit code 2.'],
    [`echo ${URL}`, 'request: The sample has sent no request to the documented server.'],
  ])('%s fails', async (source, reason) => {
    const { code, out } = await testWritten([curl(source)])
    expect(out).toContain('failed  plants.json:14:15  POST /plants  cURL\n')
    expect(out).toContain(reason)
    expect(out).toContain('✗ 0 passed, 1 failed.')
    expect(code).toBe(1)
  })

  test('a sample without the URL of the server is not run', async () => {
    const source = `import os\nos.remove("${join(folder, 'site-1/docs.json')}")`
    const { code, out } = await testWritten([{ lang: 'python', source }])
    expect(out).toContain(
      'not run  1 sample, Python: the code does not contain the URL of the server, `https://api.example.com`.',
    )
    expect(code).toBe(1)
  })

  test('a sample has no variables but those of --env, and a folder of its own', async () => {
    const source = `test -z "$OCTAVO_API_KEY$NO_COLOR$USER" || exit 9
case "$PWD$HOME" in *octavo-test-*octavo-test-*) ;; *) exit 8 ;; esac
curl ${URL} -H "Authorization: Bearer $API_KEY" ${JSON_HEADER} -d '{"name": "Moss"}'`
    const without = await testWritten([curl(source)])
    expect(without.out).toContain('no credential for `key`')
    const given = await testWritten([curl(source)], ['--env', 'API_KEY=a=b'])
    expect(given.out).toContain('✓ 1 passed.')
  })
})

describe('the results of octavo test', () => {
  const samples = [
    curl(`curl ${URL} ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'`),
    curl(
      `curl "${URL}?a&b=${URL}" ${AUTH} ${JSON_HEADER} -d '{"name": "Moss"}'; printf '\\a]]><' >&2; exit 3`,
    ),
    { lang: 'cobol', source: URL },
  ]
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')

  test('are a file with the hash of each sample, which is the same in each run but for its date', async () => {
    await testWritten(samples, ['-o', 'proof.json'])
    const first = read('proof.json')
    await testWritten(samples, ['-o', 'proof.json'])
    const undated = (text: string) => text.replace(/"date": ".*"/, '')
    expect(undated(read('proof.json'))).toBe(undated(first))
    const proof = JSON.parse(first)
    expect(proof).toMatchObject({
      format: 'octavo-proof/1',
      runtimes: [expect.stringMatching(/^curl/)],
    })
    const known = {
      specification: 'plants.json',
      operation: 'POST /plants',
      pages: ['api-reference/add-a-plant'],
      origin: 'x-codeSamples',
    }
    const hashOf = (at: number) =>
      createHash('sha256')
        .update(samples[at]?.source ?? '')
        .digest('hex')
    expect(proof.samples).toEqual([
      { ...known, language: 'bash', sha256: hashOf(0), outcome: 'passed' },
      {
        ...known,
        language: 'bash',
        sha256: hashOf(1),
        outcome: 'failed',
        problems: expect.arrayContaining([expect.objectContaining({ place: 'query.a' })]),
      },
      {
        ...known,
        language: 'cobol',
        sha256: hashOf(2),
        outcome: 'not-run',
        reason: 'the language `cobol` is not known',
      },
    ])
    expect(first).not.toContain('127.0.0.1:')
  })

  test('are a file in the format of JUnit, in which output cannot be markup', async () => {
    await testWritten(samples, ['--junit', 'junit.xml'])
    const xml = read('junit.xml')
    expect(xml).toContain('<testsuite name="octavo test" tests="3" failures="1" skipped="1">')
    expect(xml).toContain(
      'file="plants.json" line="14" classname="plants.json POST /plants" name="cURL"/>',
    )
    expect(xml).toContain('\ufffd]]&gt;&lt;')
    expect(xml).toContain('<skipped message="the language `cobol` is not known"/>')
  })

  test('are annotations for GitHub', async () => {
    const { out, code } = await testWritten(samples, ['--format', 'github'])
    expect(out).toMatch(
      /^::error file=site-\d+\/plants\.json,line=14,col=15,title=POST \/plants cURL::program: The program has the exit code 3\.%0AHint/m,
    )
    expect(code).toBe(1)
  })
})

describe('octavo test', () => {
  test.each([
    [['missing'], 'the folder "missing" does not exist'],
    [['.', 'other'], 'Unexpected argument "other".'],
    [['.', '--env', 'KEY'], 'Invalid --env'],
    [['.', '--format', 'json'], 'Invalid --format "json"'],
    [['.'], 'docs.json was not found'],
  ])('%j is refused', async (args, reason) => {
    const { code, err } = await runIn(folder, ['test', ...args])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
  })

  test('a site without samples is refused', async () => {
    const { code, err } = await testWritten([])
    expect({ code, err }).toEqual({ code: 2, err: 'octavo: this site has no request samples.\n' })
  })
})
