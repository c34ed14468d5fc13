/**
 * Tests requests as they are sent: placeholders never leave the browser (requirements Y4, A5, A7,
 * A8).
 */
import { mergeSchema, type SchemaData } from '@octavo/openapi/browser'
import { describe, expect, test } from 'vitest'
import { buildRequest, missingInPath } from './build-request.ts'
import type { Operation, RequestState } from './request-state.ts'

const SCHEMES = [
  { name: 'bearer', type: 'http', scheme: 'bearer' },
  { name: 'basic', type: 'http', scheme: 'basic' },
  { name: 'digest', type: 'http', scheme: 'digest' },
  { name: 'oauth', type: 'oauth2' },
  { name: 'header', type: 'apiKey', in: 'header', key: 'X-Key' },
  { name: 'query', type: 'apiKey', in: 'query', key: 'key' },
  { name: 'cookie', type: 'apiKey', in: 'cookie', key: 'session' },
]

function operation(path: string, body?: Operation['body']): Operation {
  const frame = { servers: [{ url: 'https://api.example.com' }], security: [], schemes: SCHEMES }
  const page = {
    kind: 'operation',
    method: 'POST',
    path,
    security: [SCHEMES.map(({ name }) => ({ scheme: name }))],
  }
  const merged = (schema: SchemaData) => mergeSchema(schema, () => undefined)
  return {
    page,
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { types: ['string'] } },
      { name: 'tags', in: 'path', required: true, schema: { types: ['array'] } },
    ],
    body,
    library: { frame, merged, context: { frame, part: () => undefined } },
  } as unknown as Operation
}

const EMPTY: RequestState = {
  server: 0,
  variables: new Map(),
  alternative: 0,
  credentials: new Map(),
  parameters: new Map(),
  otherQuery: [],
  mediaType: undefined,
  body: undefined,
  files: new Map(),
}

describe('empty credentials', () => {
  test('an empty credential sends no header, parameter or cookie', () => {
    const { url, headers, cookies } = buildRequest(operation('/plants'), EMPTY, 'send')
    expect({ url, headers, cookies }).toEqual({
      url: 'https://api.example.com/plants',
      headers: [],
      cookies: [],
    })
  })

  test('an empty credential is replaced by a placeholder in code samples', () => {
    const { url, headers, cookies } = buildRequest(operation('/plants'), EMPTY, 'code')
    expect(url).toBe('https://api.example.com/plants?key=<api-key>')
    expect(headers.map(([, value]) => value)).toEqual([
      'Bearer <token>',
      'Basic <encoded-value>',
      'digest <credentials>',
      'Bearer <token>',
      '<api-key>',
    ])
    expect(cookies).toEqual([['session', '<api-key>']])
  })

  test('a user name without a password is sent as a credential', () => {
    const credentials = new Map([['basic', { value: '', username: 'ann' }]])
    const { headers } = buildRequest(operation('/plants'), { ...EMPTY, credentials }, 'send')
    expect(headers).toEqual([['Authorization', `Basic ${btoa('ann:')}`]])
  })
})

describe('path parameters', () => {
  const names = (path: string, parameters: RequestState['parameters']) =>
    missingInPath(operation(path), { ...EMPTY, parameters }).map(({ name }) => name)

  test('a path parameter is missing if its value is undefined or empty', () => {
    expect(names('/a/{id}/{tags}', new Map())).toEqual(['id', 'tags'])
    expect(names('/a/{id}/{tags}', new Map([['path tags', []]]))).toEqual(['id', 'tags'])
  })

  test('a path parameter with a value, or one that is not in the path, is not missing', () => {
    expect(names('/a/{id}', new Map([['path id', '0']]))).toEqual([])
  })
})

test('multipart parts are sent in the order of the specification', () => {
  const schema: SchemaData = {
    types: ['object'],
    properties: [
      { name: 'file', required: true, schema: { types: ['string'], format: 'binary' } },
      { name: 'note', schema: { types: ['string'] } },
    ],
  }
  const body = { content: [{ type: 'multipart/form-data', schema }] } as Operation['body']
  const state: RequestState = {
    ...EMPTY,
    mediaType: 'multipart/form-data',
    body: { more: 1, note: 'a' },
    files: new Map([['file', [new File(['x'], 'leaf.txt')]]]),
  }
  expect(buildRequest(operation('/upload', body), state, 'send').body).toEqual({
    kind: 'multipart',
    parts: [
      { name: 'file', fileName: 'leaf.txt' },
      { name: 'note', value: 'a' },
      { name: 'more', value: '1' },
    ],
  })
})
