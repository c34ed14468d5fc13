/** Limits for those who are not signed in, across all processes. */
import type { Database } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'

const WINDOW_SECONDS = 3_600

type Counted = { readonly database: Database; readonly pepper: PepperRing }

export type TryLimit = { readonly kind: string; readonly perHour: number }

/** Counts one try; false when there were too many in this hour. Only a hash of the value is stored. */
export async function countTry(
  { database, pepper }: Counted,
  { kind, perHour }: TryLimit,
  value: string,
): Promise<boolean> {
  const [row] = await database.query<{ used: number }>('select used from count_sign_in($1, $2)', [
    keyOf(pepper, kind, value),
    WINDOW_SECONDS,
  ])
  return row !== undefined && row.used <= perHour
}

/** Whether one more try is allowed, where only those that failed are counted. */
export async function mayTry(
  { database, pepper }: Counted,
  { kind, perHour }: TryLimit,
  value: string,
): Promise<boolean> {
  const [row] = await database.query<{ used: number }>('select sign_in_tries($1, $2) as used', [
    keyOf(pepper, kind, value),
    WINDOW_SECONDS,
  ])
  return row !== undefined && row.used < perHour
}

/** With the current pepper alone: a rotation begins new counts. */
const keyOf = (pepper: PepperRing, kind: string, value: string) =>
  pepper.hash('attempt count', `${kind} ${value}`)
