/**
 * Sends many invalid inputs to the export, which must reject them, and similar inputs that are
 * valid.
 */

import { ConversationPage } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INVALID_DATES, VALID_DATES } from '../../../testing/date-cases.ts'
import { expectProblem, readResponse } from '../../../testing/expect-problem.ts'
import { type RawResponse, sendRaw } from '../../../testing/send-raw.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { ulidMs } from '../../platform/ulid.ts'

const ROWS = 3
let service: TestService
let project: TestProject
let other: TestProject
let ids: string[]
let otherId: string
let queries = 0

beforeAll(async () => {
  // The clock does not advance, so an API key stays cached after its first use and causes no
  // further query that would be counted.
  const now = Date.now()
  service = await startTestService({ now: () => now })
  project = await service.createProject()
  other = await service.createProject()
  ids = []
  for (let number = 0; number < ROWS; number += 1) ids.push(await publish(project, number))
  otherId = await publish(other, 0)
  await service.get(project)
  await settle()
  service.service.database.pool.on('acquire', () => {
    queries += 1
  })
})
afterAll(() => service.stop())

/**
 * Waits until the last use of an API key is stored. This happens after the response, and a test
 * must not count this query.
 */
const settle = () => service.service.flush()

function publish(to: TestProject, number: number): Promise<string> {
  return service.publish(to, {
    questionId: `turn-${number}`,
    query: 'q'.repeat(500),
    response: 'An answer.',
    sources: [],
    resolutionStatus: 'answered',
  })
}

/** Pairs each value with a title, which is shortened if necessary. */
function titled<Value extends string>(values: readonly Value[]): readonly [string, Value][] {
  return values.map((value) => [
    value.length > 60 ? `${value.slice(0, 20)}… (${value.length} characters)` : value || '(empty)',
    value,
  ])
}

const pathOf = (id: string) => `/v1/analytics/${id}/assistant`
const bearer = (token = project.token) => `Authorization: Bearer ${token}`

async function sendLines(first: string, ...headers: string[]): Promise<RawResponse | undefined> {
  const lines = [`${first} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', '']
  const replies = await sendRaw(service.port, lines.join('\r\n'))
  expect(replies).toHaveLength(1)
  return replies[0]
}

/** Checks that a request with this query string is rejected without any database query. */
async function expectRefused(search: string, param?: string, status = 400): Promise<void> {
  await settle()
  const before = queries
  expectProblem(await readResponse(await service.get(project, search)), status, param)
  expect(queries).toBe(before)
}

async function page(search: string): Promise<ConversationPage> {
  const response = await service.get(project, search)
  expect(response.status).toBe(200)
  return ConversationPage.parse(await response.json())
}
const idsOf = async (search: string) => (await page(search)).conversations.map(({ id }) => id)

describe('the limit parameter', () => {
  test.each(
    titled([
      '0',
      '-0',
      '-1',
      '+5',
      '%2B5',
      '1001',
      '1100',
      '2000',
      '10000',
      '9007199254740993',
      '1e2',
      '1E2',
      '1.5',
      '1.0',
      '.5',
      '0x10',
      '0b11',
      '0o7',
      '007',
      '01',
      '5n',
      '1_000',
      '',
      '%20',
      '%207',
      '7%20',
      '%207%20',
      '7%00',
      '7%0A',
      '%0D%0A7',
      '%097',
      '%C2%A07',
      'NaN',
      'Infinity',
      '-Infinity',
      'null',
      'undefined',
      'true',
      'all',
      '[]',
      '[1]',
      '{}',
      '1,000',
      '1;2',
      '1%2C2',
      '1%26cursor=',
      '%2531',
      "1'",
      '1%20or%201=1',
      '=5',
      '5?',
      ...['１００', '٥', '५', '①', '²', '1\u200b', '\ufeff1', '1️⃣'].map(encodeURIComponent),
      '%',
      '%zz',
      '%3',
      '%ff',
      '%C0%B1',
      '%ED%A0%80',
      '%F4%90%80%80',
      '9'.repeat(400),
      `1${'0'.repeat(400)}`,
      `${'0'.repeat(400)}1`,
    ]),
  )('the query parameter limit=%s is rejected', async (_, value) => {
    await expectRefused(`?limit=${value}`, 'limit')
  })

  test.each([
    ['limit', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['limit=1&%6Cimit=1', 'limit'],
    ['limit[]=1', 'limit[]'],
    ['limit[a]=1', 'limit[a]'],
    ['limit%5B%5D=1', 'limit[]'],
    ['Limit=5', 'Limit'],
    ['LIMIT=5', 'LIMIT'],
    ['limit%00=5', 'limit\ufffd'],
    ['limit%20=5', 'limit '],
    ['+limit=5', ' limit'],
    ['limit.=5', 'limit.'],
    ['%256Cimit=5', '%6Cimit'],
  ])('the query ?%s is rejected as an invalid limit', async (search, param) => {
    await expectRefused(`?${search}`, param)
  })

  test.each([
    ['limit=1', 1],
    ['limit=2', 2],
    ['limit=9', ROWS],
    ['limit=10', ROWS],
    ['limit=99', ROWS],
    ['limit=100', ROWS],
    ['limit=999', ROWS],
    ['limit=1000', ROWS],
    ['', ROWS],
    ['limit=%31', 1],
    ['%6Cimit=1', 1],
  ])('the query ?%s is accepted and returns the expected number of rows', async (search, count) => {
    expect(await idsOf(`?${search}`)).toEqual(ids.slice(0, count))
  })
})

describe.each(['dateFrom', 'dateTo'])('%s', (name) => {
  test.each(titled(INVALID_DATES))(
    `the date parameter ${name}=%s is rejected`,
    async (_, value) => {
      await expectRefused(`?${name}=${encodeURIComponent(value)}`, name)
    },
  )

  test.each(VALID_DATES)(`the date parameter ${name}=%s is accepted`, async (value) => {
    await page(`?${name}=${encodeURIComponent(value)}`)
  })

  test('a repeated date parameter is rejected, even with the same value', async () => {
    await expectRefused(`?${name}=2024-01-01&${name}=2024-01-02`, name)
    await expectRefused(`?${name}=2024-01-01&${name}=2024-01-01`, name)
  })

  test('a date of 10 KB is rejected with 414, since the URL is too long', async () => {
    await expectRefused(`?${name}=${'2'.repeat(10_240)}`, undefined, 414)
  })

  test('a plus sign in a URL means a space, so it has to be encoded in the offset of a date', async () => {
    await expectRefused(`?${name}=2024-01-01T00:00:00+14:00`, name)
    await page(`?${name}=2024-01-01T00:00:00%2B14:00`)
  })
})

describe('dateFrom together with dateTo', () => {
  test.each([
    ['2024-01-02', '2024-01-01'],
    ['2024-01-01T00:00:00.001Z', '2024-01-01'],
    ['2024-01-01', '2024-01-01T00:00:00%2B00:01'],
    ['2024-01-01T00:00:00-00:01', '2024-01-01'],
    ['2024-01-01T00:00:00.0001Z', '2024-01-01T00:00:00Z'],
  ])('dateFrom=%s is rejected because it is after dateTo=%s', async (from, to) => {
    await expectRefused(`?dateFrom=${from}&dateTo=${to}`, 'dateFrom')
    await expectRefused(`?dateTo=${to}&dateFrom=${from}`, 'dateFrom')
  })

  test.each([
    ['2024-01-01', '2024-01-01'],
    ['2024-01-01T00:00:00Z', '2024-01-01'],
    ['2024-01-01T00:00:00%2B14:00', '2023-12-31T10:00:00Z'],
    ['2024-01-01T05:45:00%2B05:45', '2023-12-31T12:00:00-12:00'],
    ['2024-01-01T00:00:00.0001Z', '2024-01-01T00:00:00.000999999Z'],
    ['1970-01-01', '1970-01-01'],
  ])('dateFrom=%s and dateTo=%s are the same instant and match no rows', async (from, to) => {
    expect(await idsOf(`?dateFrom=${from}&dateTo=${to}`)).toEqual([])
  })

  test('a bound within a millisecond is after the row of this millisecond (requirements E5, E6)', async () => {
    const [first = ''] = ids
    const within = new Date(ulidMs(first)).toISOString().replace('Z', '0001Z')
    expect(await idsOf(`?dateFrom=${within}`)).not.toContain(first)
    expect(await idsOf(`?dateTo=${within}`)).toContain(first)
  })

  test('a bound at the millisecond of a row includes it for dateFrom and excludes it for dateTo', async () => {
    const [first = ''] = ids
    const at = (shift: number) => new Date(ulidMs(first) + shift).toISOString()
    expect(await idsOf(`?dateFrom=${at(0)}&dateTo=${at(1)}`)).toContain(first)
    expect(await idsOf(`?dateFrom=${at(0)}`)).toContain(first)
    expect(await idsOf(`?dateFrom=${at(1)}`)).not.toContain(first)
    expect(await idsOf(`?dateTo=${at(1)}`)).toContain(first)
    expect(await idsOf(`?dateTo=${at(0)}`)).toEqual([])
  })
})

// Tests requirement E9.
describe('the cursor parameter', () => {
  const Z25 = 'Z'.repeat(25)

  test.each(
    titled([
      '',
      '0',
      `0${Z25.slice(1)}`,
      `0${Z25}0`,
      `8${Z25}`,
      `9${Z25}`,
      `Z${Z25}`,
      `A${Z25}`,
      ...['I', 'L', 'O', 'U', 'i', 'l', 'o', 'u'].map((letter) => `0${letter}${Z25.slice(1)}`),
      ...['-', '_', '*', '%20', '%00', '%0A', '.', '%2F'].map((odd) => `0${odd}${Z25.slice(1)}`),
      ...['😀', 'А', 'Ζ', 'ı', 'ſ', '０'].map((o) => `0${encodeURIComponent(o)}${Z25.slice(1)}`),
      `0${Z25}%0A`,
      `%200${Z25}`,
      `0${Z25}%20`,
      `0${Z25}%00`,
      `"0${Z25}"`,
      `0${Z25}...`,
      '123e4567-e89b-12d3-a456-426614174000',
      'MDFBUlozTkRFS1RTVjRSUkZGUTY5RzVGQVY%3D',
      'null',
      'undefined',
      'true',
      '[]',
      '{}',
      '%7B%22id%22:1%7D',
      "'%20or%201=1--",
      '100',
      '%',
      '%ff',
      '%C0%80',
      '%ED%A0%80',
      '0'.repeat(4_000),
    ]),
  )('the query parameter cursor=%s is rejected', async (_, value) => {
    await expectRefused(`?cursor=${value}`, 'cursor')
  })

  test('a repeated cursor is rejected', async () => {
    await expectRefused(`?cursor=${ids[0]}&cursor=${ids[0]}`, 'cursor')
  })

  test.each(['cursor[]', 'Cursor', 'nextCursor', 'after'])(
    'the query parameter %s is not accepted in place of cursor',
    async (name) => {
      await expectRefused(`?${name}=${ids[0]}`, name)
    },
  )

  test('a cursor in lower case has the same position as in upper case', async () => {
    expect(await idsOf(`?cursor=${ids[0]}`)).toEqual(ids.slice(1))
    expect(await idsOf(`?cursor=${ids[0]?.toLowerCase()}`)).toEqual(ids.slice(1))
  })

  test('the smallest cursor is before all rows, and the largest cursor is after them', async () => {
    expect(await idsOf(`?cursor=${'0'.repeat(26)}`)).toEqual(ids)
    expect(await page(`?cursor=7${Z25}`)).toEqual({
      conversations: [],
      nextCursor: null,
      hasMore: false,
    })
  })

  test('the id of another project or of a deleted row is a valid cursor', async () => {
    expect(await idsOf(`?cursor=${otherId}`)).toEqual(ids.filter((id) => id > otherId))
    const gone = await publish(project, ROWS)
    expect(await service.conversationsOf(project).erase({ id: gone })).toBe(1)
    expect(await idsOf(`?cursor=${gone}`)).toEqual([])
  })

  test('a cursor outside of the date range does not return rows outside of the range', async () => {
    expect(await idsOf(`?cursor=${'0'.repeat(26)}&dateFrom=9999-12-31`)).toEqual([])
    expect(await idsOf(`?cursor=7${Z25}&dateFrom=2024-01-01`)).toEqual([])
    expect(await idsOf(`?cursor=${'0'.repeat(26)}&dateFrom=2024-01-01`)).toEqual(ids)
    expect(await idsOf(`?cursor=${ids[0]}&dateTo=2024-01-01`)).toEqual([])
  })
})

// Tests requirements C11 and E4.
describe('the projectId in the path', () => {
  test.each<[string, () => string]>([
    ...titled([
      'x',
      'prj_',
      'prj_0000000000000000',
      '0',
      '-1',
      '1',
      '*',
      '%2A',
      ':projectId',
      '{projectId}',
      '%7BprojectId%7D',
      '__proto__',
      'constructor',
      'null',
      'undefined',
      '..',
      '.',
      '%2e%2e',
      '%2E%2E',
      '.%2e',
      '%2e',
      '...',
      '%252e%252e',
      '%2F',
      '%5C',
      '\\',
      '%00',
      '%0A',
      '%0D%0AX:%20y',
      '%20',
      '+',
      '%',
      '%zz',
      '%ff',
      '%C0%AF',
      '%ED%A0%80',
      '',
      "%27%20or%20'1'='1",
      '%D0%B0',
      '%E2%80%AE',
      '%F0%9F%98%80',
      'x'.repeat(300),
    ]).map(([title, id]): [string, () => string] => [title, () => pathOf(id)]),
    ['the id of another project', () => pathOf(other.publicId)],
    ['the internal database id', () => pathOf(project.id)],
    ['the id in upper case', () => pathOf(project.publicId.toUpperCase())],
    ['the id without its last letter', () => pathOf(project.publicId.slice(0, -1))],
    ['the id and one more letter', () => pathOf(`${project.publicId}0`)],
    ['the id and %00', () => pathOf(`${project.publicId}%00`)],
    ['the id and %0A', () => pathOf(`${project.publicId}%0A`)],
    ['the id and %20', () => pathOf(`${project.publicId}%20`)],
    ['the id and ;x=1', () => pathOf(`${project.publicId};x=1`)],
    ['the id and a dot', () => pathOf(`${project.publicId}.`)],
    ['the id, encoded twice', () => pathOf(project.publicId.replace('p', '%2570'))],
    ['two ids', () => pathOf(`${project.publicId},${other.publicId}`)],
    ['x/../ before the id', () => pathOf(`x/../${project.publicId}`)],
    ['an encoded x/../ before the id', () => pathOf(`x/%2e%2e/${project.publicId}`)],
    ['./ before the id', () => pathOf(`./${project.publicId}`)],
    ['an empty segment before the id', () => pathOf(`/${project.publicId}`)],
    ['a backslash before the id', () => `/v1/analytics\\${project.publicId}/assistant`],
    ['a slash at the end', () => `${pathOf(project.publicId)}/`],
    ['a suffix', () => `${pathOf(project.publicId)}.json`],
    ['a path in upper case', () => pathOf(project.publicId).replace('v1', 'V1')],
    ['a fragment', () => `${pathOf(project.publicId)}#x`],
    ['a fragment in the query', () => `${pathOf(project.publicId)}?limit=1#x`],
  ])('a path with %s returns 404 without a database query', async (_, path) => {
    await settle()
    const before = queries
    expectProblem(await sendLines(`GET ${path()}`, bearer()), 404)
    expect(queries).toBe(before)
  })

  test.each<[string, () => string]>([
    ['in its normal form', () => project.publicId],
    ['with an unnecessary escape', () => project.publicId.replace('p', '%70')],
  ])('a path with the project id %s is found', async (_, id) => {
    expect((await sendLines(`GET ${pathOf(id())}`, bearer()))?.status).toBe(200)
  })
})

describe('unknown and odd parameters', () => {
  test.each([
    'x=1',
    'x',
    'offset=0',
    'page=2',
    'projectId=x',
    'format=csv',
    'callback=x',
    '_method=PUT',
    'token=x',
    'access_token=x',
    'api_key=x',
    'datefrom=2024-01-01',
    'date_from=2024-01-01',
    '__proto__=1',
    'constructor=1',
    'hasOwnProperty=1',
    'toString=1',
    'prototype=1',
    '__proto__[limit]=1',
    'then=1',
    'valueOf',
    '$where=1',
    '0=1',
    'limit=1&x=1',
    'x=1&limit=1',
  ])('the unknown parameter in ?%s is rejected, and the response names it', async (search) => {
    const name = search.replace(/^limit=1&|&limit=1$/g, '').replace(/=.*$/, '')
    await expectRefused(`?${search}`, name)
  })

  test('the error for an unknown parameter lists the known parameters', async () => {
    const reply = await (await service.get(project, '?x=1')).json()
    expect(reply).toMatchObject({
      detail: expect.stringContaining('dateFrom, dateTo, limit, cursor'),
    })
  })

  test.each([
    ['=5', ''],
    ['=', ''],
    ['limit==1', 'limit'],
    ['limit=1?limit=1', 'limit'],
    ['limit=1;cursor=x', 'limit'],
    ['?limit=1', '?limit'],
    ['%', '%'],
    ['%ff=1', '%ff'],
    ['%C0%AF=1', '%C0%AF'],
    ['%ED%A0%80=1', '%ED%A0%80'],
    ['%F0%9F%98%80=1', '😀'],
    ['%E2%80%AEx=1', '\ufffdx'],
    ['%0d%0aSet-Cookie:x=1', '\ufffd\ufffdSet-Cookie:x'],
    ['%3Cscript%3E=1', '<script>'],
  ])(
    'the invalid parameter in ?%s is rejected, and its name is harmless in the response',
    async (search, param) => {
      await expectRefused(`?${search}`, param)
    },
  )

  test('the response shortens a long parameter name', async () => {
    await expectRefused(`?${'x'.repeat(100)}=1`, 'x'.repeat(100))
    await expectRefused(`?${'x'.repeat(101)}=1`, `${'x'.repeat(100)}…`)
  })

  test('a query with 1,000 parameters is rejected at the first invalid one', async () => {
    await expectRefused(`?${'a=1&'.repeat(1_000)}`, 'a')
    await expectRefused(`?${'limit=1&'.repeat(1_000)}`, 'limit')
  })

  test.each([
    '',
    '?',
    '?&',
    '?&&',
    '?&limit=3',
    '?limit=3&',
    '?&&limit=3&&',
    `?${'&'.repeat(1_000)}`,
    '?limit=3&dateFrom=1970-01-01',
    '?dateFrom=1970-01-01&limit=3',
    '?dateTo=9999-12-31',
  ])('the query string "%s" is accepted', async (search) => {
    expect(await idsOf(search)).toEqual(ids)
  })

  test('a URL of 8 KB is accepted, but one more byte is rejected', async () => {
    const path = pathOf(project.publicId)
    const fill = '&'.repeat(8 * 1024 - path.length - 1)
    expect(await idsOf(`?${fill}`)).toEqual(ids)
    await expectRefused(`?${fill}&`, undefined, 414)
  })
})

// Tests requirements S7, E2 and A1.
describe('the Authorization header', () => {
  const strangers = createToken()

  test.each<[string, () => readonly string[]]>([
    ['nothing', () => []],
    ['an empty header', () => ['Authorization:']],
    ['Basic', () => ['Authorization: Basic dXNlcjpwYXNz']],
    ['the key as a password', () => [`Authorization: Basic ${btoa(`x:${project.token}`)}`]],
    ['the scheme alone', () => ['Authorization: bearer']],
    ['the scheme and a space', () => ['Authorization: Bearer ']],
    ['the key alone', () => [`Authorization: ${project.token}`]],
    ['no space', () => [`Authorization: Bearer${project.token}`]],
    ['two spaces', () => [`Authorization: Bearer  ${project.token}`]],
    ['a tab', () => [`Authorization: Bearer\t${project.token}`]],
    ['a colon', () => [`Authorization: Bearer: ${project.token}`]],
    ['quotes', () => [bearer(`"${project.token}"`)]],
    ['angle brackets', () => [bearer(`<${project.token}>`)]],
    ['another scheme', () => [`Authorization: Token ${project.token}`]],
    ['a longer scheme', () => [`Authorization: BearerX ${project.token}`]],
    ['two keys', () => [bearer(`${project.token} ${project.token}`)]],
    ['two keys and a comma', () => [bearer(`${project.token}, ${project.token}`)]],
    ['a parameter', () => [bearer(`${project.token};x=1`)]],
    ['a wrong prefix', () => [bearer(project.token.replace('adm', 'pub'))]],
    ['a prefix in upper case', () => [bearer(project.token.replace('octavo', 'OCTAVO'))]],
    ['no prefix', () => [bearer(project.token.slice('octavo_adm_'.length))]],
    ['a key without its last letter', () => [bearer(project.token.slice(0, -1))]],
    ['a key with an extra letter', () => [bearer(`${project.token}0`)]],
    ['a key in lower case', () => [bearer(`${project.token.toLowerCase()}`)]],
    ['a key that is escaped', () => [bearer(project.token.replace('_', '%5F'))]],
    ['a wrong checksum', () => [bearer(`octavo_adm_${'0'.repeat(38)}`)]],
    ['8 KB', () => [bearer('x'.repeat(8 * 1024))]],
    ['bytes beyond ASCII', () => [bearer(`${project.token.slice(0, -1)}\xe9`)]],
    ['a no-break space', () => [`Authorization: Bearer\xa0${project.token}`]],
    ['the key in another header', () => [`X-Api-Key: ${project.token}`]],
    ['the key for a proxy', () => [`Proxy-Authorization: Bearer ${project.token}`]],
    ['the key in a cookie', () => [`Cookie: token=${project.token}`]],
  ])('authorization with %s is rejected without a database query', async (_, headers) => {
    await settle()
    const before = queries
    const reply = await sendLines(`GET ${pathOf(project.publicId)}`, ...headers())
    expectProblem(reply, 401)
    expect(reply?.headers.get('www-authenticate')).toBe('Bearer realm="octavo"')
    expect(queries).toBe(before)
  })

  test('an API key in the URL is rejected', async () => {
    const path = pathOf(project.publicId)
    expectProblem(await sendLines(`GET ${path}?token=${project.token}`), 401)
    await expectRefused(`?token=${project.token}`, 'token')
  })

  test.each<[string, () => Promise<string> | string]>([
    ['a key that was never issued', () => strangers],
    ['an expired key', () => service.createKey(project, { expiresAt: new Date(0) })],
  ])('authorization with %s is rejected', async (_, token) => {
    const key = await token()
    expectProblem(await sendLines(`GET ${pathOf(project.publicId)}`, bearer(key)), 401)
  })

  test('two Authorization headers are rejected, even if they have the same value', async () => {
    const path = pathOf(project.publicId)
    expectProblem(await sendLines(`GET ${path}`, bearer(), bearer()), 400, 'authorization')
    expectProblem(await sendLines(`GET ${path}`, bearer(), bearer('x')), 400, 'authorization')
  })

  test.each([
    ['a newline after the key', '\n'],
    ['a carriage return after the key', '\r'],
    ['a NUL after the key', '\0'],
  ])('a request with %s is rejected as invalid HTTP', async (_, end) => {
    expectProblem(await sendLines(`GET ${pathOf(project.publicId)}`, `${bearer()}${end}`), 400)
  })

  test('a key without the scope is rejected with 403, and a key of another project with 404', async () => {
    const path = pathOf(project.publicId)
    const writer = await service.createKey(project, { scopes: ['analytics:write'] })
    expectProblem(await sendLines(`GET ${path}`, bearer(writer)), 403)
    expectProblem(await sendLines(`GET ${path}`, bearer(other.token)), 404)
    await settle()
  })

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'the authorization scheme %s is accepted',
    async (scheme) => {
      const header = `Authorization: ${scheme} ${project.token}`
      expect((await sendLines(`GET ${pathOf(project.publicId)}`, header))?.status).toBe(200)
    },
  )

  test('whitespace around the value of the Authorization header is ignored', async () => {
    const header = `authorization:   Bearer ${project.token} \t`
    expect((await sendLines(`GET ${pathOf(project.publicId)}`, header))?.status).toBe(200)
  })
})

describe('methods and content negotiation', () => {
  test('HEAD returns the headers of GET without a body', async () => {
    const reply = await sendRaw(
      service.port,
      `HEAD ${pathOf(project.publicId)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}\r\n\r\n`,
    )
    expect(reply.map(({ status, body }) => [status, body])).toEqual([[200, '']])
    expect(reply[0]?.headers.get('content-type')).toBe('application/json')
  })

  test('OPTIONS returns the allowed methods but no CORS headers', async () => {
    const reply = await sendLines(
      `OPTIONS ${pathOf(project.publicId)}`,
      'Origin: https://evil.example',
      'Access-Control-Request-Method: GET',
    )
    expect([reply?.status, reply?.body]).toEqual([204, ''])
    expect(reply?.headers.get('allow')).toBe('HEAD, GET, POST, OPTIONS')
    expect([...(reply?.headers.keys() ?? [])].filter((name) => /^access-/.test(name))).toEqual([])
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('the method %s is not allowed', async (method) => {
    const reply = await sendLines(`${method} ${pathOf(project.publicId)}`, bearer())
    expectProblem(reply, 405)
    expect(reply?.headers.get('allow')).toBe('HEAD, GET, POST, OPTIONS')
  })

  test.each(['TRACE', 'PROPFIND', 'QUERY', 'LINK', 'PURGE'])(
    'the unknown method %s is not allowed',
    async (method) => {
      const reply = await sendLines(`${method} ${pathOf(project.publicId)}`, bearer())
      expectProblem(reply, 405)
      expect(reply?.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  test.each(['get', 'Get', 'FOO', 'GET2'])('the invalid method %s is rejected', async (method) => {
    expectProblem(await sendLines(`${method} ${pathOf(project.publicId)}`, bearer()), 400)
  })

  test('POST imports conversations, which requires a JSON body', async () => {
    const reply = await sendLines(`POST ${pathOf(project.publicId)}`, bearer())
    expectProblem(reply, 400, 'Content-Type')
  })

  // Tests requirement E3.
  test('GET is rejected if it has a body, unless the body is empty', async () => {
    const first = `GET ${pathOf(project.publicId)}`
    const reply = await sendLines(first, bearer(), 'Content-Length: 1')
    expectProblem(reply, 400, 'Content-Length')
    expect((await sendLines(first, bearer(), 'Content-Length: 0'))?.status).toBe(200)
  })

  test.each([
    'text/html',
    'application/xml',
    'image/*',
    'json',
    '*',
    '/',
    'garbage',
    ';;;',
    ',,,',
    'application/json;q=0',
    '*/*;q=0',
    'application/json;q=-1',
    'application/jsonp',
    'application/vnd.api+json',
    'text/plain, text/html',
  ])('a request with `Accept: %s` is rejected with 406', async (accept) => {
    await settle()
    const before = queries
    const reply = await readResponse(await service.get(project, '', { accept }))
    expectProblem(reply, 406, 'Accept')
    expect(queries).toBe(before)
  })

  test.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;q=x', 'application/json'],
    ['text/html, */*;q=0.1', 'application/json'],
    ['text/csv;q=0.5, application/json;q=0.6', 'application/json'],
    ['text/csv;q=0.6, application/json;q=0.5', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/json;q=0, */*', 'application/x-ndjson'],
  ])('a request with `Accept: %s` gets a response of type %s', async (accept, type) => {
    const response = await service.get(project, '', { accept })
    await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  })

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip', 'gzip'],
    ['GZIP;q=0.1', 'gzip'],
    ['br', null],
    ['gzip;q=0', null],
    ['gzip;q=0.000, br', null],
    ['identity', null],
    // Even so, the response is not encoded, since status 406 would not help the client.
    ['identity;q=0', null],
    ['x'.repeat(4_000), null],
  ])('a request with `Accept-Encoding: %.20s` gets the encoding %s', async (coding, expected) => {
    const response = await service.get(project, '', { 'accept-encoding': coding })
    expect(response.headers.get('content-encoding')).toBe(expected)
    expect(ConversationPage.parse(await response.json()).conversations).toHaveLength(ROWS)
  })

  test.each([
    ['Range', 'bytes=0-1'],
    ['Range', 'bytes=9-1,x'],
    ['If-None-Match', '*'],
    ['If-Match', '"x"'],
    ['If-Modified-Since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-Original-URL', '/metrics'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Forwarded', 'for=10.0.0.1;host=evil.example'],
    ['Content-Type', 'text/html'],
    ['Origin', 'https://evil.example'],
    ['Cookie', 'x=1'],
  ])('the request header %s with the value %s has no effect', async (name, value) => {
    const reply = await sendLines(`GET ${pathOf(project.publicId)}`, bearer(), `${name}: ${value}`)
    expect(reply?.status).toBe(200)
    expect(JSON.parse(reply?.body ?? '').conversations).toHaveLength(ROWS)
    expect(reply?.headers.get('cache-control')).toBe('private, no-store')
    expect(reply?.headers.get('access-control-allow-origin')).toBeNull()
  })
})
