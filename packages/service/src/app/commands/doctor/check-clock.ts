import type { Database } from '../../../platform/database/database.ts'
import { type Finding, failed, fine, warning } from './finding.ts'

const WARNING_MS = 1_000
const FAILED_MS = 30_000

/**
 * Compares this machine's clock, which decides when sessions, keys and signatures expire, with
 * PostgreSQL's clock, which sets the time in ids.
 */
export async function checkClock(database: Database, now: () => number): Promise<Finding> {
  // Run one query first, since it may have to open the connection, which would distort the result.
  await database.query('select 1')
  const before = now()
  const [row] = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const after = now()
  const differsMs = (row?.ms ?? 0) - (before + after) / 2
  // Subtract the uncertainty caused by the query's duration.
  const awayMs = Math.max(0, Math.abs(differsMs) - (after - before) / 2)
  if (awayMs <= WARNING_MS) return fine('clock', 'this machine and PostgreSQL agree within 1 s')
  const way = differsMs > 0 ? 'behind' : 'ahead of'
  const fault = {
    code: 'clock-differs',
    found: `This machine is ${(Math.abs(differsMs) / 1_000).toFixed(1)} s ${way} PostgreSQL.`,
    hint: 'Synchronize the clocks of both machines with NTP.',
  } as const
  return awayMs > FAILED_MS ? failed('clock', fault) : warning('clock', fault)
}

/**
 * Detects ids with a time in the future. Ids never decrease, so the time in new ids is too late if
 * PostgreSQL's clock was set back.
 */
export async function checkIds(database: Database): Promise<Finding> {
  const [row] = await database.query<{ ms: string }>('select clock_ahead_ms() as ms')
  const aheadMs = Number(row?.ms ?? 0)
  if (aheadMs <= WARNING_MS) return fine('ids', 'none is in the future')
  return warning('ids', {
    code: 'clock-set-back',
    found: `The newest conversation is dated ${(aheadMs / 1_000).toFixed(1)} s in the future: the clock of PostgreSQL was set back.`,
    hint: 'Synchronize the clock with NTP. Until the clock has caught up, new conversations get the time of the newest one.',
  })
}
