/** Limits for those who are not signed in, across all processes. */
import { createHmac } from 'node:crypto'
import type { Database } from '../database/database.ts'

const WINDOW_SECONDS = 3_600

export type TryLimit = { readonly kind: string; readonly perHour: number }

/** Counts one try; false when there were too many in this hour. Only a hash of the value is stored. */
export async function countTry(
  { database, pepper }: { readonly database: Database; readonly pepper: string },
  { kind, perHour }: TryLimit,
  value: string,
): Promise<boolean> {
  const key = createHmac('sha256', pepper).update(`try ${kind} ${value}`).digest()
  const [row] = await database.query<{ used: number }>('select used from count_sign_in($1, $2)', [
    key,
    WINDOW_SECONDS,
  ])
  return row !== undefined && row.used <= perHour
}
