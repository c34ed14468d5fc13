import type { Database } from '../database/database.ts'

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

export type NewPasskey = {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly isSynced: boolean
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
export async function spendRecoveryCode(
  database: Database,
  email: string,
  hash: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>(
    'select spend_recovery_code($1, $2)::text as id',
    [email, hash],
  )
  return row?.id ?? undefined
}

/** All SQL about the passkeys of one person. */
export function createPasskeyStore(database: Database, userId: string) {
  const bound = database.forPerson(userId)
  return {
    list: () =>
      bound.query<PasskeyRow>(
        `select ${COLUMNS} from passkey where user_id = current_person()
          order by created_at, id limit ${PASSKEYS_MAX}`,
      ),

    async find(credentialId: Buffer): Promise<PasskeyRow | undefined> {
      const [row] = await bound.query<PasskeyRow>(
        `select ${COLUMNS} from passkey where user_id = current_person() and credential_id = $1`,
        [credentialId],
      )
      return row
    },

    async insert(passkey: NewPasskey): Promise<PasskeyRow> {
      const [row] = await bound.query<PasskeyRow>(
        `insert into passkey (user_id, credential_id, public_key, counter, transports, name, is_synced)
         values (current_person(), $1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
        [
          passkey.credentialId,
          passkey.publicKey,
          passkey.counter,
          passkey.transports,
          passkey.name,
          passkey.isSynced,
        ],
      )
      if (row === undefined) throw new Error('the passkey was not inserted')
      return row
    },

    async noteUse(id: string, counter: number): Promise<void> {
      await bound.query(
        `update passkey set counter = $2, last_used_at = now()
          where user_id = current_person() and id = $1`,
        [id, counter],
      )
    },

    async remove(id: string): Promise<boolean> {
      const rows = await bound.query(
        'delete from passkey where user_id = current_person() and id = $1 returning id',
        [id],
      )
      return rows.length > 0
    },

    async countRecoveryCodes(): Promise<number> {
      const [row] = await bound.query<{ count: number }>(
        'select count(*)::integer as count from recovery_code where user_id = current_person()',
      )
      return row?.count ?? 0
    },

    /** The codes that somebody had before stop working. */
    async replaceRecoveryCodes(hashes: readonly Buffer[]): Promise<void> {
      await bound.transaction(async (query) => {
        await query('delete from recovery_code where user_id = current_person()')
        await query(
          `insert into recovery_code (user_id, code_hash)
           select current_person(), unnest($1::bytea[])`,
          [hashes],
        )
      })
    },
  }
}
