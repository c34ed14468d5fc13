import type { Database } from './database.ts'

/**
 * Prints the schema as text for reading and comparing: tables with their columns, then one line for
 * each constraint, index, policy, grant, trigger and function. Functions appear as a digest of
 * their definition; their bodies are in functions/. Partitions are omitted, because they depend on
 * the date.
 */
export async function printSchema(database: Database): Promise<string> {
  const parts = await Promise.all(SECTIONS.map((query) => database.query<{ text: string }>(query)))
  const sections = parts.map((rows) => rows.map(({ text }) => text).join('\n'))
  return `-- Written by \`npm test -- -u\` from the migrated database. Review the changes in the diff.\n\n${sections.join('\n\n')}\n`
}

const OURS = `n.nspname = 'public' and c.relname <> 'migration' and not c.relispartition`

const SECTIONS = [
  `select format(E'create table %s (\\n%s\\n)%s;', c.relname,
     (select string_agg(format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
               case when a.attnotnull then ' not null' else '' end,
               case when a.attidentity <> '' then ' generated always as identity'
                    when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end),
             E',\\n' order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
     coalesce(' ' || pg_get_partkeydef(c.oid), '')) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and ${OURS} order by c.relname`,
  `select format('alter table %s add %s;', c.relname, pg_get_constraintdef(k.oid)) as text
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype in ('p', 'u', 'f', 'c') and k.conparentid = 0 and ${OURS}
    order by c.relname, k.contype, pg_get_constraintdef(k.oid)`,
  `select pg_get_indexdef(i.indexrelid) || ';' as text
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where not i.indisprimary and not i.indisunique and ${OURS}
    order by 1`,
  `select format('create policy %s on %s to %s using (%s);', p.polname, c.relname,
            (select string_agg(r.rolname, ', ') from pg_roles r where r.oid = any (p.polroles)), pg_get_expr(p.polqual, p.polrelid)) as text
     from pg_policy p join pg_class c on c.oid = p.polrelid order by c.relname, p.polname`,
  `select format('grant %s on %s to %s;', string_agg(lower(privilege_type), ', ' order by privilege_type), table_name, grantee) as text
     from information_schema.role_table_grants
    where grantee in ('octavo_app', 'octavo_definer') and table_schema = 'public'
    group by table_name, grantee order by grantee, table_name`,
  `select format('grant %s (%s) on %s to %s;', lower(g.privilege_type), string_agg(a.attname, ', ' order by a.attnum), c.relname, r.rolname) as text
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    cross join lateral aclexplode(a.attacl) g join pg_roles r on r.oid = g.grantee
    where ${OURS} group by r.rolname, c.relname, g.privilege_type order by r.rolname, c.relname, g.privilege_type`,
  `select pg_get_triggerdef(t.oid) || ';' as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and ${OURS} order by c.relname, t.tgname`,
  `select format('-- function %s(%s) returns %s, %s, digest %s', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
            case when not p.prosecdef then 'invoker' when p.proowner = 'octavo_definer'::regrole then 'definer octavo_definer' else 'definer owner' end,
            left(encode(sha256(convert_to(pg_get_functiondef(p.oid), 'UTF8')), 'hex'), 16)) as text
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' order by p.proname, pg_get_function_identity_arguments(p.oid)`,
]
