/**
 * The tables with project rows, in import order: referenced rows come first, counters after the
 * rows whose triggers update them, and blobs last, since their lock blocks garbage collection. A
 * test compares the list with the catalog.
 */
import pg from 'pg'
import type { Query } from '../../platform/database/database.ts'

/**
 * The import mode of each table. All rows of a trusted export are imported. For other exports:
 *
 * - `content`: the site and its conversations are imported, with the checks for API callers,
 * - `reset`: the rows are ignored, and this cell writes new ones: unverified domains, its own log,
 * - `trusted`: the rows are ignored and not replaced: permissions, destinations, counts.
 */
const IMPORTED = {
  project_slug: 'reset',
  conversation_sequence: 'reset',
  site_access: 'trusted',
  secret: 'trusted',
  api_key: 'trusted',
  membership: 'trusted',
  invitation: 'trusted',
  audit_event: 'reset',
  action_count: 'trusted',
  deployment: 'content',
  publication: 'content',
  preview: 'trusted',
  sample_proof: 'trusted',
  deployment_vectors: 'trusted',
  connection: 'trusted',
  git_ref: 'trusted',
  webhook_delivery: 'trusted',
  build: 'trusted',
  build_log: 'trusted',
  build_cache: 'trusted',
  domain_claim: 'reset',
  assistant: 'trusted',
  assistant_usage: 'trusted',
  question: 'trusted',
  conversation: 'content',
  conversation_detail: 'trusted',
  conversation_feedback: 'trusted',
  conversation_day: 'reset',
  backfill: 'reset',
  erased_conversation: 'trusted',
  import_receipt: 'trusted',
  gap: 'trusted',
  gap_conversation: 'trusted',
  gap_change: 'trusted',
  gap_forecast: 'trusted',
  gap_work: 'reset',
  api_comparison: 'trusted',
  unsorted_question: 'reset',
  feedback: 'trusted',
  event_hour: 'trusted',
  event_day: 'trusted',
  visitor_set: 'trusted',
  traffic: 'trusted',
  notice: 'trusted',
  notice_work: 'trusted',
  reader_session: 'trusted',
  project_blob: 'content',
} as const satisfies Record<string, 'content' | 'reset' | 'trusted'>

export type ProjectTable = keyof typeof IMPORTED

export const PROJECT_TABLES = Object.keys(IMPORTED) as readonly ProjectTable[]

/** Tables whose rows are only imported from trusted exports. */
export const TRUSTED_TABLES = PROJECT_TABLES.filter((table) => IMPORTED[table] === 'trusted')

/** The row files of an export: the project, its organization and people, then its tables. */
export const EXPORTED_FILES: readonly string[] = [
  'organization',
  'project',
  'app_user',
  'organization_membership',
  ...PROJECT_TABLES,
]

/** Tables with hashes that depend on OCTAVO_KEY_PEPPER. */
export const PEPPERED_TABLES: readonly ProjectTable[] = ['api_key', 'invitation', 'reader_session']

/** Tables whose rows differ between cells, because of user ids or encryption keys. */
export const CHANGED_TABLES: readonly ProjectTable[] = ['secret', 'membership', 'reader_session']

type Column = { readonly name: string; readonly type: string; readonly isIdentity: boolean }

export type TableShape = {
  readonly name: string
  readonly columns: readonly Column[]
  /** The sort order of exported rows, independent of the cell's collation. */
  readonly order: string
}

/** Reads the columns of a table from this database. */
export async function readTableShape(query: Query, name: string): Promise<TableShape> {
  const columns = await query<Column & { readonly place: number | null; readonly isText: boolean }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attidentity <> '' as "isIdentity",
            array_position(i.indkey::int2[], a.attnum) as place, a.atttypid = 'text'::regtype as "isText"
       from pg_attribute a
       left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum`,
    [name],
  )
  const key = columns
    .filter(({ place }) => place !== null)
    .toSorted((one, other) => Number(one.place) - Number(other.place))
  const order = key.map((column) => quote(column.name) + (column.isText ? ' collate "C"' : ''))
  return { name, columns, order: order.join(', ') }
}

export const quote = (name: string) => pg.escapeIdentifier(name)

/**
 * Returns a query that yields one line per row, with each value in PostgreSQL's text format: exact
 * for every type, and without line breaks.
 */
export function selectLines({ name, columns, order }: TableShape, condition: string): string {
  const values = columns.map(
    (column) => `${pg.escapeLiteral(column.name)}, ${quote(column.name)}::text`,
  )
  return `select json_build_object(${values.join(', ')})::text as line from ${quote(name)} where ${condition} order by ${order}`
}

/** Returns a statement that inserts the lines of `selectLines`; `$1` is an array of lines. */
export function insertLines({ name, columns }: TableShape): string {
  const names = columns.map((column) => quote(column.name))
  const values = columns.map(
    (column) => `(l.line ->> ${pg.escapeLiteral(column.name)})::${column.type}`,
  )
  return `insert into ${quote(name)} (${names.join(', ')}) overriding system value
    select ${values.join(', ')} from (select text::json as line from unnest($1::text[]) as text) l`
}

/** Sets how PostgreSQL formats values, regardless of the settings of the role or database. */
export async function fixTextFormats(query: Query): Promise<void> {
  await query(
    `select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
            set_config('bytea_output', 'hex', true), set_config('intervalstyle', 'postgres', true),
            set_config('extra_float_digits', '1', true)`,
  )
}

const ROWS_PER_BATCH = 500

/** Reads the lines of a query with a cursor, so that memory use stays constant. */
export async function* readLinesOf(query: Query, statement: string): AsyncGenerator<string> {
  await query(`declare lines no scroll cursor for ${statement}`)
  for (;;) {
    const rows = await query<{ line: string }>(`fetch ${ROWS_PER_BATCH} from lines`)
    for (const { line } of rows) yield line
    if (rows.length < ROWS_PER_BATCH) break
  }
  await query('close lines')
}
