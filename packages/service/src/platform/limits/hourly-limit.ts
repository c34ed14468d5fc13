/**
 * Hourly limits for projects and for anonymous callers. They are counted in the database, so they
 * apply across all processes.
 */
import type { Database, ProjectDatabase } from '../database/database.ts'
import type { PepperRing } from '../secrets/pepper-ring.ts'
import { checkCount, WINDOW_SECONDS } from './check-count.ts'

/**
 * An action that is expensive or could be used for guessing, and how often it is allowed per hour.
 */
export type HourlyLimit = { readonly action: string; readonly perHour: number }

/**
 * Counts one action of a project and returns the rate limit headers; throws if there were too many.
 */
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

/** Counts one action of a project; returns false if there were too many in this hour. */
export async function tryAction(database: ProjectDatabase, limit: HourlyLimit): Promise<boolean> {
  return (await countInDatabase(database, limit)).used <= limit.perHour
}

async function countInDatabase(database: ProjectDatabase, { action }: HourlyLimit) {
  const [row] = await database.query<{ used: number; secondsLeft: number }>(
    'select used, seconds_left as "secondsLeft" from count_action($1, $2)',
    [action, WINDOW_SECONDS],
  )
  if (row === undefined) throw new Error('the count query returned no row')
  return row
}

type Counted = { readonly database: Database; readonly pepper: PepperRing }

/**
 * Counts one attempt of an anonymous caller; returns false if there were too many in this hour.
 * Only a hash of the value is stored.
 */
export async function countAttempt(
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

/**
 * Returns whether another attempt is allowed, without counting it. For limits that count only
 * failed attempts.
 */
export async function hasAttemptsLeft(
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

/** Uses only the current pepper, so the counts restart when the pepper is replaced. */
const keyOf = (pepper: PepperRing, { action }: HourlyLimit, value: string) =>
  pepper.hash('attempt count', `${action} ${value}`)
