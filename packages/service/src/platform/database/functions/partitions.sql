-- Creates a partition as a separate table, then attaches it. This takes no lock that readers or
-- writers have to wait for, and there is no default partition that PostgreSQL would have to search
-- for rows of the new one. The function has table names as arguments, so it runs with the
-- privileges of its callers, which are other functions and the owner. All names contain the schema,
-- because new tables would otherwise be created in the first schema of the search path.
create or replace function attach_partition(p_table text, p_name text, p_from text, p_to text)
returns boolean
language plpgsql as $$
declare
  key_column text := (
    select a.attname from pg_partitioned_table t
      join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
     where t.partrelid = format('public.%I', p_table)::regclass);
begin
  if to_regclass(format('public.%I', p_name)) is not null then return false; end if;
  execute format('create table public.%I (like public.%I including all)', p_name, p_table);
  execute format('alter table public.%I add constraint in_range check (%I >= %L and %2$I < %4$L)',
    p_name, key_column, p_from, p_to);
  execute format('alter table public.%I attach partition public.%I for values from (%L) to (%L)',
    p_table, p_name, p_from, p_to);
  execute format('alter table public.%I drop constraint in_range', p_name);
  return true;
end
$$;

-- Creates partitions ahead of time: for the next three months for conversations, their details and
-- daily counts, and for two weeks for questions and hourly counts. Returns their number. The first
-- call also creates one partition for all conversations before the current month.
create or replace function ensure_partitions() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamp := date_trunc('month', now() at time zone 'UTC');
  day timestamp := date_trunc('day', now() at time zone 'UTC') - interval '1 day';
  made integer := 0;
  name text;
begin
  -- One caller at a time.
  perform pg_advisory_xact_lock(lock_class('partitions'), 0);
  if to_regclass('public.conversation_history') is null then
    perform attach_partition('conversation', 'conversation_history', '', ulid_floor(month at time zone 'UTC'));
  end if;
  -- The last hours of yesterday may be reported today.
  made := made + attach_partition('event_day', 'event_day_' || to_char(month - interval '1 month', 'YYYY_MM'),
    (month - interval '1 month')::date::text, month::date::text)::integer;
  for step in 0 .. 3 loop
    foreach name in array array['conversation', 'conversation_detail', 'conversation_feedback'] loop
      made := made + attach_partition(name, name || '_' || to_char(month, 'YYYY_MM'),
        ulid_floor(month at time zone 'UTC'), ulid_floor((month + interval '1 month') at time zone 'UTC'))::integer;
    end loop;
    made := made + attach_partition('event_day', 'event_day_' || to_char(month, 'YYYY_MM'),
      month::date::text, (month + interval '1 month')::date::text)::integer;
    month := month + interval '1 month';
  end loop;
  for step in -1 .. 14 loop
    made := made + attach_partition('question', 'question_' || to_char(day, 'YYYY_MM_DD'),
      ulid_floor(day at time zone 'UTC'), ulid_floor((day + interval '1 day') at time zone 'UTC'))::integer;
    made := made + attach_partition('event_hour', 'event_hour_' || to_char(day, 'YYYY_MM_DD'),
      (day at time zone 'UTC')::text, ((day + interval '1 day') at time zone 'UTC')::text)::integer;
    day := day + interval '1 day';
  end loop;
  return made;
end
$$;

-- Drops partitions whose retention period is over: for questions a week, for conversations the
-- longest period of all projects, and for counts a fixed period. Returns their number. Import
-- receipts are also deleted after a week, so a repeated publish or import returns the same
-- conversation for that long.
create or replace function drop_partitions() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  questions_end text := 'question_' || to_char((now() at time zone 'UTC') - interval '7 days', 'YYYY_MM_DD');
  longest integer := (select coalesce(max(retention_days), 3660) from project);
  conversations_end timestamp := date_trunc('month', (now() at time zone 'UTC') - longest * interval '1 day');
  names text[];
  name text;
begin
  perform pg_advisory_xact_lock(lock_class('partitions'), 0);
  -- All names are read first: a table cannot be dropped while the query that found it is still
  -- running.
  select coalesce(array_agg(c.relname::text), '{}') into names
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where (i.inhparent = 'question'::regclass and c.relname < questions_end
          -- A partition with an accepted question that is not published yet is kept.
          and not exists (select from question t where t.conversation_id is null and t.tableoid = c.oid))
      or (i.inhparent in ('conversation'::regclass, 'conversation_detail'::regclass, 'conversation_feedback'::regclass)
          and c.relname ~ '_\d{4}_\d{2}$' and right(c.relname, 7) < to_char(conversations_end, 'YYYY_MM'))
      or (i.inhparent = 'event_hour'::regclass
          and c.relname < 'event_hour_' || to_char((now() at time zone 'UTC') - interval '30 days', 'YYYY_MM_DD'))
      or (i.inhparent = 'event_day'::regclass
          and c.relname < 'event_day_' || to_char((now() at time zone 'UTC') - interval '25 months', 'YYYY_MM'));
  foreach name in array names loop
    execute format('drop table public.%I', name);
  end loop;
  delete from import_receipt where at < now() - interval '7 days';
  if cardinality(names) > 0 then
    delete from conversation_day d where d.day < conversations_end::date;
    delete from unsorted_question u where u.conversation_id < ulid_floor(conversations_end at time zone 'UTC');
    with gone as (
      delete from gap_conversation m
       where m.conversation_id < ulid_floor(conversations_end at time zone 'UTC') returning m.project_id, m.gap_id
    )
    update gap g set question_count = g.question_count - o.count
      from (select project_id, gap_id, count(*)::integer as count from gone group by 1, 2) o
     where g.project_id = o.project_id and g.id = o.gap_id;
    delete from gap g where not exists (
      select from gap_conversation m where m.project_id = g.project_id and m.gap_id = g.id);
    delete from gap_forecast f where f.at < now() - interval '30 days';
    delete from api_comparison c where c.created_at < now() - interval '1 year';
  end if;
  return cardinality(names);
end
$$;

revoke execute on function attach_partition(text, text, text, text) from public;
revoke execute on function ensure_partitions(), drop_partitions() from public;
grant execute on function ensure_partitions(), drop_partitions() to octavo_app;
