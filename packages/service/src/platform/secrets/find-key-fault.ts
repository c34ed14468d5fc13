/**
 * Checks that the pepper and the secret keys in the environment are the ones that this database was
 * used with. With another pepper, no API key, session or link works; with other secret keys, no
 * stored secret can be decrypted. Without this check, the mistake would only become visible when
 * one of them is used.
 */
import type { Database } from '../database/database.ts'
import { createKeyRing, type SecretKey } from './key-ring.ts'
import type { PepperRing } from './pepper-ring.ts'
import { findSecretKeys, secretContext, type UsedSecretKey } from './store.ts'

export type KeyFault = {
  readonly code: 'pepper-wrong' | 'secret-key-missing' | 'secret-key-wrong'
  readonly found: string
  readonly hint: string
}

const PEPPER = 'pepper'

/**
 * Returns why the pepper is wrong; undefined if it is right, or if none is stored because the
 * service has never been started.
 */
export async function findPepperFault(
  database: Database,
  pepper: PepperRing,
): Promise<KeyFault | undefined> {
  const known = await readPepperId(database)
  if (known === undefined || known === pepper.id || pepper.oldIds.includes(known)) return undefined
  return {
    code: 'pepper-wrong',
    found:
      'OCTAVO_KEY_PEPPER is not the value that this database was used with, so no API key or session would work.',
    hint: `Set OCTAVO_KEY_PEPPER to the previous value, or add that value to OCTAVO_OLD_KEY_PEPPERS. If the previous value is lost, run \`delete from key_check where name = '${PEPPER}'\` as the owner of the tables, and create new API keys.`,
  }
}

/**
 * Stores the id of the pepper. The first process that starts on a database stores its own. Later,
 * the id is replaced only by a process that lists the stored pepper as an old one.
 */
export async function rememberPepper(database: Database, pepper: PepperRing): Promise<void> {
  const known = await readPepperId(database)
  if (known !== pepper.id)
    await database.query('select store_key_check($1, $2, $3)', [PEPPER, pepper.id, known ?? null])
}

async function readPepperId(database: Database): Promise<string | undefined> {
  const [stored] = await database.query<{ value: string | null }>(
    'select find_key_check($1) as value',
    [PEPPER],
  )
  return stored?.value ?? undefined
}

/**
 * Returns which keys are missing or wrong, or undefined. Decrypts only one secret of
 * each key, because the others can then be decrypted too.
 */
export async function findSecretKeyFault(
  database: Database,
  keys: readonly SecretKey[],
): Promise<KeyFault | undefined> {
  const used = await findSecretKeys(database)
  const missing = used.filter(({ keyId }) => keys.every(({ id }) => id !== keyId))
  if (missing.length > 0)
    return {
      code: 'secret-key-missing',
      found: `A key that encrypted secrets is missing from OCTAVO_SECRET_KEYS: ${printKeys(missing)}.`,
      hint: hintFor(missing),
    }
  const wrong: UsedSecretKey[] = []
  for (const key of used) if (!(await isReadable(database, keys, key))) wrong.push(key)
  if (wrong.length === 0) return undefined
  return {
    code: 'secret-key-wrong',
    found: `A key in OCTAVO_SECRET_KEYS cannot decrypt its secrets: ${printKeys(wrong)}. It differs from the key that had this name before.`,
    hint: hintFor(wrong),
  }
}

export const printKeys = (keys: readonly UsedSecretKey[]) =>
  keys.map(({ keyId, count }) => `"${keyId}" (${count} secret${count === 1 ? '' : 's'})`).join(', ')

function hintFor(keys: readonly UsedSecretKey[]): string {
  const ids = keys.map(({ keyId }) => `'${keyId}'`).join(', ')
  return `Put the key with this name back into OCTAVO_SECRET_KEYS, after the current one. If the key is lost, run \`delete from secret where key_id in (${ids})\` as the owner of the tables, and ask owners to enter these secrets again.`
}

async function isReadable(
  database: Database,
  keys: readonly SecretKey[],
  { keyId, tenant, name }: UsedSecretKey,
): Promise<boolean> {
  const [row] = await database
    .forProject(tenant)
    .query<{ sealed: Buffer }>(
      'select sealed from secret where project_id = current_project() and name = $1 and key_id = $2',
      [name, keyId],
    )
  if (row === undefined) return true
  try {
    createKeyRing(keys).open({ keyId, bytes: row.sealed }, secretContext(tenant.projectId, name))
    return true
  } catch {
    return false
  }
}
