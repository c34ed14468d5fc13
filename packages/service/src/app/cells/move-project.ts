/** The state of a project that moves to another cell, and what the edge has to know of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'

const LOCK_TRIES_MAX = 40
const LOCK_PAUSE_MS = 500
/** `lock_timeout` of PostgreSQL. */
const LOCK_NOT_AVAILABLE = '55P03'

const isLocked = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/** From now on nothing of the project changes, and all that was written before is there. */
export async function beginMove(database: Database, projectId: string): Promise<Date> {
  for (let tried = 1; ; tried += 1) {
    try {
      await setGuards(database, true)
      const [row] = await database.query<{ since: Date | null }>('select begin_move($1) as since', [
        projectId,
      ])
      if (row?.since) return row.since
      throw new Error('the project does not exist any more')
    } catch (error) {
      if (!isLocked(error) || tried === LOCK_TRIES_MAX) throw error
      // Others write in between.
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/** Turns the triggers that refuse writes on, or off if no project moves: a table at a time. */
async function setGuards(database: Database, isOn: boolean): Promise<void> {
  const tables = await database.query<{ name: string }>(
    'select name from moving_tables() where is_guarded <> $1',
    [isOn],
  )
  for (const { name } of tables)
    await database.query('select set_moving_guard($1, $2)', [name, isOn])
}

/** Gives false for a project that does not move. */
export async function leaveMove(
  database: Database,
  projectId: string,
  how: 'end' | 'cancel',
): Promise<boolean> {
  const [row] = await database.query<{ done: boolean }>(`select ${how}_move($1) as done`, [
    projectId,
  ])
  await setGuards(database, false).catch((error) => {
    // They cost time and do no harm; the next move that ends tries again.
    if (!isLocked(error)) throw error
  })
  return row?.done === true
}

export type Names = {
  readonly sites: string | undefined
  readonly previews: string | undefined
}

/** Everything by which an edge finds out that a request is for this project, for its map. */
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
