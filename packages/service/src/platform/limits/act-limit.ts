import type { ProjectDatabase } from '../database/database.ts'
import { Problem } from '../problem.ts'

/** Something expensive, and how often a project may do it in an hour, whichever process it asks. */
export type ActLimit = { readonly act: string; readonly perHour: number }

const WINDOW_SECONDS = 3_600

/** Counts one act; throws when there were too many. Gives the parts of the headers that tell. */
export async function countAct(
  database: ProjectDatabase,
  { act, perHour }: ActLimit,
): Promise<Readonly<Record<string, string>>> {
  const [row] = await database.query<{ used: number; seconds_left: number }>(
    'select * from count_action($1, $2)',
    [act, WINDOW_SECONDS],
  )
  if (row === undefined) throw new Error('nothing was counted')
  const left = Math.max(0, perHour - row.used)
  const headers = {
    'ratelimit-policy': `"${act}";q=${perHour};w=${WINDOW_SECONDS}`,
    ratelimit: `"${act}";r=${left};t=${row.seconds_left}`,
  }
  if (row.used <= perHour) return headers
  throw new Problem(
    'rate-limited',
    `A project can send ${perHour} requests of this kind per hour. Try again later.`,
    { headers: { ...headers, 'retry-after': String(row.seconds_left) } },
  )
}
