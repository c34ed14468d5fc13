/** Limits across all processes, which the database counts: of projects, and of people who are not signed in. */
import type { Database, ProjectDatabase } from '../database/database.ts'
import type { PepperRing } from '../secrets/pepper-ring.ts'
import { checkCount, WINDOW_SECONDS } from './check-count.ts'

/** Something expensive or worth guessing, and how often it may happen in an hour. */
export type HourlyLimit = { readonly action: string; readonly perHour: number }

/** Counts one action of a project; throws when there were too many. Gives the parts of the headers that tell. */
export async function countAction(
  database: ProjectDatabase,
  limit: HourlyLimit,
): Promise<Readonly<Record<string, string>>> {
  const { action: name, perHour } = limit
  return checkCount(
    { name, perHour, ...(await countInDatabase(database, limit)) },
    `A project can send ${perHour} requests of this kind per hour. Try again later.`,
  )
}

/** Counts one action of a project; false when there were too many in this hour. */
export async function tryAction(database: ProjectDatabase, limit: HourlyLimit): Promise<boolean> {
  return (await countInDatabase(database, limit)).used <= limit.perHour
}

async function countInDatabase(database: ProjectDatabase, { action }: HourlyLimit) {
  const [row] = await database.query<{ used: number; secondsLeft: number }>(
    'select used, seconds_left as "secondsLeft" from count_action($1, $2)',
    [action, WINDOW_SECONDS],
  )
  if (row === undefined) throw new Error('nothing was counted')
  return row
}

type Counted = { readonly database: Database; readonly pepper: PepperRing }

/**
 * Counts one try of someone who is not signed in; false when there were too many in this hour. Only a hash of the
 * value is stored.
 */
export async function countTry(
  { database, pepper }: Counted,
  limit: HourlyLimit,
  value: string,
): Promise<boolean> {
  const [row] = await database.query<{ used: number }>('select used from count_sign_in($1, $2)', [
    keyOf(pepper, limit, value),
    WINDOW_SECONDS,
  ])
  return row !== undefined && row.used <= limit.perHour
}

/** Whether one more try is allowed, where only those that failed are counted. */
export async function mayTry(
  { database, pepper }: Counted,
  limit: HourlyLimit,
  value: string,
): Promise<boolean> {
  const [row] = await database.query<{ used: number }>('select sign_in_tries($1, $2) as used', [
    keyOf(pepper, limit, value),
    WINDOW_SECONDS,
  ])
  return row !== undefined && row.used < limit.perHour
}

/** With the current pepper alone: a rotation begins new counts. */
const keyOf = (pepper: PepperRing, { action }: HourlyLimit, value: string) =>
  pepper.hash('attempt count', `${action} ${value}`)
