import { describe, expect, test } from 'vitest'
import { listHeaders, prepareRequest } from './prepare-request.ts'
import type { SampleBody, SampleRequest } from './sample-request.ts'

function prepared(request: Partial<SampleRequest>) {
  return prepareRequest({ method: 'GET', url: '/', headers: [], cookies: [], ...request })
}

describe('headers of a sample', () => {
  test('a line break in a header value does not add a header', () => {
    const { headers } = prepared({ headers: [['X-A', 'a\r\nX-B: b\0']] })
    expect(headers).toEqual([['X-A', 'a  X-B: b']])
  })

  test('characters that are not allowed in a header name are removed', () => {
    const { headers } = prepared({
      headers: [
        ['X A:\n@b', '1'],
        [': \n', 'left out'],
      ],
    })
    expect(headers).toEqual([['XAb', '1']])
  })

  test('headers with the same name in any case are combined', () => {
    const headers = [
      ['Accept', 'a'],
      ['ACCEPT', 'b'],
    ] as const
    expect(prepared({ headers }).headers).toEqual([['Accept', 'a, b']])
  })

  test('the media type of the body replaces a Content-Type header', () => {
    const headers = [['content-type', 'text/html']] as const
    const body: SampleBody = { kind: 'text', mediaType: 'text/plain', text: '' }
    expect(listHeaders(prepared({ headers, body }))).toEqual([['Content-Type', 'text/plain']])
    expect(listHeaders(prepared({ headers }))).toEqual([['content-type', 'text/html']])
  })
})

describe('cookies of a sample', () => {
  test('characters that would end a cookie are encoded', () => {
    const { cookies } = prepared({
      cookies: [
        ['a=b;', 'c; d="e"\r\n'],
        ['', 'left out'],
      ],
    })
    expect(cookies).toEqual([['a%3Db%3B', 'c%3B%20d=%22e%22%0D%0A']])
  })

  test('a Cookie header is split into cookies', () => {
    const { headers, cookies } = prepared({
      headers: [['cookie', 'a=1; b=2=3']],
      cookies: [['c', '4']],
    })
    expect(headers).toEqual([])
    expect(cookies).toEqual([
      ['a', '1'],
      ['b', '2=3'],
      ['c', '4'],
    ])
  })
})

describe('URLs of a sample', () => {
  test.each([
    [
      'https://api.example.com/plants/{id}?key=<key>',
      'https://api.example.com/plants/{id}?key=<key>',
    ],
    ['/plants', '/plants'],
    ['https://bücher.example/bücher', 'https://bücher.example/b%C3%BCcher'],
    ['https://a.example/a b\r\n"\\`', 'https://a.example/a%20b%0D%0A%22%5C%60'],
    ['https://a.example\u2028\n/', 'https://a.example%E2%80%A8%0A/'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('the URL %j is encoded as %j', (written, url) => {
    expect(prepared({ url: written }).url).toBe(url)
  })
})

describe('file names of a sample', () => {
  test.each([
    ['fern.png', 'fern.png'],
    ['../../.ssh/id_rsa', 'id_rsa'],
    ['C:\\secret.txt', 'secret.txt'],
    ['php://input', 'input'],
    ['data:,text', ',text'],
    ['.env', 'env'],
    ['..', 'file'],
    ['-', 'file'],
    ['', 'file'],
    ['a\nb', 'a b'],
  ])('the file name %j is changed to %j', (written, fileName) => {
    const body = prepared({ body: { kind: 'file', mediaType: 'a/b', fileName: written } }).body
    expect(body).toMatchObject({ fileName })
    const parts = [{ name: 'a', fileName: written }]
    expect(prepared({ body: { kind: 'multipart', parts } }).body).toMatchObject({
      parts: [{ fileName }],
    })
  })
})

describe('bodies and methods of a sample', () => {
  test('line endings in a text body are normalized, and other control characters are replaced', () => {
    const body: SampleBody = {
      kind: 'text',
      mediaType: 'text/plain',
      text: 'a\r\nb\rc\0\t\u001b\u202e',
    }
    expect(prepared({ body }).body).toMatchObject({ text: 'a\nb\nc\ufffd\t\ufffd\ufffd' })
  })

  test('a form without named fields is omitted', () => {
    expect(prepared({ body: { kind: 'form', fields: [['', 'a']] } }).body).toBeUndefined()
    expect(prepared({ body: { kind: 'multipart', parts: [] } }).body).toBeUndefined()
  })

  test('characters that are not allowed in a method are removed, and an empty method becomes GET', () => {
    expect(prepared({ method: 'POST\r\nX: y' }).method).toBe('POSTXy')
    expect(prepared({ method: '\n' }).method).toBe('GET')
  })
})
