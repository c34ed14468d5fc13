import type { Database, ProjectDatabase, Tenant } from '../database/database.ts'
import type { KeyKind, Scope } from './caller.ts'

export type FoundKey = Tenant & {
  readonly id: string
  readonly kind: KeyKind
  readonly projectPublicId: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: number | null
  readonly isRevoked: boolean
  /** May it be used from the address of the caller? */
  readonly isAllowed: boolean
}

/** Whose key this is and what it may do; nothing for one that nobody has. */
export async function findKey(
  database: Database,
  hash: Buffer,
  address: string | undefined,
): Promise<FoundKey | undefined> {
  const [row] = await database.query<{ key: string | null }>(
    'select authenticate_key($1, $2) as key',
    [hash, address ?? null],
  )
  return row?.key ? (JSON.parse(row.key) as FoundKey) : undefined
}

export async function noteKeyUses(
  database: Database,
  keys: readonly Pick<FoundKey, 'id' | 'projectId'>[],
): Promise<void> {
  await database.query('select note_key_uses($1, $2)', [
    keys.map(({ projectId }) => projectId),
    keys.map(({ id }) => id),
  ])
}

/** All SQL about the keys of one project. */
export function createKeyStore(database: ProjectDatabase) {
  return {
    async insert(key: NewKey): Promise<string> {
      const [row] = await database.query<{ id: string }>(
        `insert into api_key (project_id, kind, token_hash, last_four, name, scopes, allowed_from, expires_at)
         values (current_project(), $1, $2, $3, $4, $5, $6, $7) returning id`,
        [key.kind, key.hash, key.lastFour, key.name, key.scopes, key.allowedFrom, key.expiresAt],
      )
      if (row === undefined) throw new Error('the key was not inserted')
      return row.id
    },

    list(): Promise<readonly ListedKey[]> {
      return database.query<ListedKey>(
        `select id, kind, last_four, name, scopes, created_at, expires_at, revoked_at, last_used_at
           from api_key where project_id = current_project() order by created_at, id`,
      )
    },

    async revoke(id: string): Promise<boolean> {
      const rows = await database.query(
        `update api_key set revoked_at = coalesce(revoked_at, now())
          where project_id = current_project() and id = $1 returning id`,
        [id],
      )
      return rows.length > 0
    },
  }
}

export type NewKey = {
  readonly kind: KeyKind
  readonly hash: Buffer
  readonly lastFour: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
}

export type ListedKey = {
  readonly id: string
  readonly kind: KeyKind
  readonly last_four: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}
