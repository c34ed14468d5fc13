/**
 * Compares paging with the table itself. For any rows and any request, every row is returned
 * exactly once.
 */

import { ConversationPage } from '@octavo/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { ulidFloor } from '../../platform/ulid.ts'

let service: TestService
let project: TestProject
let newestId: string
let turns = 0
const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }

beforeAll(async () => {
  service = await startTestService()
  project = await service.createProject()
  // Imported history has to be older than the newest conversation, so create one.
  newestId = await service.publish(project, { ...TURN, questionId: 'newest' })
})
afterAll(() => service.stop())

const HISTORY = Date.UTC(2024, 1, 29, 23, 59, 59, 990)
const SPAN_MS = 20

type Window = {
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  readonly limit: number
}

/**
 * Many rows within a few milliseconds, so that several rows share a millisecond and bounds coincide
 * with rows.
 */
const rows = fc.array(fc.integer({ min: 0, max: SPAN_MS }), { maxLength: 14 })
const bound = fc.option(fc.integer({ min: -1, max: SPAN_MS + 1 }), { nil: undefined, freq: 3 })
const windows: fc.Arbitrary<Window> = fc
  .tuple(bound, bound, fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 1_000 })))
  .map(([one, two, limit]) => {
    const isTurned = one !== undefined && two !== undefined && one > two
    const [from, to] = isTurned ? [two, one] : [one, two]
    const at = (shift: number | undefined) => (shift === undefined ? undefined : HISTORY + shift)
    return { fromMs: at(from), toMs: at(to), limit }
  })

/** Replaces all rows except the newest one. */
async function writeHistory(shifts: readonly number[]): Promise<void> {
  const old = 'delete from conversation where project_id = $1 and id < $2'
  await service.owner.query(old, [project.id, newestId])
  if (shifts.length === 0) return
  const history = shifts.map((shift) => {
    turns += 1
    return { ...TURN, questionId: `turn-${turns}`, atMs: HISTORY + shift }
  })
  await service.conversationsOf(project).importBatch(history)
}

/** Selects the expected ids from the table, by the time of the rows instead of their ids. */
async function selectIds({ fromMs, toMs }: Window): Promise<string[]> {
  const found = await service.owner.query<{ id: string }>(
    `select id from conversation
      where project_id = $1
        and ($2::bigint is null or recorded_at >= timestamptz 'epoch' + $2 * interval '1 ms')
        and ($3::bigint is null or recorded_at < timestamptz 'epoch' + $3 * interval '1 ms')
      order by id`,
    [project.id, fromMs ?? null, toMs ?? null],
  )
  return found.map(({ id }) => id)
}

function searchOf({ fromMs, toMs, limit }: Window, cursor: string | null): string {
  const search = new URLSearchParams({ limit: String(limit) })
  if (fromMs !== undefined) search.set('dateFrom', new Date(fromMs).toISOString())
  if (toMs !== undefined) search.set('dateTo', new Date(toMs).toISOString())
  if (cursor !== null) search.set('cursor', cursor)
  return `?${search}`
}

async function readPages(question: Window): Promise<ConversationPage[]> {
  const pages: ConversationPage[] = []
  let cursor: string | null = null
  do {
    const response: Response = await service.get(project, searchOf(question, cursor))
    expect(response.status).toBe(200)
    const page = ConversationPage.parse(await response.json())
    expect(page.nextCursor === null).toBe(!page.hasMore)
    // Otherwise the loop would never end.
    if (page.nextCursor !== null && cursor !== null) expect(page.nextCursor > cursor).toBe(true)
    cursor = page.nextCursor
    pages.push(page)
  } while (cursor !== null)
  return pages
}

describe('paging for any table, window and limit', () => {
  test('all pages together contain the rows of the table in the order of their ids', async () => {
    await fc.assert(
      fc.asyncProperty(rows, windows, async (shifts, question) => {
        await writeHistory(shifts)
        const expected = await selectIds(question)
        const pages = await readPages(question)
        expect(pages.flatMap((page) => page.conversations).map(({ id }) => id)).toEqual(expected)
        // All pages except the last one are full, and the last one is not empty.
        const sizes = pages.map((page) => page.conversations.length)
        expect(sizes).toHaveLength(Math.max(1, Math.ceil(expected.length / question.limit)))
        expect(sizes.slice(0, -1).every((size) => size === question.limit)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('a stream from any cursor contains the remaining rows of the table', async () => {
    await fc.assert(
      fc.asyncProperty(rows, windows, fc.nat(), async (shifts, question, place) => {
        await writeHistory(shifts)
        const expected = await selectIds(question)
        const at = place % (expected.length + 1)
        const cursor = at === 0 ? null : (expected[at - 1] ?? null)
        const response = await service.get(project, searchOf(question, cursor), {
          accept: 'application/x-ndjson',
        })
        const lines = (await response.text()).split('\n').filter((line) => line !== '')
        expect(lines.map((line) => JSON.parse(line).id)).toEqual(expected.slice(at))
      }),
      { numRuns: 30 },
    )
  })
})

test('the database and the service compute the same first id of a millisecond', async () => {
  const someMs = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(someMs, async (ms) => {
      const found = await service.owner.query<{ id: string }>(
        'select ulid_floor(ms) as id from unnest($1::bigint[]) with ordinality as t (ms, at) order by at',
        [ms],
      )
      expect(found.map(({ id }) => id)).toEqual(ms.map(ulidFloor))
    }),
    { numRuns: 100 },
  )
})
