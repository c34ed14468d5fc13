/**
 * Compares every row of moved projects in both databases and every blob in the new store, and
 * checks that every accepted turn exists exactly once.
 */
import pg from 'pg'
import { PROJECT_TABLES } from '../../../packages/service/src/app/cells/project-tables.ts'
import type { HostedProject, Hosting } from '../../../packages/service/testing/start-hosting.ts'

/**
 * Tables whose rows change after the move. Only their number of rows is compared: it must not be
 * lower than in the old cell.
 */
const CHANGES: ReadonlySet<string> = new Set([
  'action_count',
  'event_day',
  'event_hour',
  'traffic',
  'visitor_set',
  'conversation_day',
  'conversation_sequence',
  'publication',
  'preview',
  'connection',
  'api_key',
  // Secrets are encrypted with a different key.
  'secret',
])
const FINDINGS_MAX = 20

export type Comparison = {
  readonly rows: number
  readonly blobs: number
  readonly lostRows: number
  readonly lostBlobs: number
  readonly lostTurns: number
  readonly doubledTurns: number
  readonly findings: readonly string[]
}

type Moved = {
  readonly projects: readonly HostedProject[]
  readonly accepted: ReadonlyMap<string, readonly string[]>
}

export async function compareCells(from: Hosting, to: Hosting, moved: Moved): Promise<Comparison> {
  const [old, fresh] = [new pg.Client(from.postgres.url), new pg.Client(to.postgres.url)]
  await old.connect()
  await fresh.connect()
  const store = await to.openStore()
  const findings: string[] = []
  const find = (line: string) => findings.length < FINDINGS_MAX && findings.push(line)
  let [rows, blobs, lostRows, lostBlobs, lostTurns, doubledTurns] = [0, 0, 0, 0, 0, 0]
  try {
    for (const { projectId } of moved.projects) {
      for (const table of PROJECT_TABLES) {
        const before = await readRows(old, table, projectId)
        const after = new Set(await readRows(fresh, table, projectId))
        rows += before.length
        const lost = CHANGES.has(table)
          ? Math.max(0, isCounted(table) ? 0 : before.length - after.size)
          : before.filter((row) => !after.has(row)).length
        if (lost > 0) find(`${projectId}: ${table} lacks ${lost} rows`)
        lostRows += lost
      }
      const digests = await readDigests(old, projectId)
      const there = await store.hasMany(digests)
      blobs += digests.length
      lostBlobs += digests.length - there.size
      if (there.size < digests.length) find(`${projectId}: the store lacks blobs`)
      const counts = await readTurns(fresh, projectId)
      for (const name of moved.accepted.get(projectId) ?? []) {
        const count = counts.get(name) ?? 0
        if (count === 0) lostTurns += 1
        if (count > 1) doubledTurns += 1
      }
    }
    return { rows, blobs, lostRows, lostBlobs, lostTurns, doubledTurns, findings }
  } finally {
    await old.end()
    await fresh.end()
  }
}

/**
 * Matches tables with reader counts, which are not compared, because the old cell still changed
 * them after the export.
 */
const isCounted = (table: string) => /^(?:event_|traffic|visitor_)/.test(table)

const ID = '(select id from project where public_id = $1)'

async function readRows(client: pg.Client, table: string, id: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ row: string }>(
    `select t::text as row from ${table} t where project_id = ${ID}`,
    [id],
  )
  return rows.map(({ row }) => row)
}

async function readDigests(client: pg.Client, id: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    `select encode(sha256, 'hex') as sha256 from project_blob where project_id = ${ID}`,
    [id],
  )
  return rows.map(({ sha256 }) => sha256)
}

async function readTurns(client: pg.Client, id: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ query: string; count: string }>(
    `select query, count(*) as count from conversation where project_id = ${ID} group by 1`,
    [id],
  )
  return new Map(rows.map(({ query, count }) => [query, Number(count)]))
}
