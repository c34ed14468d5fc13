import { findPepperFault, findSecretKeyFault, rememberPepper } from '../secrets/find-key-fault.ts'
import type { SecretSettings } from '../secrets/settings.ts'
import { findDatabaseFault } from './check-role.ts'
import type { Database } from './database.ts'
import { explainDatabaseError } from './explain-error.ts'
import type { DatabaseSettings } from './settings.ts'

type StartSettings = SecretSettings &
  Pick<DatabaseSettings, 'databaseUrl'> & { readonly isReadOnly: boolean }

/**
 * Returns why the service must not start on this database, and what to do; undefined if it may
 * start.
 */
export async function findStartProblem(
  database: Database,
  settings: StartSettings,
): Promise<string | undefined> {
  try {
    const fault =
      (await findDatabaseFault(database)) ??
      (await checkPepper(database, settings)) ??
      (await findSecretKeyFault(database, settings.secretKeys))
    return fault && `${fault.found} ${fault.hint}`
  } catch (error) {
    const address = { name: 'DATABASE_URL', url: settings.databaseUrl }
    const { found, hint } = explainDatabaseError(error, address)
    return `${found} ${hint}`
  }
}

async function checkPepper(database: Database, { pepper, isReadOnly }: StartSettings) {
  const fault = await findPepperFault(database, pepper)
  if (fault !== undefined || isReadOnly) return fault
  await rememberPepper(database, pepper)
  // Another process may have stored its pepper first.
  return findPepperFault(database, pepper)
}
