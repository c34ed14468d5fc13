import type { Database } from '../database/database.ts'
import type { Scope } from './caller.ts'

export type KeyRow = {
  readonly id: string
  readonly project_id: string
  readonly public_id: string
  readonly scopes: readonly Scope[]
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  /** Does the address of the caller stand in the list? True without a list. */
  readonly allowed: boolean
}

/** All SQL about keys. */
export function createKeyStore(database: Database) {
  return {
    async find(hash: Buffer, address: string | undefined): Promise<KeyRow | undefined> {
      const [row] = await database.query<KeyRow>(
        `select k.id, k.project_id, p.public_id, k.scopes, k.expires_at, k.revoked_at,
                k.allowed_from is null or $2::inet <<= any (k.allowed_from) as allowed
           from api_key k join project p on p.id = k.project_id
          where k.token_hash = $1`,
        [hash, address ?? null],
      )
      return row
    },

    async markUsed(projectId: string, id: string): Promise<void> {
      await database.query(
        'update api_key set last_used_at = now() where project_id = $1 and id = $2',
        [projectId, id],
      )
    },

    async insert(key: NewKey): Promise<string> {
      const [row] = await database.query<{ id: string }>(
        `insert into api_key (project_id, token_hash, last_four, name, scopes, allowed_from, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning id`,
        [
          key.projectId,
          key.hash,
          key.lastFour,
          key.name,
          key.scopes,
          key.allowedFrom,
          key.expiresAt,
        ],
      )
      if (row === undefined) throw new Error('the key was not written')
      return row.id
    },

    async list(projectId: string): Promise<readonly ListedKey[]> {
      return database.query<ListedKey>(
        `select id, last_four, name, scopes, created_at, expires_at, revoked_at, last_used_at
           from api_key where project_id = $1 order by id`,
        [projectId],
      )
    },

    async revoke(projectId: string, id: string): Promise<boolean> {
      const rows = await database.query(
        `update api_key set revoked_at = coalesce(revoked_at, now())
          where project_id = $1 and id = $2 returning id`,
        [projectId, id],
      )
      return rows.length > 0
    },

    async audit(projectId: string, action: string, details: object): Promise<void> {
      await database.query(
        `insert into audit_event (project_id, actor, action, details) values ($1, 'operator', $2, $3)`,
        [projectId, action, JSON.stringify(details)],
      )
    },
  }
}
export type KeyStore = ReturnType<typeof createKeyStore>

export type NewKey = {
  readonly projectId: string
  readonly hash: Buffer
  readonly lastFour: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
}

export type ListedKey = {
  readonly id: string
  readonly last_four: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}
