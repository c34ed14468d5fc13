import { findPepperFault, findSecretKeyFault, rememberPepper } from '../secrets/find-key-fault.ts'
import type { SecretSettings } from '../secrets/settings.ts'
import { findDatabaseFault } from './check-role.ts'
import type { Database } from './database.ts'
import { explainDatabaseError } from './explain-error.ts'
import type { DatabaseSettings } from './settings.ts'

type StartSettings = SecretSettings &
  Pick<DatabaseSettings, 'databaseUrl'> & { readonly isReadOnly: boolean }

/**
 * Returns why the service cannot start with this database, and what to do about it; undefined if it
 * can.
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
  // Checks again, because another process may have stored another pepper first.
  return findPepperFault(database, pepper)
}
