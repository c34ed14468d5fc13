import type { KeyKind, Scope } from '@octavo/contract'
import type { Database, ProjectDatabase, Query, Tenant } from '../../platform/database/database.ts'
import type { TimeCursor } from '../../platform/http/time-cursor.ts'

export type FoundKey = Tenant & {
  readonly id: string
  readonly kind: KeyKind
  readonly projectPublicId: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: number | null
  readonly isRevoked: boolean
  readonly isArchived: boolean
  /** True if the key may be used from the caller's address. */
  readonly isAllowed: boolean
  /** The stored hash in hex, if it uses an old pepper. */
  readonly oldHash: string | null
}

/** Returns the key's owner and permissions; undefined for an unknown key. */
export async function findKey(
  database: Database,
  hashes: readonly Buffer[],
  address: string | undefined,
): Promise<FoundKey | undefined> {
  const [row] = await database.query<{ key: string | null }>(
    'select authenticate_api_key($1, $2) as key',
    [hashes, address ?? null],
  )
  return row?.key ? (JSON.parse(row.key) as FoundKey) : undefined
}

export type KeyUse = Pick<FoundKey, 'id' | 'projectId' | 'oldHash'> & { readonly hash: Buffer }

/** Records uses of keys, and rehashes keys that use an old pepper with the current one. */
export async function recordKeyUses(
  database: Database,
  uses: readonly KeyUse[],
  pepperId: string,
): Promise<void> {
  await database.query('select note_key_uses($1, $2, $3, $4, $5)', [
    uses.map(({ projectId }) => projectId),
    uses.map(({ id }) => id),
    uses.map(({ oldHash }) => (oldHash === null ? null : Buffer.from(oldHash, 'hex'))),
    uses.map(({ hash }) => hash),
    pepperId,
  ])
}

/** All SQL for the keys of one project. */
export class KeyStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  list(): Promise<readonly ListedKey[]> {
    return this.#database.query<ListedKey>(
      `${SELECT} where project_id = current_project() order by created_at, id`,
    )
  }

  /**
   * Lists keys, newest first. Expired tokens of CI jobs are omitted, since there may be thousands.
   */
  page(before: TimeCursor | undefined, limit: number): Promise<readonly ListedKey[]> {
    return this.#database.query<ListedKey>(
      `${SELECT} where project_id = current_project()
          and ($1::bigint is null or (created_at, id) < (instant_of($1), $2::bigint))
          and not (kind = 'deploy' and expires_at is not null and expires_at < now()
                   and expires_at - created_at <= interval '1 hour')
        order by created_at desc, id desc limit $3`,
      [before?.micros ?? null, before?.id ?? null, limit],
    )
  }

  /** Revokes a key. `note` runs in the same transaction if the key exists. */
  revoke(id: string, note: (query: Query) => Promise<void> = async () => {}): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const rows = await query(
        `update api_key set revoked_at = coalesce(revoked_at, now())
          where project_id = current_project() and id = $1 returning id`,
        [id],
      )
      if (rows.length > 0) await note(query)
      return rows.length > 0
    })
  }
}

/** Inserts a key. Returns undefined if a key was created with the same idempotency key before. */
export async function insertKey(query: Query, key: NewKey): Promise<ListedKey | undefined> {
  const [row] = await query<ListedKey>(
    `insert into api_key (project_id, kind, token_hash, last_four, name, scopes, allowed_from, expires_at,
                          created_by, replaces, idempotency_key, pepper_id)
     values (current_project(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (project_id, idempotency_key) where idempotency_key is not null do nothing
     returning ${COLUMNS}`,
    [
      key.kind,
      key.hash,
      key.lastFour,
      key.name,
      key.scopes,
      key.allowedFrom,
      key.expiresAt,
      key.createdBy,
      key.replaces ?? null,
      key.idempotencyKey ?? null,
      key.pepperId,
    ],
  )
  return row
}

/** Locks a key against concurrent changes, and returns it; undefined for an unknown key. */
export async function lockKey(query: Query, id: string): Promise<ListedKey | undefined> {
  const [row] = await query<ListedKey>(
    `${SELECT} where project_id = current_project() and id = $1 for no key update`,
    [id],
  )
  return row
}

/** Makes a key expire at the given time, unless it expires earlier. */
export async function endKey(query: Query, id: string, at: Date): Promise<void> {
  await query(
    `update api_key set expires_at = least(expires_at, $2::timestamptz)
      where project_id = current_project() and id = $1`,
    [id, at],
  )
}

const COLUMNS = `id, kind, last_four, name, scopes, allowed_from::text[] as allowed_from, created_at,
  instant_micros(created_at) as created_micros, created_by, expires_at, revoked_at, last_used_at, replaces,
  coalesce((select u.name from app_user u where api_key.created_by = 'user ' || u.public_id),
    (select k.name from api_key k
      where k.project_id = current_project() and api_key.created_by = 'key ' || k.id)) as created_by_name`
const SELECT = `select ${COLUMNS} from api_key`

export type NewKey = {
  readonly kind: KeyKind
  readonly hash: Buffer
  /** The id of the pepper that the key was hashed with. */
  readonly pepperId: string
  readonly lastFour: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
  /** The requester, as named in the audit log. */
  readonly createdBy: string
  /** The id of the key that was rotated to create this one. */
  readonly replaces?: string | undefined
  readonly idempotencyKey?: string | undefined
}

export type ListedKey = {
  readonly id: string
  readonly kind: KeyKind
  readonly last_four: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowed_from: readonly string[] | null
  readonly created_at: Date
  readonly created_micros: string
  readonly created_by: string | null
  readonly created_by_name: string | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly replaces: string | null
}
