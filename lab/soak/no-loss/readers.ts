/**
 * The two kinds of clients under test: one pages continuously, the other reads time windows as they
 * close.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ulidMs } from '../../../packages/service/src/platform/ulid.ts'
import type { PageClient } from './page-client.ts'

/** The rows that a reader has received, and the range that it will never request again. */
export type Reader = {
  readonly name: string
  readonly seen: ReadonlySet<string>
  readonly hasPassed: (id: string) => boolean
}

type ExportedRow = {
  readonly id: string
  readonly timestamp: string
  readonly questionId: string
}

export type Exporter = Reader & {
  /** Rows in the order of arrival. */
  readonly rows: readonly ExportedRow[]
  readonly pages: () => number
  readonly done: Promise<void>
}

export type ReaderOptions = {
  readonly client: PageClient
  readonly name: string
  readonly pauseMsMax: number
  /** Returns true once all writing has ended. Further requests then return everything. */
  readonly isFinishing: () => boolean
}

const LIMITS = [1, 7, 100, 1_000]

/** Starts a client that pages from the beginning to the end, and waits there for more rows. */
export function startExporter(options: ReaderOptions): Exporter {
  const { client, name, pauseMsMax, isFinishing } = options
  const rows: ExportedRow[] = []
  const seen = new Set<string>()
  let cursor = ''
  let pages = 0

  async function run(): Promise<void> {
    for (;;) {
      const isLast = isFinishing()
      const limit = LIMITS[pages % LIMITS.length] ?? 1
      const page = await client.get({ limit: `${limit}`, ...(cursor === '' ? {} : { cursor }) })
      pages += 1
      for (const { id, timestamp, query } of page.conversations) {
        rows.push({ id, timestamp, questionId: query })
        seen.add(id)
      }
      const lastId = page.conversations.at(-1)?.id ?? cursor
      const expected = page.hasMore ? lastId : null
      if (page.nextCursor !== expected || page.conversations.length > limit) {
        throw new Error(`${name}: a page of ${limit} after ${cursor} breaks the rules of paging`)
      }
      cursor = lastId
      if (page.hasMore) continue
      if (isLast) return
      await sleep(Math.random() * pauseMsMax)
    }
  }
  return {
    name,
    seen,
    rows,
    done: run(),
    pages: () => pages,
    hasPassed: (id) => id <= cursor,
  }
}

export type ReadWindow = {
  readonly fromMs: number
  readonly toMs: number
  readonly ids: readonly string[]
}

export type WindowReader = Reader & {
  readonly windows: readonly ReadWindow[]
  readonly done: Promise<void>
}

/**
 * Starts a client that reads windows. They have no gaps between them, so together they cover the
 * whole table.
 */
export function startWindowReader(options: ReaderOptions): WindowReader {
  const { client, name, pauseMsMax, isFinishing } = options
  const windows: ReadWindow[] = []
  const seen = new Set<string>()
  const startMs = Date.now()
  let closedMs = startMs

  async function readWindow(fromMs: number, toMs: number): Promise<readonly string[]> {
    const ids: string[] = []
    const limit = `${LIMITS[1 + (windows.length % 3)]}`
    const dates = { dateFrom: asInstant(fromMs), dateTo: asInstant(toMs) }
    let cursor: string | null = null
    do {
      const page = await client.get({ ...dates, limit, ...(cursor === null ? {} : { cursor }) })
      ids.push(...page.conversations.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    return ids
  }
  async function run(): Promise<void> {
    for (;;) {
      const isLast = isFinishing()
      const toMs = await nextMillisecond()
      const ids = await readWindow(closedMs, toMs)
      windows.push({ fromMs: closedMs, toMs, ids })
      for (const id of ids) seen.add(id)
      closedMs = toMs
      if (isLast) return
      await sleep(Math.random() * pauseMsMax)
    }
  }
  return {
    name,
    seen,
    windows,
    done: run(),
    hasPassed: (id) => ulidMs(id) >= startMs && ulidMs(id) < closedMs,
  }
}

/** Waits for the next millisecond and returns it. */
async function nextMillisecond(): Promise<number> {
  const before = Date.now()
  while (Date.now() <= before) await nextTurn()
  return Date.now()
}

function asInstant(ms: number): string {
  return new Date(ms).toISOString()
}
