import type { ReaderSignInMethod } from '@octavo/contract'
import type { FoundPerson } from '../../people/sessions/sessions.ts'
import type { ProjectDatabase } from '../../platform/database/database.ts'

export type NewReaderSession = {
  readonly hash: Buffer
  /** The id of the pepper with which the token was hashed. */
  readonly pepperId: string
  readonly way: Exclude<ReaderSignInMethod, 'token'>
  readonly host: string
  readonly groups: readonly string[]
  /** The person, for the sign-in method `members` only. */
  readonly member: FoundPerson | undefined
  readonly seconds: number
  /**
   * The epoch of the settings against which the reader was checked. The default is the current
   * epoch.
   */
  readonly epoch?: number | undefined
}

/** Contains all SQL for the sessions of browsers. */
export function createReaderSessionStore(database: ProjectDatabase) {
  return {
    /**
     * Stores a session. Returns false if the e-mail address of the member was verified in the
     * meantime.
     */
    async begin(session: NewReaderSession): Promise<boolean> {
      const { hash, pepperId, way, host, groups, member, seconds, epoch } = session
      const rows = await database.query(
        `insert into reader_session (project_id, token_hash, way, host, epoch, groups, user_id, expires_at, pepper_id)
         select current_project(), $1, $2, $3,
                coalesce($7, reader_epoch()),
                $4, $5, now() + make_interval(secs => $6), $9
          where $5::bigint is null or lock_verified($5) = $8
         returning token_hash`,
        [
          hash,
          way,
          host,
          groups,
          member?.userId ?? null,
          seconds,
          epoch ?? null,
          member?.isVerified ?? null,
          pepperId,
        ],
      )
      return rows.length > 0
    },

    /** Deletes a session. Returns false if it has already ended. */
    async end(hashes: readonly Buffer[]): Promise<boolean> {
      const rows = await database.query(
        `delete from reader_session
          where project_id = current_project() and token_hash = any ($1) returning token_hash`,
        [hashes],
      )
      return rows.length > 0
    },
  }
}
