import type { BoundDatabase, Database } from '../../../platform/database/database.ts'
import type { FoundPerson } from '../../sessions/sessions.ts'
import { lockVerified } from '../../users/store.ts'

export type PasskeyRow = {
  readonly id: string
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: string
  readonly transports: readonly string[]
  readonly name: string
  readonly is_synced: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

type FoundPasskey = Pick<PasskeyRow, 'id' | 'public_key' | 'counter'> & {
  /** The id of the person. */
  readonly owner: string
  readonly is_verified: boolean
}

export type NewPasskey = {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly isSynced: boolean
  /** Of the person who adds it, when their request began. */
  readonly isVerified: boolean
}

type NewRecoveryCodes = {
  readonly hashes: readonly Buffer[]
  readonly pepperId: string
  /** Of the person, when their request began. */
  readonly isVerified: boolean
}

const COLUMNS = `id::text, credential_id, public_key, counter::text, transports, name, is_synced,
  created_at, last_used_at`
export const PASSKEYS_MAX = 20

/** Whose passkey this is; nothing if it is nobody's. */
export async function findPasskeyOwner(
  database: Database,
  credentialId: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>('select find_passkey($1)::text as id', [
    credentialId,
  ])
  return row?.id ?? undefined
}

/** Whom a recovery code signs in; it is used up. */
export function spendRecoveryCode(
  database: Database,
  email: string,
  hash: Buffer,
): Promise<FoundPerson | undefined> {
  return database.transaction(async (query) => {
    const [row] = await query<{ id: string | null }>(
      'select spend_recovery_code($1, $2)::text as id',
      [email, hash],
    )
    const userId = row?.id ?? undefined
    return userId === undefined
      ? undefined
      : { userId, isVerified: await lockVerified(query, userId) }
  })
}

/** All SQL about the passkeys of one person. */
export class PasskeyStore {
  readonly #bound: BoundDatabase
  readonly #userId: string

  constructor(database: Database, userId: string) {
    this.#bound = database.forPerson(userId)
    this.#userId = userId
  }

  list(): Promise<readonly PasskeyRow[]> {
    return this.#bound.query<PasskeyRow>(
      `select ${COLUMNS} from passkey where user_id = current_person()
        order by created_at, id limit ${PASSKEYS_MAX}`,
    )
  }

  async find(credentialId: Buffer): Promise<FoundPasskey | undefined> {
    const [row] = await this.#bound.query<FoundPasskey>(
      `select k.id::text, k.public_key, k.counter::text, u.public_id as owner,
              u.verified_at is not null as is_verified
         from passkey k join app_user u on u.id = k.user_id
        where k.user_id = current_person() and k.credential_id = $1`,
      [credentialId],
    )
    return row
  }

  /** Undefined if the address was verified meanwhile: then the session that adds it is revoked. */
  async insert(passkey: NewPasskey): Promise<PasskeyRow | undefined> {
    const [row] = await this.#bound.query<PasskeyRow>(
      `insert into passkey (user_id, credential_id, public_key, counter, transports, name, is_synced)
       select current_person(), $1, $2, $3, $4, $5, $6 where lock_verified(current_person()) = $7
       returning ${COLUMNS}`,
      [
        passkey.credentialId,
        passkey.publicKey,
        passkey.counter,
        passkey.transports,
        passkey.name,
        passkey.isSynced,
        passkey.isVerified,
      ],
    )
    return row
  }

  async noteUse(id: string, counter: number): Promise<void> {
    await this.#bound.query(
      `update passkey set counter = $2, last_used_at = now()
        where user_id = current_person() and id = $1`,
      [id, counter],
    )
  }

  async remove(id: string): Promise<boolean> {
    const rows = await this.#bound.query(
      'delete from passkey where user_id = current_person() and id = $1 returning id',
      [id],
    )
    return rows.length > 0
  }

  async countRecoveryCodes(): Promise<number> {
    const [row] = await this.#bound.query<{ count: number }>(
      'select count(*)::integer as count from recovery_code where user_id = current_person()',
    )
    return row?.count ?? 0
  }

  /** Notes that the person has saved their codes. False if the one that they name is none of them. */
  async noteSaved(hashes: readonly Buffer[]): Promise<boolean> {
    const rows = await this.#bound.query(
      `update recovery_code set saved_at = coalesce(saved_at, now())
        where user_id = current_person() and exists (
          select from recovery_code r where r.user_id = current_person() and r.code_hash = any ($1))
       returning id`,
      [hashes],
    )
    return rows.length > 0
  }

  /** The earlier codes of the person stop working. False if the address was verified meanwhile. */
  replaceRecoveryCodes({ hashes, pepperId, isVerified }: NewRecoveryCodes): Promise<boolean> {
    return this.#bound.transaction(async (query) => {
      if ((await lockVerified(query, this.#userId)) !== isVerified) return false
      await query('delete from recovery_code where user_id = current_person()')
      await query(
        `insert into recovery_code (user_id, code_hash, pepper_id)
         select current_person(), unnest($1::bytea[]), $2`,
        [hashes, pepperId],
      )
      return true
    })
  }
}
