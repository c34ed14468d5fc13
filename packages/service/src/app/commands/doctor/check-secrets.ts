import type { Database } from '../../../platform/database/database.ts'
import { findSecretKeyFault, printKeys } from '../../../platform/secrets/find-key-fault.ts'
import type { SecretKey } from '../../../platform/secrets/key-ring.ts'
import { findSecretKeys } from '../../../platform/secrets/store.ts'
import { type Finding, failed, fine, notSet } from './finding.ts'

export async function checkSecrets(
  database: Database,
  keys: readonly SecretKey[],
): Promise<Finding> {
  const fault = await findSecretKeyFault(database, keys)
  if (fault !== undefined) return failed('secrets', fault)
  const used = await findSecretKeys(database)
  if (used.length > 0)
    return fine('secrets', `a secret of each key was decrypted: ${printKeys(used)}`)
  return keys.length === 0
    ? notSet('secrets', 'OCTAVO_SECRET_KEYS')
    : fine('secrets', 'none is stored')
}
