import type { ProjectDatabase } from '../database/database.ts'
import type { ReaderWay } from './access-contract.ts'

export type NewReaderSession = {
  readonly hash: Buffer
  readonly way: Exclude<ReaderWay, 'token'>
  readonly host: string
  readonly groups: readonly string[]
  /** The member; nothing for other ways. */
  readonly userId: string | undefined
  readonly seconds: number
  /** Of the settings that the reader was checked with; nothing for those of now. */
  readonly epoch?: number | undefined
}

/** All SQL about browsers that are signed in to a site. */
export function createReaderSessionStore(database: ProjectDatabase) {
  return {
    async begin(session: NewReaderSession): Promise<void> {
      const { hash, way, host, groups, userId, seconds, epoch } = session
      await database.query(
        `insert into reader_session (project_id, token_hash, way, host, epoch, groups, user_id, expires_at)
         values (current_project(), $1, $2, $3,
                 coalesce($7, reader_epoch()),
                 $4, $5, now() + make_interval(secs => $6))`,
        [hash, way, host, groups, userId ?? null, seconds, epoch ?? null],
      )
    },

    /** Gives false for one that has ended already. */
    async end(hash: Buffer): Promise<boolean> {
      const rows = await database.query(
        `delete from reader_session
          where project_id = current_project() and token_hash = $1 returning token_hash`,
        [hash],
      )
      return rows.length > 0
    },
  }
}
