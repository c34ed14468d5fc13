import type { Database } from '../../database/database.ts'
import { createKeyRing, type SecretKey } from '../../secrets/key-ring.ts'
import { createSecretStore, findSecretKeys, type UsedSecretKey } from '../../secrets/store.ts'
import { type Finding, failed, fine, notSet } from './finding.ts'

const HINT =
  'Put the key with this name back into OCTAVO_SECRET_KEYS, behind the current one. If it is lost, owners have to enter these secrets again.'

/** Opens one secret of each key that was used: of the same key, the others open too. */
export async function checkSecrets(
  database: Database,
  keys: readonly SecretKey[],
): Promise<Finding> {
  const used = await findSecretKeys(database)
  if (used.length === 0)
    return keys.length === 0
      ? notSet('secrets', 'OCTAVO_SECRET_KEYS')
      : fine('secrets', 'none is stored')
  const missing = used.filter(({ keyId }) => keys.every(({ id }) => id !== keyId))
  if (missing.length > 0)
    return failed('secrets', {
      code: 'secret-key-missing',
      found: `OCTAVO_SECRET_KEYS lacks a key that secrets were encrypted with: ${printKeys(missing)}.`,
      hint: HINT,
    })
  const wrong: UsedSecretKey[] = []
  for (const key of used) if (!(await isReadable(database, keys, key))) wrong.push(key)
  if (wrong.length > 0)
    return failed('secrets', {
      code: 'secret-key-wrong',
      found: `A key in OCTAVO_SECRET_KEYS does not open its secrets: ${printKeys(wrong)}. It is not the key that had this name before.`,
      hint: HINT,
    })
  return fine('secrets', `a secret of each key was decrypted: ${printKeys(used)}`)
}

async function isReadable(
  database: Database,
  keys: readonly SecretKey[],
  { tenant, name }: UsedSecretKey,
): Promise<boolean> {
  const store = createSecretStore(database.forProject(tenant), createKeyRing(keys))
  return store.read(name).then(
    () => true,
    () => false,
  )
}

const printKeys = (keys: readonly UsedSecretKey[]) =>
  keys.map(({ keyId, count }) => `"${keyId}" (${count} secret${count === 1 ? '' : 's'})`).join(', ')
