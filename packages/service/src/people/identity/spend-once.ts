import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'

/**
 * Marks a string as used. Returns false if it was used before. The hash has no pepper, because
 * processes with different peppers have to agree on what was used during a rotation, and the
 * strings are too long to guess.
 */
export async function spendOnce(
  database: Database,
  text: string,
  seconds: number,
): Promise<boolean> {
  const hash = createHash('sha256').update(text).digest()
  const [row] = await database.query<{ is: boolean }>(
    'select spend_once($1, make_interval(secs => $2)) as is',
    [hash, seconds],
  )
  return row?.is === true
}
