import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../run.ts'

/**
 * A response of the fake endpoint, which normally sends the rows after the cursor as NDJSON or CSV.
 */
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const IDS = [
  '01JZ0000000000000000000001',
  '01JZ0000000000000000000002',
  '01JZ0000000000000000000003',
]
const HEADER = 'id,query\r\n'
const rowsAfter = (cursor: string | null) => IDS.filter((id) => id > (cursor ?? ''))
const ndjson = (cursor: string | null) =>
  rowsAfter(cursor)
    .map((id) => `${JSON.stringify({ id, query: 'Wie "geht" das?\u2028' })}\n`)
    .join('')
const csv = (cursor: string | null) =>
  HEADER +
  rowsAfter(cursor)
    .map((id) => `${id},"two\r\nlines, one ""quote"""\r\n`)
    .join('')

const serveRows: Answer = (request, response) => {
  const type = request.headers.accept ?? ''
  const cursor = new URL(request.url ?? '', url).searchParams.get('cursor')
  response
    .writeHead(200, { 'content-type': type })
    .end((type === 'text/csv' ? csv : ndjson)(cursor))
}

const refuse =
  (status: number, problem: object, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ status, ...problem }))

/** Returns a response that sends some text and then closes the connection. */
const breakAfter =
  (text: string): Answer =>
  (request, response) => {
    response.writeHead(200, { 'content-type': request.headers.accept })
    response.write(text, () => response.destroy())
  }

let url = ''
let folder = ''
/** The responses to the next requests; all later requests get rows. */
let script: Answer[] = []
let requests: IncomingMessage[] = []
const server = createServer((request, response) => {
  requests.push(request)
  const answer = script.shift() ?? serveRows
  answer(request, response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  script = []
  requests = []
  folder = mkdtempSync(join(tmpdir(), 'octavo-export-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

type RunOptions = { readonly key?: string | undefined; readonly isTTY?: boolean }

async function octavo(
  args: readonly string[],
  { key = 'octavo_adm_test', isTTY = false }: RunOptions = {},
) {
  let out = ''
  let err = ''
  const waits: number[] = []
  let nowMs = 1_000_000
  const code = await run({
    args: ['export', '--service', url, ...args],
    cwd: folder,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: key, XDG_CONFIG_HOME: folder },
    clock: {
      now: () => (nowMs += 100),
      sleep: async (ms) => {
        waits.push(ms)
      },
    },
    out: { write: (text) => (out += text), isTTY },
    err: { write: (text) => (err += text), isTTY },
  })
  return { code, out, err, waits }
}

const exportTo = (file: string, options: RunOptions = {}) =>
  octavo(['--project', 'prj_a', '-o', file], options)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const cursors = () =>
  requests.map((request) => new URL(request.url ?? '', url).searchParams.get('cursor'))

describe('octavo export', () => {
  test('every conversation of the project is written as NDJSON', async () => {
    const { code, out, err } = await exportTo('all.ndjson')
    expect({ code, out, err }).toEqual({
      code: 0,
      out: '✓ 3 conversations in all.ndjson, 0.0 MB.\n',
      err: '',
    })
    expect(read('all.ndjson')).toBe(ndjson(null))
    expect(requests[0]?.url).toBe('/v1/analytics/prj_a/assistant')
    expect(requests[0]?.headers.authorization).toBe('Bearer octavo_adm_test')
  })

  test('a file name that ends in .csv selects CSV', async () => {
    expect((await exportTo('all.csv')).out).toContain('3 conversations')
    expect(read('all.csv')).toBe(csv(null))
  })

  test('an export without rows creates an empty file', async () => {
    script = [
      (_, response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(),
    ]
    expect((await exportTo('none.ndjson')).out).toContain('0 conversations')
    expect(read('none.ndjson')).toBe('')
  })

  test('--from and --to are sent as date parameters', async () => {
    await octavo(['--project', 'p/?', '--from', '2026-01-01', '--to', '2026-02-01', '-o', 'a.csv'])
    expect(requests[0]?.url).toBe(
      '/v1/analytics/p%2F%3F/assistant?dateFrom=2026-01-01&dateTo=2026-02-01',
    )
  })

  test('only its owner can read the exported file, and no temporary files remain', async () => {
    await exportTo('all.ndjson')
    expect(statSync(join(folder, 'all.ndjson')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(folder, 'all.ndjson.part'))).toBe(false)
    expect(existsSync(join(folder, 'all.ndjson.part.json'))).toBe(false)
  })

  test('the progress of an export is shown only on a terminal', async () => {
    expect((await exportTo('all.ndjson', { isTTY: true })).err).toMatch(
      /\r.*3 rows, 0\.0 MB, \d+ rows\/s/,
    )
    expect((await exportTo('all.ndjson')).err).toBe('')
  })
})

describe('resumed export', () => {
  test('an NDJSON export resumes after the last complete row', async () => {
    write('all.ndjson.part', ndjson(null).slice(0, ndjson(null).indexOf(IDS[2] ?? '') + 5))
    expect((await exportTo('all.ndjson')).code).toBe(0)
    expect(cursors()).toEqual([IDS[1]])
    expect(read('all.ndjson')).toBe(ndjson(null))
  })

  test.each(['', 'two', '"two\r\nlin', '"two\r\nlines, one ""quote"""\r'])(
    'a CSV export stopped at %j resumes without a second header',
    async (rest) => {
      write(
        'all.csv.part',
        `${csv(null).slice(0, csv(null).indexOf(IDS[2] ?? ''))}${IDS[2]},${rest}`,
      )
      expect((await exportTo('all.csv')).code).toBe(0)
      expect(cursors()).toEqual([IDS[1]])
      expect(read('all.csv')).toBe(csv(null))
    },
  )

  test('an interrupted export without a complete row starts again', async () => {
    write('all.ndjson.part', ndjson(null).slice(0, 20))
    write('all.csv.part', `${HEADER}${IDS[0]},"tw`)
    await exportTo('all.ndjson')
    await exportTo('all.csv')
    expect(cursors()).toEqual([null, null])
    expect(read('all.ndjson')).toBe(ndjson(null))
    expect(read('all.csv')).toBe(csv(null))
  })

  test('an export resumes after a broken connection in the same run', async () => {
    const half = csv(null).indexOf(IDS[1] ?? '') + 40
    script = [breakAfter(csv(null).slice(0, half))]
    const { code, err, waits } = await exportTo('all.csv')
    expect(code).toBe(0)
    expect(err).toMatch(/^The connection failed \(.*\)\. Retrying in 1 s\.\n$/)
    expect(waits).toEqual([1_000])
    expect(cursors()).toEqual([null, IDS[0]])
    expect(read('all.csv')).toBe(csv(null))
  })

  test('a response that ends within a row is treated as a broken connection', async () => {
    script = [
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/x-ndjson' })
          .end(ndjson(null).slice(0, -1)),
    ]
    expect((await exportTo('all.ndjson')).code).toBe(0)
    expect(cursors()).toEqual([null, IDS[1]])
    expect(read('all.ndjson')).toBe(ndjson(null))
  })

  test('a CSV response that ends within its header is treated as broken', async () => {
    const cut: Answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end(HEADER.slice(0, 4))
    write('all.csv.part', csv(null).slice(0, csv(null).indexOf(IDS[2] ?? '')))
    script = [cut]
    expect((await exportTo('all.csv')).waits).toEqual([1_000])
    script = [cut]
    expect((await exportTo('anew.csv')).waits).toEqual([1_000])
    expect(read('all.csv')).toBe(csv(null))
    expect(read('anew.csv')).toBe(csv(null))
  })

  test('export attempts that receive rows do not count toward the limit of attempts', async () => {
    const rows = ndjson(null).split(/(?<=\n)/)
    script = rows.flatMap((row) => [
      ...Array.from({ length: 5 }, () => refuse(503, { detail: 'Later.' })),
      breakAfter(row),
    ])
    expect((await exportTo('all.ndjson')).code).toBe(0)
    expect(read('all.ndjson')).toBe(ndjson(null))
  })

  test('a part file of an export with another range is not continued', async () => {
    script = [
      breakAfter(ndjson(null)),
      ...Array.from({ length: 6 }, () => refuse(401, { detail: 'No.' })),
    ]
    expect((await exportTo('all.ndjson')).err).toContain(
      '3 conversations downloaded. Run the same command again to continue.',
    )
    const other = await octavo(['--project', 'prj_b', '-o', 'all.ndjson'])
    expect(other.code).toBe(1)
    expect(other.err).toContain('was started with a different --project, --from or --to.')
    expect(read('all.ndjson.part')).toBe(ndjson(null))
    script = []
    expect((await exportTo('all.ndjson')).code).toBe(0)
  })

  test('a part file of an export with other columns is not continued', async () => {
    const text = `id,other\r\n${IDS[0]},x\r\n`
    write('all.csv.part', text)
    const { code, err } = await exportTo('all.csv')
    expect(code).toBe(1)
    expect(err).toContain('The columns from the service differ from those in')
    expect(read('all.csv.part')).toBe(text)
  })

  test('a file that is not an export is not changed', async () => {
    write('notes.csv.part', 'my notes\nline two\n')
    const { code, err } = await exportTo('notes.csv')
    expect(code).toBe(1)
    expect(err).toContain('does not end with a conversation')
    expect(read('notes.csv.part')).toBe('my notes\nline two\n')
  })
})

describe('retries while the service is busy', () => {
  test.each([
    ['7', 7_000],
    ['0', 0],
    [undefined, 1_000],
  ])('a 429 response with Retry-After %s is retried', async (value, waitMs) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value }
    script = [refuse(429, { detail: 'Too many.' }, headers)]
    const { code, waits, err } = await exportTo('all.ndjson')
    expect(code).toBe(0)
    expect(waits).toEqual([waitMs])
    expect(err).toBe(`Too many. Retrying in ${waitMs / 1_000} s.\n`)
    expect(read('all.ndjson')).toBe(ndjson(null))
  })

  test('Retry-After of an export response can be a date', async () => {
    script = [refuse(503, {}, { 'retry-after': new Date(1_060_000).toUTCString() })]
    const { waits } = await exportTo('all.ndjson')
    expect(waits[0]).toBeGreaterThan(58_000)
    expect(waits[0]).toBeLessThanOrEqual(60_000)
  })

  test('an export attempts a request six times with growing delays', async () => {
    script = Array.from({ length: 6 }, () => refuse(503, { detail: 'Later.', requestId: 'r1' }))
    const { code, waits, err } = await exportTo('all.ndjson')
    expect(code).toBe(1)
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    expect(err).toMatch(/octavo: Later\. \(request r1\) The export stopped after 6 attempts\.\n$/)
    expect(requests).toHaveLength(6)
  })

  test.each([
    ['3600', 0],
    ['3601', 1],
  ])(
    'a Retry-After of %s seconds is compared with the limit of one hour',
    async (seconds, expected) => {
      script = [refuse(429, { detail: 'Too many.' }, { 'retry-after': seconds })]
      expect((await exportTo('all.ndjson')).code).toBe(expected)
    },
  )

  test('an export from an unreachable service fails after six attempts', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const args = ['--service', `http://127.0.0.1:${port}`, '--project', 'prj_a', '-o', 'a.csv']
    const { code, err } = await octavo(args)
    expect(code).toBe(1)
    expect(err).toContain(
      'octavo: The connection failed (ECONNREFUSED). The export stopped after 6 attempts.',
    )
  })
})

describe('error responses (exit code 1)', () => {
  test.each([
    [400, { detail: 'Expected a day.', param: 'dateFrom' }, '--from: Expected a day.\n'],
    [
      401,
      { detail: 'This API key has expired.' },
      'This API key has expired. Set OCTAVO_API_KEY to',
    ],
    [403, { detail: 'No scope.' }, 'No scope. Use a key with the scope analytics:read'],
    [404, { detail: 'The project does not exist.' }, 'The project does not exist. Check --project'],
    [500, { detail: 'Unexpected.', requestId: 'r1' }, 'Unexpected. (request r1)'],
    [500, {}, 'The service responded with 500 Internal Server Error.'],
  ])(
    'an export that fails with status %i and the problem %j prints advice',
    async (status, problem, message) => {
      script = [refuse(status, problem)]
      const { code, err, out } = await exportTo('all.ndjson')
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(`octavo: ${message}`)
      expect(requests).toHaveLength(1)
      expect(existsSync(join(folder, 'all.ndjson.part'))).toBe(false)
    },
  )

  test('an export does not send the key to the target of a redirect', async () => {
    script = [refuse(308, {}, { location: `${url}/elsewhere` })]
    const { code, err } = await exportTo('all.ndjson')
    expect(code).toBe(1)
    expect(err).toContain(`The service has moved to ${url}/elsewhere. Change --service.`)
    expect(requests).toHaveLength(1)
  })

  test('a response with another content type is not accepted as an export', async () => {
    script = [(_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')]
    expect((await exportTo('all.csv')).err).toContain('The response is text/html, not text/csv.')
  })

  test('escape sequences in responses of the service do not reach the terminal', async () => {
    script = [refuse(401, { detail: '\u001b[2J' })]
    expect((await exportTo('all.csv')).err).not.toContain('\u001b')
  })

  test('a missing output folder of an export is reported', async () => {
    const { code, err } = await exportTo('nowhere/all.csv')
    expect(code).toBe(1)
    expect(err).toContain('ENOENT')
  })
})

describe('invalid command lines (exit code 2)', () => {
  test.each([
    [['-o', 'a.csv'], 'Missing --project'],
    [['--project', 'prj_a'], 'Missing or invalid -o'],
    [['--project', 'prj_a', '-o', 'a.json'], 'a file name that ends in .ndjson or .csv'],
    [
      ['--project', 'prj_a', '-o', 'a.csv', '--service', 'ftp://x'],
      'Invalid --service: expected a URL',
    ],
    [
      ['--project', 'prj_a', '-o', 'a.csv', '--service', 'http://me:secret@x'],
      'Invalid --service: expected a URL',
    ],
    [['--project', 'prj_a', '-o', 'a.csv', 'b.csv'], 'Unexpected argument "b.csv"'],
    [['--project', 'prj_a', '-o', 'a.csv', '--strict'], '--strict is not an option of export.'],
  ])('octavo export rejects the arguments %j', async (args, message) => {
    const { code, err } = await octavo(args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(requests).toEqual([])
  })

  test('the export uses the session of `octavo login` if there is no key', async () => {
    const token = `octavo_ses_${'a'.repeat(38)}`
    mkdirSync(join(folder, 'octavo'))
    write('octavo/credentials.json', JSON.stringify({ services: { [url]: { token } } }))
    expect(await exportTo('a.csv', { key: '' })).toMatchObject({ code: 0, err: '' })
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })

  test('a missing or invalid API key is reported without printing it', async () => {
    expect(await exportTo('a.csv', { key: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('OCTAVO_API_KEY is not set.'),
    })
    const odd = await exportTo('a.csv', { key: 'secret\nkey' })
    expect(odd.code).toBe(2)
    expect(odd.err).not.toContain('secret')
  })
})
