import type { Database } from '../src/platform/database/database.ts'

export type Catalog = {
  readonly lines: readonly string[]
  /** The number of lines per kind of database object. */
  readonly counts: ReadonlyMap<string, number>
}

/** Maps names in the first catalog to names in the second. */
export type Renames = Readonly<Record<string, string>>

/**
 * Returns the lines that exist in only one of two catalogs: with `-` for the first, with `+` for
 * the second. The order of columns matters. Daily and monthly partitions are ignored, since they
 * depend on the date.
 */
export function compareCatalogs(
  one: Catalog,
  other: Catalog,
  renames: Renames = {},
): readonly string[] {
  const left = new Set(one.lines.map((line) => rename(line, renames)))
  const right = new Set(other.lines)
  return [
    ...[...left].filter((line) => !right.has(line)).map((line) => `- ${line}`),
    ...[...right].filter((line) => !left.has(line)).map((line) => `+ ${line}`),
  ]
}

export async function readCatalog(database: Database): Promise<Catalog> {
  const kinds = Object.entries(QUERIES)
  const parts = await Promise.all(
    kinds.map(async ([kind, query]) => {
      const rows = await database.query<{ text: string }>(query.replaceAll('OURS', OURS))
      return rows.map(({ text }) => `${kind}: ${text}`)
    }),
  )
  return {
    lines: parts.flat(),
    counts: new Map(kinds.map(([kind], index) => [kind, parts[index]?.length ?? 0])),
  }
}

/** Replaces whole words, also inside of longer names: `old_key` becomes `new_key`. */
function rename(line: string, renames: Renames): string {
  const names = Object.keys(renames).toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return line
  const pattern = new RegExp(`(?<![a-z0-9])(?:${names.join('|')})(?![a-z0-9])`, 'g')
  return line.replace(pattern, (name) => renames[name] ?? name)
}

const OURS = `c.relnamespace = 'public'::regnamespace and not (c.relispartition and c.relname ~ '\\d{4}')`
const sorted = (acl: string) => `array(select unnest(${acl})::text order by 1)`

const QUERIES: Readonly<Record<string, string>> = {
  schema: `select format('%s, owner %s, grants %s', nspname, nspowner::regrole, ${sorted('nspacl')}) as text
     from pg_namespace where nspname !~ '^(pg_|information_schema)'`,
  table: `select format('%s, kind %s, persistence %s, row security %s %s, options %s, owner %s, partitions %s, bounds %s, grants %s',
            c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
            c.relowner::regrole, case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end,
            pg_get_expr(c.relpartbound, c.oid), ${sorted('c.relacl')}) as text
     from pg_class c where c.relkind not in ('i', 'I') and OURS`,
  column: `select format('%s.%s, place %s, %s, collation %s, default %s, not null %s, identity %s, generated %s, grants %s',
            c.relname, a.attname, row_number() over (partition by c.oid order by a.attnum),
            format_type(a.atttypid, a.atttypmod), nullif(a.attcollation, 0)::regcollation,
            pg_get_expr(d.adbin, d.adrelid), a.attnotnull, a.attidentity, a.attgenerated, ${sorted('a.attacl')}) as text
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped and c.relkind not in ('i', 'I') and OURS`,
  constraint: `select format('%s.%s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text
     from pg_constraint k join pg_class c on c.oid = k.conrelid where OURS`,
  index: `select format('%s, options %s', pg_get_indexdef(i.indexrelid), x.reloptions) as text
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid where OURS`,
  policy: `select format('%s on %s, %s, permissive %s, to %s, using %s, check %s', p.polname, c.relname, p.polcmd,
            p.polpermissive, array(select r.rolname from pg_roles r where r.oid = any (p.polroles) order by 1),
            pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) as text
     from pg_policy p join pg_class c on c.oid = p.polrelid where OURS`,
  trigger: `select format('%s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled) as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal and OURS`,
  function: `select format('%s, owner %s, grants %s', pg_get_functiondef(p.oid), p.proowner::regrole, ${sorted('p.proacl')}) as text
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a'`,
  type: `select format('%s, kind %s, of %s', t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod)) as text
     from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype <> 'b' and t.typname !~ '\\d{4}'`,
  // The number of indexes of each partition, since partitions must get all indexes of their table.
  partition: `select format('of %s with %s indexes', p.relname, i.indexes) as text
     from (select n.inhparent, (select count(*) from pg_index x where x.indrelid = n.inhrelid) as indexes from pg_inherits n) i
     join pg_class p on p.oid = i.inhparent where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace
    group by 1`,
}
