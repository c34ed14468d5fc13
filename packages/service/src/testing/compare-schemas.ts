import type { Database } from '../database/database.ts'
import { printSchema } from '../database/print-schema.ts'

/**
 * Lines that one schema has and the other has not, of all that decides what the service may do. The
 * order of columns does not count: a column that was added later is the last one.
 */
export async function compareSchemas(one: Database, other: Database): Promise<readonly string[]> {
  const [left, right] = await Promise.all([describeSchema(one), describeSchema(other)])
  return [
    ...[...left].filter((line) => !right.has(line)).map((line) => `- ${line}`),
    ...[...right].filter((line) => !left.has(line)).map((line) => `+ ${line}`),
  ]
}

async function describeSchema(database: Database): Promise<ReadonlySet<string>> {
  const statements = (await printSchema(database)).split('\n\n').map(sortColumns)
  const more = await Promise.all(
    DETAILS.map((query) => database.query<{ text: string }>(query.replaceAll('OURS', OURS))),
  )
  return new Set([...statements, ...more.flat().map(({ text }) => text)])
}

function sortColumns(statement: string): string {
  if (!statement.startsWith('create table ')) return statement
  const lines = statement.split('\n')
  const columns = lines.slice(1, -1).map((line) => line.replace(/,$/, ''))
  return [lines[0], ...columns.toSorted(), lines.at(-1)].join('\n')
}

const OURS = `c.relnamespace = 'public'::regnamespace and not c.relispartition`

/** What the golden file leaves out: names of constraints, all indexes, triggers, rights. */
const DETAILS = [
  `select format('%s: constraint %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
     from pg_constraint k join pg_class c on c.oid = k.conrelid where OURS`,
  `select pg_get_indexdef(i.indexrelid) as text
     from pg_index i join pg_class c on c.oid = i.indrelid where OURS`,
  `select pg_get_triggerdef(t.oid) as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and OURS`,
  `select format('%s: kind %s, kept %s, row security %s, %s', c.relname, c.relkind, c.relpersistence,
            c.relrowsecurity, c.reloptions) as text from pg_class c where OURS`,
  `select format('%s.%s: %s', c.relname, a.attname, array(select unnest(a.attacl)::text order by 1)) as text
     from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attacl is not null and OURS`,
  `select format('%s: %s', p.oid::regprocedure, array(select unnest(p.proacl)::text order by 1)) as text
     from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  // Partitions get the indexes of their table, also those that are added later.
  `select format('%s has %s indexes', c.relname, count(*)) as text
     from pg_class c join pg_index i on i.indrelid = c.oid
    where c.relispartition and c.relnamespace = 'public'::regnamespace and c.relname !~ '\\d{4}'
    group by c.relname`,
]
