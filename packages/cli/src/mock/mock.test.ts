import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RunningMock } from '../../testing/mock/running-mock.ts'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'

const PLANTS = `openapi: 3.1.0
info: {title: Plants, version: '1'}
servers: [{url: https://api.example.com/v1}]
paths:
  /plants:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: size, in: query, style: deepObject, schema: {type: object, properties: {min: {type: integer}}}}
        - {name: near, in: query, schema: {type: object, properties: {lat: {type: number}, lon: {type: number}}, required: [lat]}}
        - {name: X-Trace, in: header, schema: {type: string, format: uuid}}
        - {name: garden, in: cookie, schema: {type: integer}}
      responses:
        '200':
          description: All plants
          headers: {X-Total: {schema: {type: integer}, example: 7}}
          content:
            application/json:
              examples:
                many: {value: [{name: Basil}, {name: Mint}]}
                none: {value: []}
        '404':
          description: No garden
          content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}
    post:
      security: [{key: []}, {token: []}]
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Plant'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Plant'}}
          multipart/form-data:
            schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}, height: {type: integer}}}
      responses:
        '201': {description: Created, content: {application/json: {schema: {$ref: '#/components/schemas/Plant'}}}}
        '422': {description: Wrong}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: A plant, content: {text/csv: {example: 'name'}}}}}
    delete: {responses: {'204': {description: Deleted}}}
  /plants/mine:
    get: {responses: {'200': {description: Mine, content: {application/json: {example: mine}}}}}
  /plants/{id}.json:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: File, content: {application/json: {example: file}}}}}
  /files/{id}:
    get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'200': {description: File}}}
  /files/{name}:
    get: {parameters: [{name: name, in: path, required: true, schema: {type: string, maxLength: 5}}], responses: {'200': {description: File}}}
  /open:
    get:
      parameters:
        - {name: sort, in: query, schema: {type: string}}
        - {name: filter, in: query, schema: {type: object, additionalProperties: {type: integer}}}
      responses: {'200': {description: Open}}
  /events:
    get: {responses: {'200': {description: Events, content: {text/event-stream: {example: [{n: 1}, {n: 2}]}}}}}
  /photo:
    get: {responses: {'200': {description: Photo, content: {image/png: {schema: {type: string, format: binary}}}}}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
  schemas:
    Error: {type: object, properties: {message: {type: string}, retryAfter: {type: integer, minimum: 200}}}
    Plant:
      type: object
      required: [name]
      additionalProperties: false
      properties:
        id: {type: integer, readOnly: true, example: 4}
        name: {type: string, minLength: 2, example: Basil}
        leaves: {type: array, items: {type: object, properties: {color: {enum: [green, red]}}}}
`
const JSON_TYPE = { 'content-type': 'application/json' }
const WITH_KEY = { 'x-key': 'any' }
const post = (body: string) => ({ body, headers: { ...WITH_KEY, ...JSON_TYPE } })

let mock: RunningMock
beforeAll(async () => {
  mock = await RunningMock.start({ 'openapi.yaml': PLANTS }, 'openapi.yaml')
})
afterAll(() => mock[Symbol.asyncDispose]())

describe('octavo mock', () => {
  test('the command prints where it listens and how many operations it serves', () => {
    expect(mock.output).toContain(`octavo mock  ${mock.url}/\n`)
    expect(mock.output).toContain('11 operations of openapi.yaml, also below /v1\n')
  })

  test('each request is printed with its status, and each refusal with its reasons', async () => {
    await mock.send('GET /plants?limit=5')
    await mock.send('GET /plants?limit=101')
    expect(mock.output).toContain('200  GET /plants?limit=5  GET /plants\n')
    expect(mock.output).toContain(
      '400  GET /plants?limit=101  GET /plants\n' +
        '     `query.limit` is 101, but the schema requires at most 100. Change the value, or correct the limit.\n',
    )
  })

  test('the last requests are listed, without headers and bodies', async () => {
    await mock.send('GET /plants?limit=x', { headers: { authorization: 'Bearer secret' } })
    const { body, text } = await mock.send('GET /_octavo/requests')
    expect(body[0]).toMatchObject({
      method: 'GET',
      url: '/plants?limit=x',
      operation: 'GET /plants',
      status: 400,
      problems: [{ code: 'invalid-parameter', place: 'query.limit' }],
    })
    expect(text).not.toContain('secret')
  })
})

describe('a response of the mock', () => {
  test('has the documented example, headers, status and media type', async () => {
    const { status, headers, body } = await mock.send('GET /plants')
    expect({ status, body }).toEqual({ status: 200, body: [{ name: 'Basil' }, { name: 'Mint' }] })
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('x-total')).toBe('7')
  })

  test.each([
    ['code=404', 404, { message: '<string>', retryAfter: 200 }],
    ['example=none', 200, []],
    ['code=200, example="none"', 200, []],
  ])('is chosen by Prefer: %s', async (prefer, status, body) => {
    expect(await mock.send('GET /plants', { headers: { prefer } })).toMatchObject({ status, body })
  })

  test.each([
    ['code=500', 'The operation has no response `500`.'],
    ['example=few', 'The response has no example `few`.'],
  ])('that does not exist is refused for Prefer: %s', async (prefer, reason) => {
    const { status, body } = await mock.send('GET /plants', { headers: { prefer } })
    expect({ status, reason: body.detail }).toEqual({ status: 400, reason })
  })

  test('is a sample without an example, the same each time', async () => {
    const first = await mock.send('POST /plants', post('{"name": "Mint"}'))
    expect(first.status).toBe(201)
    expect(first.body).toEqual({ id: 4, name: 'Basil', leaves: [{ color: 'green' }] })
    expect((await mock.send('POST /plants', post('{"name": "Mint"}'))).text).toBe(first.text)
  })

  test('has no body if none is documented', async () => {
    expect(await mock.send('DELETE /plants/1')).toMatchObject({ status: 204, text: '' })
  })

  test('is a stream of events, an image, or text', async () => {
    expect((await mock.send('GET /events')).text).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n')
    expect((await mock.send('GET /photo')).text.slice(1, 4)).toBe('PNG')
    expect((await mock.send('GET /plants/1')).text).toBe('name')
  })

  test('has a type that the client accepts, or is refused', async () => {
    const accept = (type: string) => mock.send('GET /plants', { headers: { accept: type } })
    expect((await accept('text/html, application/*;q=0.5')).status).toBe(200)
    expect(await accept('text/html')).toMatchObject({
      status: 406,
      body: { problems: [{ code: 'not-acceptable', place: 'header.Accept' }] },
    })
  })
})

describe('the path of a request', () => {
  test.each(['/plants/mine', '/plants/1.json', '/v1/plants/mine', '/v1/plants'])(
    '%s has an operation',
    async (path) => {
      expect((await mock.send(`GET ${path}`)).status).toBe(200)
    },
  )

  test('the template with more fixed text has precedence', async () => {
    expect((await mock.send('GET /plants/mine')).body).toBe('mine')
    expect((await mock.send('GET /plants/1.json')).body).toBe('file')
  })

  test.each([
    ['/plantz', '/plants'],
    ['/plants/1/leaves', '/plants/{id}'],
    ['/v1/plants/1.jsn', '/plants/{id}'],
  ])('%s is refused with the nearest path %s', async (path, nearest) => {
    const { status, body } = await mock.send(`DELETE ${path}`)
    if (path.endsWith('.jsn')) return expect(body.problems[0].place).toBe('path.id')
    expect(status).toBe(404)
    expect(body.problems[0].hint).toBe(`The nearest path is \`${nearest}\`.`)
  })

  test('a method that the path does not have is refused with those that it has', async () => {
    const { status, headers, body } = await mock.send('PUT /plants')
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' })
    expect(body.problems[0].code).toBe('unknown-method')
  })

  test('templates that differ only in names are tried in turn', async () => {
    expect((await mock.send('GET /files/12')).status).toBe(200)
    expect((await mock.send('GET /files/a.txt')).status).toBe(200)
    expect(await mock.problems('GET /files/longer.txt')).toEqual(['invalid-parameter path.id'])
  })

  test('HEAD is answered as GET, without a body', async () => {
    expect(await mock.send('HEAD /plants')).toMatchObject({ status: 200, text: '' })
  })
})

describe('a parameter', () => {
  test.each([
    '/plants?limit=1',
    '/plants?limit=100',
    '/plants?tags=a,b',
    '/plants?tags=a%2Cb',
    '/plants?size[min]=3',
    '/plants?size%5Bmin%5D=3',
    '/plants?lat=1.5&lon=2',
    '/open?sort=up&a=1&b=2',
  ])('is accepted: %s', async (target) => {
    expect(await mock.problems(`GET ${target}`)).toEqual([])
  })

  test.each([
    ['/plants?limit=0', 'invalid-parameter query.limit'],
    ['/plants?limit=101', 'invalid-parameter query.limit'],
    ['/plants?limit=ten', 'invalid-parameter query.limit'],
    ['/plants?limit=1&limit=2', 'invalid-parameter query.limit'],
    ['/plants?size[min]=x', 'invalid-parameter query.size /min'],
    ['/plants?lon=2', 'invalid-parameter query.near'],
    ['/open?sort=up&a=1&b=x', 'invalid-parameter query.filter /b'],
    ['/plants?limti=5', 'unknown-parameter query.limti'],
    ['/plants/one', 'invalid-parameter path.id'],
  ])('is refused: %s because of %s', async (target, problem) => {
    expect(await mock.problems(`GET ${target}`)).toEqual([problem])
  })

  test('of a header or a cookie is checked too', async () => {
    const uuid = '3c90c3cc-0d44-4b50-8888-8dd25736052a'
    const send = (headers: Record<string, string>) => mock.problems('GET /plants', { headers })
    expect(await send({ 'x-trace': uuid, cookie: 'garden=5' })).toEqual([])
    expect(await send({ 'x-trace': 'x', cookie: 'garden=5' })).toEqual([
      'invalid-parameter header.X-Trace',
    ])
    expect(await send({ 'x-trace': uuid, cookie: 'garden=x' })).toEqual([
      'invalid-parameter cookie.garden',
    ])
  })

  test('that is misspelled is refused with the right name', async () => {
    const { body } = await mock.send('GET /plants?limti=5')
    expect(body.problems[0].hint).toBe('Did you mean `limit`?')
  })
})

describe('a request body', () => {
  test.each([
    ['{"name": "Mint"}', []],
    ['{"name": "Mint", "leaves": [{"color": "red"}]}', []],
    ['{"name": "M"}', ['invalid-body body /name']],
    ['{"leaves": []}', ['invalid-body body']],
    ['{"name": "Mint", "leaves": [{}, {"color": "blue"}]}', ['invalid-body body /leaves/1/color']],
    ['{"name": "Mint", "age": 1}', ['invalid-body body /age']],
    ['{"name": "Mint", "id": 1}', ['invalid-body body /id']],
    ['{"name": "Mint"', ['malformed-body body']],
  ])('%s has the problems %j', async (body, problems) => {
    expect(await mock.problems('POST /plants', post(body))).toEqual(problems)
  })

  test('with wrong values has the status 422 if it is documented, otherwise 400', async () => {
    expect((await mock.send('POST /plants', post('{}'))).status).toBe(422)
    expect((await mock.send('GET /plants?limit=0')).status).toBe(400)
  })

  test('names the line of the specification', async () => {
    const { body } = await mock.send('POST /plants', post('{"name": "M"}'))
    expect(body.problems[0]).toEqual({
      code: 'invalid-body',
      place: 'body /name',
      reason: '`body /name` has 1 character, but the schema requires at least 2.',
      hint: 'Change the value, or correct `minLength`.',
      rule: 'openapi.yaml:73:41',
    })
  })

  test('that is missing, or has another type, is refused', async () => {
    const headers = { ...WITH_KEY, 'content-type': 'text/plain' }
    expect(await mock.problems('POST /plants', { headers: WITH_KEY })).toEqual([
      'missing-body body',
    ])
    const wrong = await mock.send('POST /plants', { headers, body: 'x' })
    expect(wrong.status).toBe(415)
    expect(wrong.body.problems[0].place).toBe('header.Content-Type')
    expect(await mock.problems('DELETE /plants/1', { headers, body: 'x' })).toEqual([
      'unexpected-body body',
    ])
  })

  test('can be a form', async () => {
    const form = (text: string) =>
      mock.problems('POST /plants', { headers: WITH_KEY, body: new URLSearchParams(text) })
    expect(await form('name=12&leaves[0][color]=red')).toEqual([])
    expect(await form('name=12&leaves[0][color]=blue')).toEqual([
      'invalid-body body /leaves/0/color',
    ])
  })

  test('with more fields or bytes than the limit is refused', async () => {
    const fields = (count: number) =>
      mock.problems('POST /plants', {
        headers: WITH_KEY,
        body: new URLSearchParams(`name=Mint${'&leaves[]=1'.repeat(count)}`),
      })
    expect(await fields(999)).toContain('invalid-body body /leaves/0')
    expect(await fields(1_000)).toEqual(['malformed-body body'])
    const large = await mock.send('POST /plants', post(`"${'x'.repeat(10 * 1024 * 1024)}"`))
    expect(large.status).toBe(413)
  })

  test('that is malformed late has the line of the mistake', async () => {
    const { body } = await mock.send('POST /plants', post(`["${'x'.repeat(200_000)}",\n1 2]`))
    expect(body.detail).toContain('The body is not valid JSON at line 2, column 2')
  })

  test('can be a form with files', async () => {
    const form = new FormData()
    form.set('height', 'tall')
    form.set('photo', new Blob(['x']), 'photo.png')
    const send = () => mock.problems('POST /plants', { headers: WITH_KEY, body: form })
    expect(await send()).toEqual(['invalid-body body /height'])
    form.set('height', '12')
    expect(await send()).toEqual([])
    form.delete('photo')
    expect(await send()).toEqual(['invalid-body body'])
  })
})

describe('a credential', () => {
  test.each([{ 'x-key': 'any' }, { authorization: 'Bearer any' }])(
    'of one documented kind is enough: %j',
    async (headers) => {
      const init = { headers: { ...headers, ...JSON_TYPE }, body: '{"name": "Mint"}' }
      expect((await mock.send('POST /plants', init)).status).toBe(201)
    },
  )

  test('that is missing is refused with the status 401', async () => {
    const { status, body } = await mock.send('POST /plants', { headers: JSON_TYPE, body: '{}' })
    expect(status).toBe(401)
    expect(body.problems[0]).toMatchObject({ code: 'missing-credential', place: 'header.X-Key' })
  })
})

describe('a website', () => {
  const ask = (origin: string) =>
    mock.send('OPTIONS /plants', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-key',
      },
    })

  test('of this machine, such as octavo dev, may send requests', async () => {
    const { status, headers } = await ask('http://localhost:3000')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(headers.get('access-control-allow-headers')).toBe('x-key')
  })

  test('of another machine may not read responses', async () => {
    const { headers } = await ask('https://evil.example')
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })
})

describe('a hostile request', () => {
  test.each([
    '/plants?limit=%E0%A4%A',
    `/plants?size${'[a]'.repeat(2_000)}=1`,
    `/plants?${'limit=1&'.repeat(1_500)}`,
    `/plants?tags=${','.repeat(10_000)}&x`,
    '/plants?__proto__=1&size[__proto__]=1&constructor',
    '/plants/%2e%2e%2f%00',
    `/${'%'.repeat(5_000)}`,
    `/${'a/'.repeat(5_000)}`,
  ])('number %# is refused, and the next request is answered', async (target) => {
    expect((await mock.send(`GET ${target}`)).status).toBeGreaterThanOrEqual(400)
    expect((await mock.send('GET /plants')).status).toBe(200)
  })

  test('for a host name that is not of this machine is refused', async () => {
    const { port } = new URL(mock.url)
    const answer = await new Promise<number | undefined>((resolve) => {
      const options = { port, path: '/plants', headers: { host: 'evil.example' } }
      request(options, (response) => resolve(response.statusCode)).end()
    })
    expect(answer).toBe(403)
  })
})

describe('octavo mock with other sources', () => {
  test('a template of many parameters is matched without backtracking', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `{p${index}}a`).join('')
    const paths = `paths:\n  /${many}:\n    get: {responses: {'200': {description: Yes}}}\n`
    const text = `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${paths}`
    await using hostile = await RunningMock.start({ 'a.yaml': text }, 'a.yaml')
    expect((await hostile.send(`GET /${'a'.repeat(4_000)}b`)).status).toBe(404)
    expect((await hostile.send(`GET /${'xa'.repeat(40)}`)).status).toBe(200)
  })

  test('a documentation folder is served, with specifications in several files', async () => {
    const split = PLANTS.replace(/^paths:\n[\s\S]*?(?=^\S)/m, 'paths: { $ref: parts/paths.yaml }\n')
    const paths =
      '/moss: { get: { summary: Get moss, responses: { 200: { description: Moss. } } } }\n'
    const docs = '{ "navigation": { "tabs": [{ "tab": "API", "openapi": "a.yaml" }] } }'
    const files = { 'api/docs.json': docs, 'api/a.yaml': split, 'api/parts/paths.yaml': paths }
    await using mock = await RunningMock.start(files, 'api')
    expect(mock.output).toContain('1 operation of api/a.yaml')
    expect((await mock.send('GET /moss')).status).toBe(200)
  })

  test('a folder is served with all its specifications', async () => {
    const other = PLANTS.replace('/v1', '/v2').replaceAll('/plants', '/trees')
    await using both = await RunningMock.start({ 'api/a.yaml': PLANTS, 'api/b.yaml': other }, 'api')
    expect(both.output).toContain('11 operations of api/a.yaml, also below /v1\n')
    expect(both.output).toContain('11 operations of api/b.yaml, also below /v2\n')
    expect((await both.send('GET /plants')).status).toBe(200)
    expect((await both.send('GET /v2/trees')).status).toBe(200)
  })

  test.each([
    [[], 'Missing argument'],
    [['a.yaml', 'b.yaml'], 'Unexpected argument "b.yaml".'],
    [['missing.yaml'], '"missing.yaml" does not exist.'],
    [['a.yaml', '--port', 'x'], 'Invalid --port'],
  ])('octavo mock %j is refused', async (args, reason) => {
    let err = ''
    const code = await run({
      args: ['mock', ...args],
      cwd: import.meta.dirname,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
      clock: systemClock,
      out: { write: () => undefined },
      err: { write: (text) => (err += text) },
    })
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
  })

  test('a specification that cannot be read is refused with its diagnostics', async () => {
    const started = RunningMock.start({ 'a.yaml': 'openapi: 3.1.0\n  x: [' }, 'a.yaml')
    await expect(started).rejects.toThrow(/Exit code 1: .*a\.yaml:2:\d+ {2}openapi\/unreadable/s)
  })
})
