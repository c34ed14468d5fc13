import { findSettingProblem } from './choose-settings.ts'
import { databaseOf, roleOf } from './create-database.ts'

/** Returns why an owner's URL cannot be used; undefined if it looks valid. */
export function findDatabaseProblem(url: string): string | undefined {
  const problem = findSettingProblem({ DATABASE_OWNER_URL: url })
  if (problem !== undefined) return problem
  if (databaseOf(url) !== '' && roleOf(url) !== '') return undefined
  return 'DATABASE_OWNER_URL needs a role and a database, such as postgres://octavo_owner:password@127.0.0.1/octavo.'
}
