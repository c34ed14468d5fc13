import { describe, expect, test } from 'vitest'
import { prepareRequest } from '../code-samples/prepare-request.ts'
import type { SampleBody, SampleRequest } from '../code-samples/sample-request.ts'
import type { Json } from '../document/spec-document.ts'
import { compareRequest } from './compare-request.ts'
import type { RecordedPart } from './recorded-request.ts'

const SHOWN: SampleRequest = {
  method: 'POST',
  url: 'https://api.example.com/v1/plants/{id}?tag=a&tag=b&q=a%20b',
  headers: [
    ['Authorization', 'Bearer <token>'],
    ['X-Trace', 'on'],
  ],
  cookies: [['garden', '5']],
}
const SENT = {
  method: 'POST',
  target: '/v1/plants/%7Bid%7D?q=a+b&tag=b&tag=a',
  headers: {
    'x-trace': ' on ',
    authorization: 'Bearer <token>',
    cookie: 'garden=5',
    'user-agent': 'test',
  },
}
type Sent = {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly parts?: readonly RecordedPart[]
}

function places(sent: Sent, shown: Partial<SampleRequest> = {}, isBrowser = false) {
  const { method, target, headers, body = '', parts } = { ...SENT, ...sent }
  const recorded = {
    method,
    target,
    headers: new Map(Object.entries({ ...SENT.headers, ...headers })),
    body: new TextEncoder().encode(body),
    parts,
  }
  const request = prepareRequest({ ...SHOWN, ...shown })
  const documented = { request, headers: ['X-Trace', 'X-Key'], isBrowser, contentOf: () => 'file' }
  return compareRequest(recorded, documented).map(({ place }) => place)
}

describe('a recorded request', () => {
  test('is equal if only order, encoding and the headers of the client differ', () => {
    expect(places({})).toEqual([])
  })

  test.each<[Sent, string[]]>([
    [{ method: 'PUT' }, ['method']],
    [{ target: '/v2/plants/{id}?tag=a&tag=b&q=a+b' }, ['path']],
    [{ target: '/v1/plants/{id}?tag=a&q=a+b' }, ['query.tag']],
    [{ target: '/v1/plants/{id}?tag=a&tag=a&tag=b&q=a+b' }, ['query.tag']],
    [{ target: '/v1/plants/{id}?tag=a&tag=b&q=ab' }, ['query.q']],
    [{ headers: { 'x-trace': 'off' } }, ['header.x-trace']],
    [{ headers: { 'x-key': 'secret' } }, ['header.x-key']],
    [{ headers: { authorization: '' } }, ['header.authorization']],
    [{ headers: { cookie: 'garden=6' } }, ['cookie.garden']],
    [{ body: 'text' }, ['body']],
  ])('is not equal with %j', (sent, expected) => {
    expect(places(sent)).toEqual(expected)
  })

  test('has no cookies if a browser sends it', () => {
    expect(places({ headers: { cookie: '' } }, {}, true)).toEqual([])
    expect(places({ headers: { cookie: '' } })).toEqual(['cookie.garden'])
  })

  test('describes a difference with both values', () => {
    const request = prepareRequest({ ...SHOWN, method: 'PUT' })
    const recorded = {
      ...SENT,
      headers: new Map(Object.entries(SENT.headers)),
      body: new Uint8Array(),
    }
    const documented = { request, headers: [], isBrowser: false, contentOf: () => '' }
    expect(compareRequest(recorded, documented)).toEqual([
      {
        place: 'method',
        reason: 'The request has `POST`, but the documented request has `PUT`.',
        hint: 'Correct the sample, or the specification if the sample is right.',
      },
    ])
  })
})

describe('a recorded body', () => {
  const json = (value: Json): SampleBody => ({
    kind: 'json',
    mediaType: 'application/json',
    value,
  })
  const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

  test.each<[string, string[]]>([
    ['{"tags":["a"],"name":"Fern"}', []],
    ['{"name":"Moss","tags":["a"]}', ['body /name']],
    ['{"name":"Fern","tags":["a","b"]}', ['body /tags/1']],
    ['{"name":"Fern"}', ['body /tags']],
    ['{"name":"Fern","tags":{"0":"a"}}', ['body /tags']],
    ['{"name":"Fern","tags":["a"],"x/y":1}', ['body /x~1y']],
    ['name=Fern', ['body']],
  ])('of JSON is compared by value: %s', (body, expected) => {
    const shown = { body: json({ name: 'Fern', tags: ['a'] }) }
    expect(places({ body, headers: JSON_TYPE }, shown)).toEqual(expected)
  })

  test('must have the documented media type', () => {
    const shown = { body: json({}) }
    expect(places({ body: '{}', headers: { 'content-type': 'text/plain' } }, shown)).toEqual([
      'header.content-type',
    ])
    const versioned: SampleBody = { kind: 'json', mediaType: 'application/json; v=2', value: {} }
    expect(places({ body: '{}', headers: JSON_TYPE }, { body: versioned })).toEqual([
      'header.content-type',
    ])
  })

  test('of a form is compared by its fields', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = [
      ['a', '1 2'],
      ['b', 'x\ny'],
    ] as const
    const shown = { body: { kind: 'form', fields } as const }
    expect(places({ body: 'b=x%0D%0Ay&a=1+2', headers }, shown)).toEqual([])
    expect(places({ body: 'a=1+2&c=3', headers }, shown)).toEqual(['body.b', 'body.c'])
  })

  test('of several parts is compared by names, values, file names and content', () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const parts = [
      { name: 'a', value: '1' },
      { name: 'photo', fileName: 'fern.png' },
    ]
    const shown = { body: { kind: 'multipart', parts } as const }
    const photo = { name: 'photo', fileName: 'fern.png', content: 'file' }
    const value = { name: 'a', content: '1' }
    expect(places({ body: 'x', headers, parts: [photo, value] }, shown)).toEqual([])
    const other = [{ ...photo, content: 'other' }, value]
    expect(places({ body: 'x', headers, parts: other }, shown)).toEqual(['body.photo'])
    expect(places({ body: 'x', headers, parts: [photo] }, shown)).toEqual(['body.a'])
  })

  test('of text or a file is compared as it is', () => {
    const headers = { 'content-type': 'text/plain' }
    const text = { body: { kind: 'text', mediaType: 'text/plain', text: 'a\nb' } as const }
    expect(places({ body: 'a\nb', headers }, text)).toEqual([])
    expect(places({ body: 'a\r\nb', headers }, text)).toEqual(['body'])
    const file = { body: { kind: 'file', mediaType: 'text/plain', fileName: 'a' } as const }
    expect(places({ body: 'file', headers }, file)).toEqual([])
    expect(places({ body: '', headers }, file)).toEqual(['body'])
  })
})
