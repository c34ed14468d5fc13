import { type BenchProject, runSql } from './bench-service.ts'

export type Filling = {
  readonly databaseUrl: string
  readonly project: BenchProject
  readonly count: number
  /** The number of cursors to return. Each is followed by a full page of 1,000. */
  readonly cursors: number
}

const PAGE_ROWS_MAX = 1_000

/**
 * Inserts conversations of about 1 KB, one per millisecond, the last of them a second ago. Returns
 * cursors.
 */
export async function fillProject(filling: Filling): Promise<readonly string[]> {
  const { databaseUrl, project, count, cursors } = filling
  const firstMs = Date.now() - count - 1_000
  // The text includes characters that JSON escapes, and every tenth answer has non-ASCII letters.
  // Without such characters, pages would be unrealistically fast.
  const answer = `
    'Set \`limit\` to ' || n || ' and pass **"nextCursor"** until \`hasMore\` is false.' || E'\\n\\n'
    || case when n % 10 = 0 then 'Größe, durée… ' else '' end
    || repeat('A page holds up to 1000 conversations; the cursor is the id of the last one. ', 8)`
  await runSql(
    databaseUrl,
    `insert into conversation
     select ${project.id}, make_ulid(${firstMs} + n, 0), to_timestamp((${firstMs} + n) / 1000.0),
            'How do I read page ' || n || ' of the export, and what comes after it?', ${answer},
            json_build_array(json_build_object('title', 'Export ' || n, 'url', '/api/export#' || n)),
            case when n % 7 = 0 then 'unanswered' else 'answered' end, 'api', 'thread-' || n / 3,
            'https://docs.example.com/api/export', null
       from generate_series(1, ${count}) as n`,
    `update conversation_sequence set last_ms = ${firstMs + count} where project_id = ${project.id}`,
    'vacuum analyze',
    'checkpoint',
  )
  const { rows } = await runSql(
    databaseUrl,
    `select id from (
       select id, row_number() over (order by id) as place
         from conversation where project_id = ${project.id}
     ) as numbered where place < ${count - PAGE_ROWS_MAX} order by random() limit ${cursors}`,
  )
  return rows.map((row: { id: string }) => row.id)
}
