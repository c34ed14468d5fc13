import { ConversationPage, type ImportedConversation } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { ulidMs } from '../../platform/ulid.ts'

let service: TestService
let project: TestProject
let ids: string[]

const turn = (number: number, more: Partial<ImportedConversation> = {}): ImportedConversation => ({
  questionId: `turn-${number}`,
  query: `Question ${number}?`,
  response: `Answer ${number}.`,
  sources: [{ title: 'Watering', url: '/watering' }],
  resolutionStatus: 'answered',
  ...more,
})

beforeAll(async () => {
  service = await startTestService()
  project = await service.createProject()
  ids = []
  for (let number = 0; number < 105; number += 1) {
    ids.push(await service.publish(project, turn(number)))
  }
})
afterAll(() => service.stop())

async function page(search: string): Promise<ConversationPage> {
  const response = await service.get(project, search)
  expect(response.status).toBe(200)
  // Parsing fails if the response has a field that the contract does not contain.
  return ConversationPage.parse(await response.json())
}

// Tests requirements S6, E1, VE1, C8 and E10.
describe('GET /v1/analytics/{projectId}/assistant', () => {
  // Tests requirements E7 and LI1.
  test('the limit is 100 by default, and rows are in the order of their ids', async () => {
    const { conversations, hasMore, nextCursor } = await page('')
    expect(conversations.map(({ id }) => id)).toEqual(ids.slice(0, 100))
    expect(hasMore).toBe(true)
    expect(nextCursor).toBe(ids[99])
  })

  // Tests requirements E11 and C10.
  test('rule 1: while `hasMore` is true, the client continues with `nextCursor`', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const result: ConversationPage = await page(
        cursor === null ? '?limit=10' : `?limit=10&cursor=${cursor}`,
      )
      seen.push(...result.conversations.map(({ id }) => id))
      expect(result.nextCursor === null).toBe(!result.hasMore)
      cursor = result.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(ids)
  })

  test('a page ends after 8 MB, and the rest is on the next pages and in every stream', async () => {
    const large = await service.createProject(['analytics:read', 'analytics:write'])
    const made: string[] = []
    for (let number = 0; number < 12; number += 1)
      made.push(await service.publish(large, turn(number, { response: 'é'.repeat(500_000) })))
    const seen: string[] = []
    let search: string | undefined = '?limit=1000'
    for (let pages = 0; search !== undefined; pages += 1) {
      expect(pages).toBeLessThan(5)
      const text = await (await service.get(large, search)).text()
      expect(text.length).toBeLessThan(5_000_000)
      const result = ConversationPage.parse(JSON.parse(text))
      seen.push(...result.conversations.map(({ id }) => id))
      search = result.nextCursor === null ? undefined : `?limit=1000&cursor=${result.nextCursor}`
    }
    expect(seen).toEqual(made)
    for (const path of [
      `analytics/${large.publicId}/assistant`,
      `projects/${large.publicId}/conversations`,
    ])
      for (const accept of ['application/x-ndjson', 'text/csv']) {
        const headers = { authorization: `Bearer ${large.token}`, accept }
        const rows = (await (await fetch(`${service.url}/v1/${path}`, { headers })).text())
          .trim()
          .split('\n')
        expect(rows).toHaveLength(accept === 'text/csv' ? 13 : 12)
      }
  })

  // Tests requirements E12 and C9.
  test('rule 2: on the last page `nextCursor` is null and `hasMore` is false', async () => {
    const full = await page('?limit=105')
    expect([full.hasMore, full.nextCursor]).toEqual([false, null])
    const before = await page('?limit=104')
    expect([before.hasMore, before.nextCursor]).toEqual([true, ids[103]])
    const empty = await page(`?cursor=${ids[104]}`)
    expect(empty).toEqual({ conversations: [], nextCursor: null, hasMore: false })
  })

  // Tests requirements E6, E13 and LI2.
  test('rule 3: `dateFrom` is inclusive and `dateTo` exclusive, to the millisecond', async () => {
    const first = new Date(ulidMs(ids[10] ?? '')).toISOString()
    const after = new Date(ulidMs(ids[10] ?? '') + 1).toISOString()
    const on = await page(`?dateFrom=${first}&dateTo=${after}&limit=1000`)
    expect(on.conversations.map(({ id }) => id)).toContain(ids[10])
    const before = await page(`?dateTo=${first}&limit=1000`)
    expect(before.conversations.map(({ id }) => id)).not.toContain(ids[10])
    expect((await page(`?dateFrom=${first}&dateTo=${first}`)).conversations).toEqual([])
  })

  // Tests requirement E5.
  test('a date without a time means midnight UTC', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect((await page(`?dateTo=${today}`)).conversations).toEqual([])
    expect(
      (await page(`?dateFrom=${today}&dateTo=${tomorrow}&limit=1000`)).conversations,
    ).toHaveLength(105)
    expect((await page(`?dateFrom=${tomorrow}`)).conversations).toEqual([])
  })

  // Tests requirements C1, C6, C7 and ST1.
  test('a field without a value is omitted instead of being null', async () => {
    const other = await service.createProject()
    await service.publish(other, turn(1))
    await service.publish(
      other,
      turn(2, {
        queryCategory: 'how',
        threadId: 'thread',
        pageUrl: '/x',
        resolutionStatus: 'unanswered',
      }),
    )
    const body = (await (await service.get(other)).json()) as ConversationPage
    const [plain, rich] = body.conversations
    expect(Object.keys(plain ?? {})).toEqual([
      'id',
      'timestamp',
      'query',
      'response',
      'sources',
      'resolutionStatus',
    ])
    expect(rich).toMatchObject({
      queryCategory: 'how',
      threadId: 'thread',
      pageUrl: '/x',
      resolutionStatus: 'unanswered',
    })
  })

  // Tests requirement C2.
  test('the timestamp of a conversation is the millisecond in its id', async () => {
    const { conversations } = await page('?limit=1000')
    for (const { id, timestamp } of conversations) {
      expect(timestamp).toBe(new Date(ulidMs(id)).toISOString())
    }
  })

  // Tests requirements C3, C4 and C5.
  test('texts are returned exactly as they were written', async () => {
    const other = await service.createProject()
    const query = 'quotes " and \\ and \n and \u2028 and 漢字 and 🌱'
    await service.publish(
      other,
      turn(1, { query, response: query, sources: [{ title: '"', url: '</script>' }] }),
    )
    const body = (await (await service.get(other)).json()) as ConversationPage
    expect(body.conversations[0]).toMatchObject({
      query,
      response: query,
      sources: [{ title: '"', url: '</script>' }],
    })
  })

  test('publishing a question again returns the same conversation', async () => {
    const again = await service.publish(project, turn(7))
    expect(again).toBe(ids[7])
  })

  test('the export is compressed if the client accepts gzip', async () => {
    const response = await service.get(project, '', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(ConversationPage.parse(await response.json()).conversations).toHaveLength(100)
  })
})

describe('the export as a stream', () => {
  test('NDJSON contains every conversation of the range, one per line', async () => {
    const response = await service.get(project, '', { accept: 'application/x-ndjson' })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
  })

  test('an NDJSON stream can be resumed after the last id that was received', async () => {
    const response = await service.get(project, `?cursor=${ids[50]}`, {
      accept: 'application/x-ndjson',
    })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids.slice(51))
  })

  test('CSV has a header, and a text that looks like a formula is escaped', async () => {
    const other = await service.createProject()
    await service.publish(other, turn(1, { query: '=1+1', response: 'a "b", c' }))
    const text = await (await service.get(other, '', { accept: 'text/csv' })).text()
    const [header, row] = text.split('\r\n')
    expect(header).toBe(
      'id,timestamp,query,response,sources,resolutionStatus,queryCategory,threadId,pageUrl',
    )
    expect(row).toContain(`,'=1+1,"a ""b"", c",`)
  })

  test('every question is one CSV cell without a formula and one line of NDJSON', async () => {
    const other = await service.createProject()
    const starts = ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']
    const texts = [
      '",=x',
      '"\r\n=x',
      '\u2028=x',
      '\u2029',
      '\u202e=x',
      '\u0001',
      ';=x',
      '\ufeff',
      "'",
    ]
    const queries = [...starts.map((start) => `${start}x`), ...texts]
    for (const [index, query] of queries.entries())
      await service.publish(other, turn(index, { query }))
    const csv = await (await service.get(other, '', { accept: 'text/csv' })).text()
    // Parse the CSV according to RFC 4180, without using our own code.
    const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
    )
    expect(cells.length).toBe(9 * (queries.length + 1))
    const shown = queries.map((_, index) => cells[9 * (index + 1) + 2])
    expect(shown).toEqual([...starts.map((start) => `'${start}x`), ...texts])
    const lines = (
      await (await service.get(other, '', { accept: 'application/x-ndjson' })).text()
    ).split('\n')
    expect(lines.slice(0, -1).map((line) => JSON.parse(line).query)).toEqual(queries)
  })

  test('a stream that fails is aborted, so that it does not look complete', async () => {
    const other = await service.createProject()
    const large = Array.from({ length: 40 }, (_, number) => ({
      ...turn(number, { response: 'x'.repeat(1_000_000) }),
      atMs: null,
    }))
    // Several batches, because a busy machine may not insert 40 MB within the statement timeout.
    while (large.length > 0) await service.conversationsOf(other).importBatch(large.splice(0, 5))
    const ndjson = await service.get(other, '', { accept: 'application/x-ndjson' })
    const csv = await service.get(other, '', { accept: 'text/csv' })
    const rename = (from: string, to: string) =>
      service.owner.query(
        `alter function conversations_${from}(text, text, text, integer, text) rename to conversations_${to}`,
      )
    await rename('page', 'away')
    try {
      expect([ndjson.status, csv.status]).toEqual([200, 200])
      await expect(ndjson.text()).rejects.toThrow('terminated')
      await expect(csv.text()).rejects.toThrow('terminated')
    } finally {
      await rename('away', 'page')
    }
  })

  test('an empty range results in an empty stream', async () => {
    const other = await service.createProject()
    expect(await (await service.get(other, '', { accept: 'application/x-ndjson' })).text()).toBe('')
  })
})
