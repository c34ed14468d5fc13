import { describe, expect, test } from 'vitest'
import { listOperations } from '../operations/list-operations.ts'
import { parseSpecification } from '../parse-specification.ts'
import { frameData } from './frame-data.ts'
import { OperationPages } from './operation-page.ts'
import { type SampledParameters, sampleRequest } from './sample-request.ts'
import { SharedParts } from './shared-parts.ts'

function requestOf(
  operation: object,
  more: { components?: object; servers?: object; parameters?: SampledParameters } = {},
) {
  const { parameters = 'all', ...document } = more
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1' },
    servers: [{ url: 'https://api.example.com/v1/' }],
    paths: { '/plants/{id}': { post: { responses: {}, ...operation } } },
    ...document,
  })
  const { specification } = parseSpecification('a.json', text)
  if (specification === undefined) throw new Error('not read')
  const options = { pillFields: [] }
  const [first] = listOperations(specification)
  if (first === undefined) throw new Error('no operation')
  const page = new OperationPages(specification, options).page(first)
  const parts = new SharedParts(specification, options)
  const frame = frameData(specification)
  return sampleRequest({ page, part: (ref) => parts.part(ref), frame, parameters })
}

const query = (name: string, rest: object) => ({ name, in: 'query', ...rest })
const body = (type: string, media: object) => ({ requestBody: { content: { [type]: media } } })

describe('the URL of a sample request', () => {
  test('the URL of a sample request starts with the first server, with default values of variables', () => {
    const servers = [
      { url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } },
    ]
    expect(requestOf({}, { servers }).url).toBe('https://eu.example.com/plants/{id}')
  })

  test('the URL of a sample request is only the path if there is no server', () => {
    expect(requestOf({}, { servers: [] }).url).toBe('/plants/{id}')
  })

  test('the URL of a sample request contains the escaped example of a path parameter', () => {
    const id = { name: 'id', in: 'path', required: true, schema: {}, example: 'a/b c' }
    expect(requestOf({ parameters: [id] }).url).toBe('https://api.example.com/v1/plants/a%2Fb%20c')
  })

  test.each([
    [{ schema: { type: 'array', items: { type: 'integer' } }, example: [1, 2] }, '?a=1&a=2'],
    [{ schema: {}, example: [1, 2], explode: false }, '?a=1%2C2'],
    [{ schema: {}, example: [1, 2], explode: false, style: 'pipeDelimited' }, '?a=1%7C2'],
    [{ schema: {}, example: [1, 2], explode: false, style: 'spaceDelimited' }, '?a=1%202'],
    [{ schema: {}, example: { b: 1 }, style: 'deepObject' }, '?a%5Bb%5D=1'],
    [{ schema: {}, example: { b: 1, c: 2 } }, '?b=1&c=2'],
    [{ schema: {}, example: { b: 1, c: 2 }, explode: false }, '?a=b%2C1%2Cc%2C2'],
    [{ schema: { type: 'boolean' } }, '?a=true'],
    [{ schema: {} }, '?a=<a>'],
    [{ schema: { type: 'string' } }, '?a=<string>'],
    [{ schema: {}, example: '<b>&' }, '?a=%3Cb%3E%26'],
    [{ schema: {}, example: '\ud800' }, '?a=%EF%BF%BD'],
  ])('the URL of a sample request contains the query parameter %j', (parameter, wanted) => {
    expect(requestOf({ parameters: [query('a', parameter)] }).url).toBe(
      `https://api.example.com/v1/plants/{id}${wanted}`,
    )
  })

  test('the URL of a sample request omits deprecated parameters, and optional ones if configured', () => {
    const parameters = [
      query('must', { required: true, schema: {}, example: 1 }),
      query('may', { schema: {}, example: 2 }),
      query('old', { deprecated: true, schema: {}, example: 3 }),
    ]
    expect(requestOf({ parameters }).url).toMatch(/\?must=1&may=2$/)
    expect(requestOf({ parameters }, { parameters: 'required' }).url).toMatch(/\?must=1$/)
  })
})

describe('the default parameters of a sample request', () => {
  const shown = (...parameters: object[]) =>
    requestOf({ parameters }, { parameters: 'with-example' }).url.split('?')[1]

  test('a sample request contains required parameters and optional ones with an example', () => {
    expect(
      shown(
        query('must', { required: true, schema: { type: 'string' } }),
        query('a', { schema: {}, example: 1 }),
        query('b', { schema: { type: 'string', examples: ['x'] } }),
        query('c', { schema: { type: 'array', items: { type: 'string', example: 'y' } } }),
      ),
    ).toBe('must=<string>&a=1&b=x&c=y')
  })

  test('a sample request omits deprecated parameters and optional ones without an example', () => {
    expect(
      shown(
        query('a', { schema: { type: 'string' } }),
        query('b', { schema: { type: 'integer', default: 10 } }),
        query('c', { deprecated: true, schema: {}, example: 1 }),
      ),
    ).toBeUndefined()
  })
})

describe('the credentials of a sample request', () => {
  const signedBy = (scheme: object) => {
    const components = { securitySchemes: { a: scheme } }
    const { url, headers, cookies } = requestOf({ security: [{ a: [] }] }, { components })
    return { query: url.split('?')[1], headers, cookies }
  }

  test.each([
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { headers: [['X-Key', '<api-key>']] }],
    [{ type: 'apiKey', in: 'query', name: 'key' }, { query: 'key=<api-key>' }],
    [{ type: 'apiKey', in: 'cookie', name: 'key' }, { cookies: [['key', '<api-key>']] }],
    [
      { type: 'apiKey', in: 'header', name: 'X-Key', 'x-default': 'sample' },
      { headers: [['X-Key', 'sample']] },
    ],
    [{ type: 'http', scheme: 'bearer' }, { headers: [['Authorization', 'Bearer <token>']] }],
    [{ type: 'http', scheme: 'Basic' }, { headers: [['Authorization', 'Basic <encoded-value>']] }],
    [{ type: 'oauth2', flows: {} }, { headers: [['Authorization', 'Bearer <token>']] }],
    [{ type: 'mutualTLS' }, { headers: [] }],
  ])('a sample request contains the credentials of %j', (scheme, wanted) => {
    expect(signedBy(scheme)).toMatchObject(wanted)
  })
})

describe('the body of a sample request', () => {
  const properties = { name: { type: 'string' }, photo: { type: 'string', format: 'binary' } }

  test('a JSON body is preferred over other media types', () => {
    const operation = {
      requestBody: {
        content: { 'text/plain': {}, 'application/vnd.plants+json': { example: { a: 1 } } },
      },
    }
    expect(requestOf(operation)).toMatchObject({
      headers: [['Content-Type', 'application/vnd.plants+json']],
      body: { kind: 'json', value: { a: 1 } },
    })
  })

  test('a form body repeats lists, and uses brackets for objects with the style deepObject', () => {
    const media = {
      example: { tags: ['a', 'b'], size: { high: 1, list: [2] }, other: { c: 3 } },
      encoding: { size: { style: 'deepObject', explode: true } },
    }
    expect(requestOf(body('application/x-www-form-urlencoded', media)).body).toEqual({
      kind: 'form',
      fields: [
        ['tags', 'a'],
        ['tags', 'b'],
        ['size[high]', '1'],
        ['size[list][0]', '2'],
        ['other', '{"c":3}'],
      ],
    })
  })

  test('a multipart body contains a file for a binary property', () => {
    const media = { schema: { type: 'object', properties } }
    expect(requestOf(body('multipart/form-data', media)).body).toEqual({
      kind: 'multipart',
      parts: [
        { name: 'name', value: '<string>' },
        { name: 'photo', fileName: 'file' },
      ],
    })
  })

  test('an XML body is generated from the schema', () => {
    const media = {
      schema: { $ref: '#/components/schemas/Plant' },
    }
    const Plant = {
      type: 'object',
      properties: { name: { example: '<Fern>' }, tags: { example: ['a', 'b'] } },
    }
    expect(
      requestOf(body('application/xml', media), { components: { schemas: { Plant } } }).body,
    ).toEqual({
      kind: 'text',
      mediaType: 'application/xml',
      text: '<Plant>\n  <name>&lt;Fern&gt;</name>\n  <tags>a</tags>\n  <tags>b</tags>\n</Plant>',
    })
  })

  test('a CSV body is plain text, and an image body is a file', () => {
    expect(requestOf(body('text/csv', { example: 'a,b' })).body).toMatchObject({ text: 'a,b' })
    expect(requestOf(body('image/png', {})).body).toMatchObject({ kind: 'file' })
  })

  test('the body and its example are found through references', () => {
    const components = {
      requestBodies: {
        Plant: {
          content: { 'application/json': { examples: { a: { $ref: '#/components/examples/A' } } } },
        },
      },
      examples: { A: { value: [1] } },
    }
    const operation = { requestBody: { $ref: '#/components/requestBodies/Plant' } }
    expect(requestOf(operation, { components }).body).toMatchObject({ value: [1] })
  })
})
