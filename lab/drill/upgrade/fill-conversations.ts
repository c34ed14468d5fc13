/**
 * Inserts a year of conversations into the tables of an earlier version, and computes a digest of
 * them.
 */
import type { Query } from '../../../packages/service/src/platform/database/database.ts'

const YEAR_MS = 365 * 86_400_000

/**
 * Inserts conversations that are spread over the projects. The newest is a minute old, so that new
 * ones follow it.
 */
export async function fillConversations(query: Query, count: number): Promise<void> {
  await query(
    `insert into conversation (project_id, id, recorded_at, query, response, sources,
        resolution_status, query_category, thread_id, page_url, reader)
     select p.id, make_ulid(t.ms, n), to_timestamp(t.ms / 1000.0),
            'How do I set option ' || n || '?', repeat('Set it in the file of settings. ', 1 + n % 20),
            '[{"title":"Settings","url":"/settings"}]',
            case when n % 5 = 0 then 'unanswered' else 'answered' end,
            case when n % 7 = 0 then 'Settings' end, 'thread-' || n / 3, '/settings', 'reader-' || n % 999
       from (select id, row_number() over (order by id) - 1 as place, count(*) over () as projects from project) p
       join generate_series(0, $1::integer - 1) n on n % p.projects = p.place,
            lateral (select now_ms() - 60000 - ($2::bigint * ($1 - n)) / $1 as ms) t`,
    [count, YEAR_MS],
  )
  await query(`update conversation_sequence s set last_ms = now_ms() - 60000, last_counter = 0`)
  await query('analyze')
}

export type Content = { readonly rows: number; readonly digest: string }

/** Reads the rows up to an id, with the columns that the first release has. */
export async function readContent(query: Query, lastId: string): Promise<Content> {
  const [content] = await query<Content>(
    `select count(*)::integer as rows,
            md5(string_agg(md5(row(project_id, id, recorded_at, query, response, sources::text,
              resolution_status, query_category, thread_id, page_url, reader)::text), '' order by project_id, id)) as digest
       from conversation where id <= $1`,
    [lastId],
  )
  return content ?? { rows: 0, digest: '' }
}

export async function readIds(query: Query, projectId: string): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    `select c.id from conversation c join project p on p.id = c.project_id
      where p.public_id = $1 order by c.id`,
    [projectId],
  )
  return rows.map(({ id }) => id)
}
