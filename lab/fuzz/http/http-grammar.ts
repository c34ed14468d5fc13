/**
 * Generates requests as bytes. They are mostly well-formed, with elements that HTTP parsers are
 * known to read differently, such as lengths, encodings, hosts, line endings, and a second request
 * inside the body of the first one.
 */
import fc from 'fast-check'

export type Places = {
  readonly siteHost: string
  readonly serviceHost: string
  /** An API path that this key may read. */
  readonly apiPath: string
  readonly key: string
}

/**
 * Generates the bytes of a connection, usually one request, as a string in which each character is
 * one byte.
 */
export function requestBytes(places: Places): fc.Arbitrary<string> {
  const one = oneRequest(places)
  const text = fc
    .tuple(one, fc.array(one, { maxLength: 2 }), fc.integer({ min: 0, max: 9 }))
    // Most connections have one request.
    .map(([first, more, dice]) => [first, ...(dice < 7 ? [] : more)].join(''))
  return fc
    .tuple(text, fc.array(mutation, { maxLength: 2 }), fc.integer({ min: 0, max: 9 }))
    .map(([whole, mutations, dice]) =>
      dice < 6 ? whole : mutations.reduce((changed, mutate) => mutate(changed), whole),
    )
}

/** Generates one of the values. The first one is by far the most likely. */
function usually<Value>(first: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

function oneRequest({ siteHost, serviceHost, apiPath, key }: Places): fc.Arbitrary<string> {
  const host = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(siteHost, serviceHost) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[siteHost.toUpperCase(), `${siteHost}:80`, `${siteHost}:99999`, `${siteHost}.`],
        ...[`a@${siteHost}`, `${siteHost}/x`, `${siteHost}, evil.example`, `${siteHost}\t`],
        ...['', 'evil.example', '[::1]', '127.0.0.1#', 'plants.sites.localhost\\x', 'é.example'],
      ),
    },
  )
  const target = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('/', '/guide', apiPath, `${apiPath}?limit=1`) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[
          '//evil.example/',
          '/./guide',
          '/../guide',
          '/%2e%2e/guide',
          '/a/..%2fguide',
          '/\\guide',
        ],
        ...['/guide#x', '/gu%00ide', '/gu%ide', '/%ff', '/guide?a=b?c', '/?', '*', 'guide', '?x'],
        ...[
          `http://${siteHost}/guide`,
          'http://evil.example/guide',
          'https://a@b/guide',
          '/é',
          '/a b',
        ],
        ...[
          '/guide;x=1',
          '/%67uide',
          '/guide/',
          `/${'a'.repeat(9_000)}`,
          `${apiPath}?limit=1&limit=2`,
        ],
      ),
    },
  )
  const method = usually(
    'GET',
    ...['GET', 'HEAD', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'],
    ...['get', 'GETX', 'PRI', 'G ET', 'PURGE', ''],
  )
  const version = usually(
    'HTTP/1.1',
    ...[
      'HTTP/1.0',
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/11',
      'http/1.1',
      '',
      'HTTP/1.1 ',
    ],
  )
  const lineEnd = fc.oneof(
    { weight: 40, arbitrary: fc.constant('\r\n') },
    { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n ') },
  )
  return fc
    .record({
      method,
      target,
      version,
      host,
      lineEnd,
      framed: framedBody(siteHost),
      extra: fc.array(extraHeader(siteHost), { maxLength: 3 }),
      isHostFirst: fc.boolean(),
      hasKey: fc.boolean(),
    })
    .map((parts) => {
      const { framed, extra, lineEnd: end } = parts
      const hostLine = parts.host === '' && parts.hasKey ? [] : [`Host: ${parts.host}`]
      const lines = [
        `${parts.method} ${parts.target} ${parts.version}`,
        ...(parts.isHostFirst ? hostLine : []),
        ...(parts.hasKey ? [`Authorization: Bearer ${key}`] : []),
        ...extra,
        ...framed.headers,
        ...(parts.isHostFirst ? [] : hostLine),
      ]
      return `${lines.join(end)}${end}${end}${framed.body}`
    })
}

type Framed = { readonly headers: readonly string[]; readonly body: string }

/** Generates a body with a correct or wrong length. */
function framedBody(siteHost: string): fc.Arbitrary<Framed> {
  const hidden = `GET /hidden HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`
  const body = fc.constantFrom('', 'hello', '{"a":1}', hidden, `0\r\n\r\n${hidden}`)
  const length = (text: string) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant([`Content-Length: ${text.length}`]) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...[
            `+${text.length}`,
            ` ${text.length} `,
            `0${text.length}`,
            `${text.length}, ${text.length}`,
            `0x${text.length.toString(16)}`,
          ].map((value) => [`Content-Length: ${value}`]),
          ...['0', '1', '-1', '', '1e1', '5;x', '99999999999999999999', '4294967296'].map(
            (value) => [`Content-Length: ${value}`],
          ),
          [`Content-Length: ${text.length}`, 'Content-Length: 0'],
          [`Content-Length: ${text.length}`, `Content-Length: ${text.length}`],
          [`Content-Length : ${text.length}`],
          [`Content_Length: ${text.length}`],
          [`content-length:${text.length}`],
          [`Content-Length:\r\n ${text.length}`],
        ),
      },
    )
  const encoding = fc.constantFrom(
    ...[
      'chunked',
      'Chunked',
      'chunked, chunked',
      'identity',
      'xchunked',
      'gzip, chunked',
      '\x0bchunked',
    ],
    ...['chunked\t', '"chunked"', 'chunked, identity', 'cow', ''],
  )
  const chunked = (text: string) =>
    fc.constantFrom(
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      `${text.length.toString(16)};a=b\r\n${text}\r\n0\r\n\r\n`,
      `${text.length.toString(16)}\n${text}\n0\n\n`,
      `0${text.length.toString(16)}\r\n${text}\r\n0\r\nX: y\r\n\r\n`,
      `fffffffffffffffff\r\n${text}`,
      `-1\r\n${text}\r\n0\r\n\r\n`,
    )
  return body.chain((text): fc.Arbitrary<Framed> => {
    const plain = length(text).map((headers) => ({ headers, body: text }))
    const encoded = fc
      .tuple(encoding, chunked(text), length(text), fc.boolean())
      .map(([value, chunks, lengths, isBoth]) => ({
        headers: [`Transfer-Encoding: ${value}`, ...(isBoth ? lengths : [])],
        body: chunks,
      }))
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant({ headers: [], body: '' }) },
      { weight: 4, arbitrary: plain },
      { weight: 2, arbitrary: encoded },
    )
  })
}

function extraHeader(siteHost: string): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    ...[
      'Connection: close',
      'Connection: keep-alive',
      'Connection: close, Host',
      'Connection: X-Edge-Client',
    ],
    ...['Connection: Content-Length', 'Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c'],
    ...[
      'Expect: 100-continue',
      'Expect: 200-ok',
      'TE: trailers',
      'Trailer: Host',
      'Max-Forwards: 0',
    ],
    ...[
      `Host: ${siteHost}`,
      'Host: evil.example',
      'X-Forwarded-Host: evil.example',
      'X-Edge-Client: 1.1.1.1',
    ],
    ...['X-Forwarded-For: 1.2.3.4', 'X-Original-URL: /hidden', 'X-HTTP-Method-Override: DELETE'],
    ...[
      `X-Long: ${'a'.repeat(20_000)}`,
      'X-Null: a\x00b',
      'X-Bell: \x07',
      'X-High: \xff\xfe',
      'X-Cr: a\rb',
    ],
    ...[
      'X-Lf: a\nHost: evil.example',
      ' X-Space: before',
      'X Space: inside',
      'X-Fold: a\r\n b',
      ': empty',
    ],
    ...[
      'NoColon',
      'Range: bytes=0-1',
      'If-None-Match: *',
      'Cookie: a=b; c',
      'Authorization: Basic x',
    ],
  )
  const plain = fc.constantFrom(
    ...['Accept: */*', 'User-Agent: fuzz', 'Accept-Encoding: gzip', 'Connection: close'],
    ...['Content-Type: application/json', 'X-Forwarded-For: 1.2.3.4', 'Cookie: a=b'],
  )
  return fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: odd })
}

type Mutate = (text: string) => string

const at = fc.double({ min: 0, max: 1, noNaN: true })
const byte = fc.oneof(
  fc.constantFrom('\r', '\n', '\0', ' ', '\t', ':', ',', ';', '/', '\x80', '\xff'),
  fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
)
const placeOf = (text: string, share: number) => Math.floor(share * text.length)
const mutation: fc.Arbitrary<Mutate> = fc.oneof(
  fc.tuple(at, byte).map(
    ([share, inserted]): Mutate =>
      (text) => {
        const place = placeOf(text, share)
        return text.slice(0, place) + inserted + text.slice(place)
      },
  ),
  fc.tuple(at, byte).map(
    ([share, other]): Mutate =>
      (text) => {
        const place = placeOf(text, share)
        return text.slice(0, place) + other + text.slice(place + 1)
      },
  ),
  fc.tuple(at, fc.integer({ min: 1, max: 20 })).map(
    ([share, count]): Mutate =>
      (text) => {
        const place = placeOf(text, share)
        return text.slice(0, place) + text.slice(place + count)
      },
  ),
  fc.tuple(at, fc.integer({ min: 1, max: 60 })).map(
    ([share, count]): Mutate =>
      (text) => {
        const place = placeOf(text, share)
        return text.slice(0, place + count) + text.slice(place)
      },
  ),
)
