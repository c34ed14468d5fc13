import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'

/**
 * Returns false if the text was used before. The hash has no pepper: during a rotation, processes
 * with different peppers have to agree on what was used, and the texts are too long to guess.
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
