import { logPersonEvent } from '../../platform/audit/person-events.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'

/** A browser session expires after this many hours without a request. */
export const IDLE_HOURS = 12

export type NewSession = {
  readonly method: string
  readonly hash: Buffer
  /** The id of the pepper that the token was hashed with. */
  readonly pepperId: string
  readonly isVerified: boolean
  readonly kind: SignedIn['kind']
  readonly device: string
  readonly addressPrefix: string | undefined
  readonly lifetimeHours: number
}

export type ListedSession = {
  readonly id: string
  readonly kind: SignedIn['kind']
  readonly device: string
  readonly address_prefix: string | null
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly expires_at: Date
}

/** A session row, with the person's sign-in methods. */
export type FoundSession = Omit<SignedIn, 'canSignInAgain' | 'mustKeepAccess'> & {
  readonly isMadeByLink: boolean
  readonly hasIdentity: boolean
  /** Recovery codes count once the person has confirmed saving them. */
  readonly hasPasskeyOrCodes: boolean
}

/**
 * Returns the person that a valid session token belongs to. For a browser session, the result
 * includes their memberships, which every page shows. A session that was hashed with an old pepper
 * is updated to the first hash and `pepperId`.
 */
export async function findSession(
  database: Database,
  hashes: readonly Buffer[],
  pepperId: string,
): Promise<FoundSession | undefined> {
  const [row] = await database.query<{
    session: FoundSession | null
    memberships: FoundSession['memberships'] | null
  }>(
    `with found as materialized (
       select authenticate_session($1, make_interval(hours => $2), $3)::json as session)
     select session, case when session ->> 'kind' = 'browser'
              then read_memberships((session ->> 'userId')::bigint) end as memberships
       from found`,
    [hashes, IDLE_HOURS, pepperId],
  )
  return row?.session ? { ...row.session, memberships: row.memberships ?? undefined } : undefined
}

/** All SQL about one person's sessions. */
export function createSessionStore(database: Database, userId: string) {
  const bound = database.forPerson(userId)
  return {
    /**
     * Adds a session. Returns false if the e-mail address was verified after the person was found.
     */
    insert: (session: NewSession): Promise<boolean> =>
      bound.transaction(async (query) => {
        const { method, addressPrefix } = session
        const rows = await query(
          `insert into user_session (user_id, token_hash, kind, device, address_prefix, expires_at, pepper_id)
         select current_person(), $1, $2, $3, $4, now() + make_interval(hours => $5), $7
          where lock_verified(current_person()) = $6
         returning id`,
          [
            session.hash,
            session.kind,
            session.device,
            session.addressPrefix ?? null,
            session.lifetimeHours,
            session.isVerified,
            session.pepperId,
          ],
        )
        if (rows.length === 0) return false
        await logPersonEvent(query, userId, {
          action: 'sign-in.success',
          after: { method },
          addressPrefix,
        })
        return true
      }),

    list(): Promise<readonly ListedSession[]> {
      return bound.query<ListedSession>(
        `select id::text, kind, device, address_prefix, created_at, last_seen_at, expires_at
           from user_session where user_id = current_person() and expires_at > now()
          order by last_seen_at desc, id limit 100`,
      )
    },

    async end(id: string): Promise<boolean> {
      const rows = await bound.query(
        'delete from user_session where user_id = current_person() and id = $1 returning id',
        [id],
      )
      return rows.length > 0
    },
  }
}
