import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

export type ReaderTokenRow = {
  readonly id: string
  readonly name: string
  readonly groups: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewReaderToken = Pick<ReaderTokenRow, 'id' | 'name' | 'groups'> & {
  readonly hash: Buffer
  readonly pepperId: string
  readonly minutes: number
}

export const READER_TOKENS_MAX = 100

const COLUMNS = 'id, name, groups, created_at as "createdAt", expires_at as "expiresAt"'

/** All SQL for tokens with which programs read a site. */
export function createReaderTokenStore(database: ProjectDatabase) {
  return {
    /** Returns the valid tokens, newest first. */
    list: (): Promise<readonly ReaderTokenRow[]> =>
      database.query<ReaderTokenRow>(
        `select ${COLUMNS} from reader_session s
          where s.project_id = current_project() and is_working_token(s)
          order by created_at desc, id limit ${READER_TOKENS_MAX}`,
      ),

    /** Returns undefined if there are too many tokens. */
    async add(query: Query, token: NewReaderToken): Promise<ReaderTokenRow | undefined> {
      const { id, name, groups, hash, pepperId, minutes } = token
      const [row] = await query<ReaderTokenRow>(
        `insert into reader_session (project_id, token_hash, way, epoch, groups, id, name, expires_at, pepper_id)
         select current_project(), $1, 'token',
                reader_epoch(), $2, $3, $4, now() + make_interval(mins => $5), $7
          where (select count(*) from reader_session s
                  where s.project_id = current_project() and is_working_token(s)) < $6
         returning ${COLUMNS}`,
        [hash, groups, id, name, minutes, READER_TOKENS_MAX, pepperId],
      )
      return row
    },

    /** Returns the token's name, or undefined if it does not exist. */
    async remove(query: Query, id: string): Promise<string | undefined> {
      const [row] = await query<{ name: string }>(
        `delete from reader_session
          where project_id = current_project() and way = 'token' and id = $1 returning name`,
        [id],
      )
      return row?.name
    },
  }
}
