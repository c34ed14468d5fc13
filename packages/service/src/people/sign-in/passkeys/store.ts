import { logPersonEvent } from '../../../platform/audit/person-events.ts'
import type { BoundDatabase, Database, Query } from '../../../platform/database/database.ts'
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
  /** The person's public id. */
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
  /** True if the person's e-mail address was verified when the request began. */
  readonly isVerified: boolean
  readonly network: string | undefined
}

type NewRecoveryCodes = {
  readonly network: string | undefined
  readonly hashes: readonly Buffer[]
  readonly pepperId: string
  /** True if the person's e-mail address was verified when the request began. */
  readonly isVerified: boolean
}

const COLUMNS = `id::text, credential_id, public_key, counter::text, transports, name, is_synced,
  created_at, last_used_at`
export const PASSKEYS_MAX = 20

/** Returns the user id of a passkey's owner; undefined if the passkey is unknown. */
export async function findPasskeyOwner(
  database: Database,
  credentialId: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>('select find_passkey($1)::text as id', [
    credentialId,
  ])
  return row?.id ?? undefined
}

/** Uses up a recovery code and returns the person it signs in. */
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

/** All SQL about one person's passkeys. */
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

  /**
   * Adds a passkey. Returns undefined if the e-mail address was verified in the meantime, since
   * that revokes the session that adds the passkey.
   */
  insert(passkey: NewPasskey): Promise<PasskeyRow | undefined> {
    return this.#bound.transaction(async (query) => {
      const [row] = await query<PasskeyRow>(
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
      if (row === undefined) return undefined
      const { name, network } = passkey
      await this.#log(query, {
        action: 'sign-in.passkey-add',
        after: { name },
        addressPrefix: network,
      })
      return row
    })
  }

  async noteUse(id: string, counter: number): Promise<void> {
    await this.#bound.query(
      `update passkey set counter = $2, last_used_at = now()
        where user_id = current_person() and id = $1`,
      [id, counter],
    )
  }

  remove(id: string, network: string | undefined): Promise<boolean> {
    return this.#bound.transaction(async (query) => {
      const [row] = await query<{ name: string }>(
        'delete from passkey where user_id = current_person() and id = $1 returning name',
        [id],
      )
      if (row === undefined) return false
      await this.#log(query, {
        action: 'sign-in.passkey-remove',
        after: row,
        addressPrefix: network,
      })
      return true
    })
  }

  #log(query: Query, event: Parameters<typeof logPersonEvent>[2]): Promise<void> {
    return logPersonEvent(query, this.#userId, event)
  }

  async countRecoveryCodes(): Promise<number> {
    const [row] = await this.#bound.query<{ count: number }>(
      'select count(*)::integer as count from recovery_code where user_id = current_person()',
    )
    return row?.count ?? 0
  }

  /** Marks the person's codes as saved. Returns false if the given code is not one of them. */
  async markCodesSaved(hashes: readonly Buffer[]): Promise<boolean> {
    const rows = await this.#bound.query(
      `update recovery_code set saved_at = coalesce(saved_at, now())
        where user_id = current_person() and exists (
          select from recovery_code r where r.user_id = current_person() and r.code_hash = any ($1))
       returning id`,
      [hashes],
    )
    return rows.length > 0
  }

  /**
   * Stores new recovery codes and revokes the earlier ones. Returns false if the e-mail address was
   * verified in the meantime.
   */
  replaceRecoveryCodes({
    hashes,
    pepperId,
    isVerified,
    network,
  }: NewRecoveryCodes): Promise<boolean> {
    return this.#bound.transaction(async (query) => {
      if ((await lockVerified(query, this.#userId)) !== isVerified) return false
      await query('delete from recovery_code where user_id = current_person()')
      await query(
        `insert into recovery_code (user_id, code_hash, pepper_id)
         select current_person(), unnest($1::bytea[]), $2`,
        [hashes, pepperId],
      )
      await this.#log(query, { action: 'sign-in.codes', addressPrefix: network })
      return true
    })
  }
}
