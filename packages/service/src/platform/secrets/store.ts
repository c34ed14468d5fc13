import type { Database, ProjectDatabase, Query, Tenant } from '../database/database.ts'
import { createKeyRing, type KeyRing, type Sealed, type SecretKey } from './key-ring.ts'

type SecretRow = { readonly name: string; readonly key_id: string; readonly sealed: Buffer }

/** Reads and writes the secrets of one project. */
export function createSecretStore(database: ProjectDatabase, ring: KeyRing) {
  const { projectId } = database.tenant
  return {
    async write(name: string, text: string): Promise<void> {
      const { keyId, bytes } = ring.seal(text, secretContext(projectId, name))
      await database.query(
        `insert into secret (project_id, name, key_id, sealed) values (current_project(), $1, $2, $3)
         on conflict (project_id, name)
         do update set key_id = excluded.key_id, sealed = excluded.sealed, updated_at = now()`,
        [name, keyId, bytes],
      )
    },

    async read(name: string): Promise<string | undefined> {
      const [row] = await database.query<SecretRow>(
        'select name, key_id, sealed from secret where project_id = current_project() and name = $1',
        [name],
      )
      return (
        row && ring.open({ keyId: row.key_id, bytes: row.sealed }, secretContext(projectId, name))
      )
    },

    async remove(name: string): Promise<void> {
      await database.query(
        'delete from secret where project_id = current_project() and name = $1',
        [name],
      )
    },
  }
}

export type Rotation = {
  readonly rotated: number
  /** Descriptions of secrets that could not be decrypted and are unchanged. */
  readonly failed: readonly string[]
}

/**
 * Re-encrypts all secrets that use older keys with the current key. Must run as the owner of the
 * tables.
 */
export async function rotateSecrets(database: Database, ring: KeyRing): Promise<Rotation> {
  const rows = await database.query<
    SecretRow & { readonly project_id: string; readonly public_id: string }
  >(
    `select s.project_id, p.public_id, s.name, s.key_id, s.sealed
       from secret s join project p on p.id = s.project_id where s.key_id <> $1`,
    [ring.currentId],
  )
  let rotated = 0
  const failed: string[] = []
  for (const { project_id, public_id, name, key_id, sealed } of rows) {
    const context = secretContext(project_id, name)
    let fresh: Sealed
    try {
      fresh = ring.seal(ring.open({ keyId: key_id, bytes: sealed }, context), context)
    } catch (error) {
      failed.push(`${public_id} ${name}: ${error instanceof Error ? error.message : error}`)
      continue
    }
    // Skips a secret that was written meanwhile, because it already uses the current key.
    const changed = await database.query(
      `update secret set key_id = $3, sealed = $4
        where project_id = $1 and name = $2 and sealed = $5 returning name`,
      [project_id, name, fresh.keyId, fresh.bytes, sealed],
    )
    rotated += changed.length
  }
  return { rotated, failed }
}

export type UsedSecretKey = {
  readonly keyId: string
  /** The number of secrets encrypted with the key. */
  readonly count: number
  /** The tenant and name of one of these secrets. */
  readonly tenant: Tenant
  readonly name: string
}

/** Returns the keys that the secrets of all projects are encrypted with. */
export async function findSecretKeys(database: Database): Promise<readonly UsedSecretKey[]> {
  const rows = await database.query<Omit<UsedSecretKey, 'tenant'> & Tenant>(
    `select key_id as "keyId", secrets as count, organization_id as "organizationId", project_id as "projectId", name
       from find_secret_keys()`,
  )
  return rows.map(({ organizationId, projectId, ...key }) => ({
    ...key,
    tenant: { organizationId, projectId },
  }))
}

export type UnreadableSecret = { readonly place: string; readonly reason: string }

/**
 * Returns the secrets that cannot be decrypted with the given keys, for example after a restore
 * with other keys. Must run as the owner of the tables.
 */
export async function findUnreadableSecrets(
  query: Query,
  keys: readonly SecretKey[],
): Promise<readonly UnreadableSecret[]> {
  const rows = await query<SecretRow & { readonly project_id: string; readonly slug: string }>(
    `select s.project_id, p.slug, s.name, s.key_id, s.sealed
       from secret s join project p on p.id = s.project_id order by p.slug, s.name`,
  )
  return rows.flatMap(({ project_id, slug, name, key_id, sealed }) => {
    try {
      createKeyRing(keys).open({ keyId: key_id, bytes: sealed }, secretContext(project_id, name))
      return []
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return [{ place: `${slug} ${name}`, reason }]
    }
  })
}

/**
 * Returns the context that binds a secret to its place: with another context, it cannot be
 * decrypted.
 */
export const secretContext = (projectId: string, name: string) => `${projectId} ${name}`

export type PepperCount = {
  readonly kind: string
  readonly pepperId: string
  readonly credentials: number
}

/** Returns the number of valid credentials for each pepper. */
export const countPeppers = (database: Database): Promise<readonly PepperCount[]> =>
  database.query<PepperCount>(
    'select kind, pepper_id as "pepperId", credentials from count_peppers() order by kind collate "C"',
  )
