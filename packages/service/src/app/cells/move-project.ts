/** Begins and ends the move of a project to another cell, and lists its routes for the edge. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'

const LOCK_TRIES_MAX = 40
const LOCK_PAUSE_MS = 500
/** PostgreSQL's error code when `lock_timeout` expires. */
const LOCK_NOT_AVAILABLE = '55P03'

const isLocked = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/** Blocks writes to the project, after waiting for those in progress. */
export async function beginMove(database: Database, projectId: string): Promise<Date> {
  for (let tried = 1; ; tried += 1) {
    try {
      await setGuards(database, true)
      const [row] = await database.query<{ since: Date | null }>('select begin_move($1) as since', [
        projectId,
      ])
      if (row?.since) return row.since
      throw new Error('the project no longer exists')
    } catch (error) {
      if (!isLocked(error) || tried === LOCK_TRIES_MAX) throw error
      // Let waiting writers continue between two attempts.
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/**
 * Enables the triggers that reject writes, or disables them if no project is moving, one table at a
 * time.
 */
async function setGuards(database: Database, isOn: boolean): Promise<void> {
  const tables = await database.query<{ name: string }>(
    'select name from moving_tables() where is_guarded <> $1',
    [isOn],
  )
  for (const { name } of tables)
    await database.query('select set_moving_guard($1, $2)', [name, isOn])
}

/** Ends or cancels the move. Returns false if the project is not moving. */
export async function finishMove(
  database: Database,
  projectId: string,
  how: 'end' | 'cancel',
): Promise<boolean> {
  const [row] = await database.query<{ done: boolean }>(`select ${how}_move($1) as done`, [
    projectId,
  ])
  await setGuards(database, false).catch((error) => {
    // Triggers that stay enabled only make writes slower. The end of the next move disables them.
    if (!isLocked(error)) throw error
  })
  return row?.done === true
}

export type Names = {
  readonly sites: string | undefined
  readonly previews: string | undefined
}

/** Returns all hosts and ids by which an edge recognizes requests for this project. */
export async function listRoutes(
  database: Database,
  projectId: string,
  { sites, previews }: Names,
): Promise<readonly string[]> {
  const rows = await database.query<{ route: string }>(
    `select s.slug || '.' || $2::text as route from project_slug s where s.project_id = $1
     union select v.name || '.' || $3::text from preview v where v.project_id = $1 and v.expires_at > now()
     union select d.name from domain_claim d where d.project_id = $1 and d.state <> 'removed'
     union select p.public_id from project p where p.id = $1
     union select c.webhook_id from connection c where c.project_id = $1
     order by 1`,
    [projectId, sites, previews],
  )
  return rows.map(({ route }) => route).filter((route) => route !== null)
}
