import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

export type ReaderTokenRow = {
  readonly id: string
  readonly name: string
  readonly groups: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The name of the person or API key that created the token; null if since deleted. */
  readonly createdBy: string | null
  /** The time of the last use, which is recorded at most once per hour. */
  readonly lastUsedAt: Date | null
}

export type NewReaderToken = Pick<ReaderTokenRow, 'id' | 'name' | 'groups'> & {
  readonly hash: Buffer
  readonly pepperId: string
  readonly minutes: number
  /** The person or API key that creates the token, in the format of the audit log. */
  readonly actor: string
}

export const READER_TOKENS_MAX = 100
/** The maximum number of listed tokens, including expired ones. */
const LISTED_MAX = 200

const COLUMNS = `s.id, s.name, s.groups, s.created_at as "createdAt", s.expires_at as "expiresAt",
  s.last_used_at as "lastUsedAt", coalesce(
    (select k.name from api_key k where k.project_id = current_project() and 'key ' || k.id = s.created_by),
    (select u.name from app_user u where 'user ' || u.public_id = s.created_by
        and exists (select from membership m where m.organization_id = current_organization() and m.user_id = u.id))
  ) as "createdBy"`

/** Contains all SQL for the tokens with which programs read a site. */
export function createReaderTokenStore(database: ProjectDatabase) {
  return {
    /**
     * Returns the valid tokens, then those that expired in the last 30 days. Each group is sorted
     * by creation time, newest first.
     */
    list: (): Promise<readonly ReaderTokenRow[]> =>
      database.query<ReaderTokenRow>(
        `select ${COLUMNS} from reader_session s
          where s.project_id = current_project() and is_listed_token(s)
          order by is_working_token(s) desc, s.created_at desc, s.id limit ${LISTED_MAX}`,
      ),

    /** Adds a token. Returns undefined if the project already has the maximum number of tokens. */
    async add(query: Query, token: NewReaderToken): Promise<ReaderTokenRow | undefined> {
      const { id, name, groups, hash, pepperId, minutes, actor } = token
      const [row] = await query<ReaderTokenRow>(
        `insert into reader_session as s (project_id, token_hash, way, epoch, groups, id, name, expires_at, pepper_id,
                                          created_by)
         select current_project(), $1, 'token', 0, $2, $3, $4, now() + make_interval(mins => $5), $7, $8
          where (select count(*) from reader_session s
                  where s.project_id = current_project() and is_working_token(s)) < $6
         returning ${COLUMNS}`,
        [hash, groups, id, name, minutes, READER_TOKENS_MAX, pepperId, actor],
      )
      return row
    },

    /** Deletes a token and returns its name; undefined if the token does not exist. */
    async remove(query: Query, id: string): Promise<string | undefined> {
      const [row] = await query<{ name: string }>(
        `delete from reader_session
          where project_id = current_project() and way = 'token' and id = $1 returning name`,
        [id],
      )
      return row?.name
    },

    /** Deletes all tokens and returns their number. */
    async removeAll(query: Query): Promise<number> {
      const rows = await query(
        `delete from reader_session
          where project_id = current_project() and way = 'token' returning id`,
      )
      return rows.length
    },
  }
}
