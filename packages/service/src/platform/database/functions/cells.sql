-- Moving projects between cells: functions for the cell that a project leaves and for the cell that
-- it moves to.

-- Creates missing partitions for imported rows of the given days. Partitions are missing if this
-- cell is newer than the other cell, or if its longest retention is shorter.
create or replace function make_partitions_for(p_table text, p_days date[]) returns integer
language plpgsql as $$
declare
  step interval := case when p_table in ('question', 'event_hour') then interval '1 day' else interval '1 month' end;
  -- Older conversations are in one partition.
  history_end text := (
    select (regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$TO \('([^']*)'\)$re$))[1]
      from pg_class c where c.oid = to_regclass('conversation_history') and p_table = 'conversation');
  start timestamp;
  made integer := 0;
  bounds text[];
begin
  perform pg_advisory_xact_lock(lock_class('partitions'), 0);
  for start in
    select distinct date_trunc(case step when interval '1 day' then 'day' else 'month' end, d::timestamp)
      from unnest(p_days) d order by 1
  loop
    bounds := case p_table
      when 'event_day' then array[start::date::text, (start + step)::date::text]
      when 'event_hour' then array[(start at time zone 'UTC')::text, ((start + step) at time zone 'UTC')::text]
      else array[ulid_floor(start at time zone 'UTC'), ulid_floor((start + step) at time zone 'UTC')] end;
    continue when bounds[1] < history_end;
    made := made + attach_partition(p_table,
      p_table || '_' || to_char(start, case step when interval '1 day' then 'YYYY_MM_DD' else 'YYYY_MM' end),
      bounds[1], bounds[2])::integer;
  end loop;
  return made;
end
$$;
revoke execute on function make_partitions_for(text, date[]) from public;

-- Rejects writes to a project that is being moved. Writers hold a shared lock until they commit,
-- and the move waits for earlier writers, so the export after it contains everything that was
-- written. Writes that are bound to no tenant continue, such as reader counts and cleanup.
create or replace function refuse_moving() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  project bigint := current_project();
begin
  if project is null then return null; end if;
  perform pg_advisory_xact_lock_shared(lock_class('move'), lock_key(project));
  if exists (select from project p where p.id = project and p.moving_since is not null) then
    raise exception 'the project is being moved to another cell' using errcode = 'OCM01';
  end if;
  return null;
end
$$;
revoke execute on function refuse_moving() from public;

-- Returns the tables that must reject writes to a moving project, and whether their trigger is
-- enabled. These are all tables with rows of projects, except the fence of exports and the sessions
-- of readers, because reads write to them. The trigger is enabled only during a move, because a
-- small write takes three times as long with it.
create or replace function moving_tables() returns table (name text, is_guarded boolean)
language sql stable as $$
  select t.name, exists (
      select from pg_trigger g
       where g.tgrelid = format('public.%I', t.name)::regclass and g.tgname = 'refuse_moving' and g.tgenabled = 'O')
    from (select p.name from project_tables() p union all select 'project') t
   where t.name not in ('conversation_sequence', 'reader_session')
$$;

-- Enables or disables the trigger of one table, in a separate transaction. The call waits for
-- writers of the table, and other writers wait behind it, so it soon times out. It fails at once if
-- a transaction has been writing for a long time, such as an import.
create or replace function set_moving_guard(p_table text, p_is_on boolean) returns void
language plpgsql set lock_timeout = '1500ms' as $$
declare
  guarded regclass := format('public.%I', p_table)::regclass;
begin
  if exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.relation = guarded and a.datname = current_database() and l.mode = 'RowExclusiveLock'
       and a.xact_start < clock_timestamp() - interval '1 second')
  then
    raise lock_not_available using message = format('a transaction has been writing to %s for more than a second', p_table);
  end if;
  if not p_is_on then
    -- A move that begins meanwhile waits for this lock, so it sees the trigger that is set here.
    perform pg_advisory_xact_lock(lock_class('move guard'), 0);
    if exists (select from project p where p.moving_since is not null and p.deleted_at is null) then return; end if;
    execute format('alter table %s disable trigger refuse_moving', guarded);
  elsif exists (select from pg_trigger g where g.tgrelid = guarded and g.tgname = 'refuse_moving') then
    execute format('alter table %s enable trigger refuse_moving', guarded);
  else
    execute format('create trigger refuse_moving before insert or update or delete on %s
      for each statement execute function refuse_moving()', guarded);
  end if;
end
$$;
revoke execute on function set_moving_guard(text, boolean) from public;

-- Makes the project read-only after the triggers of all tables are enabled. Returns the time at
-- which it became read-only, or null if the project does not exist.
create or replace function begin_move(p_project bigint) returns timestamptz
language plpgsql set lock_timeout = '1s' as $$
begin
  perform pg_advisory_xact_lock(lock_class('move guard'), 0);
  if exists (select from moving_tables() t where not t.is_guarded) then
    raise lock_not_available using message = 'a table is not guarded yet';
  end if;
  -- Other writers wait for as long as this call does, so it soon gives up.
  perform pg_advisory_xact_lock(lock_class('move'), lock_key(p_project));
  update project p set moving_since = coalesce(p.moving_since, clock_timestamp())
   where p.id = p_project and p.deleted_at is null;
  return (select p.moving_since from project p where p.id = p_project and p.deleted_at is null);
end
$$;

-- Ends a move after the project has arrived in the other cell: marks the project as deleted in this
-- cell, so that its rows are erased 7 days later. Returns whether the project was moving.
create or replace function end_move(p_project bigint) returns boolean
language plpgsql as $$
begin
  update project p set deleted_at = clock_timestamp()
   where p.id = p_project and p.moving_since is not null and p.deleted_at is null;
  if not found then return false; end if;
  perform tell_hosts(p_project);
  return true;
end
$$;

-- Cancels a move, so that the project stays in this cell. Returns whether the project was moving.
create or replace function cancel_move(p_project bigint) returns boolean
language plpgsql as $$
begin
  update project p set moving_since = null, deleted_at = null
   where p.id = p_project and p.moving_since is not null
     and (p.deleted_at is null or p.deleted_at > now() - deletion_grace());
  if not found then return false; end if;
  perform tell_hosts(p_project);
  return true;
end
$$;

create or replace function tell_hosts(p_project bigint) returns void language sql as $$
  update publication p set changed_at = clock_timestamp() where p.project_id = p_project;
  update preview v set changed_at = clock_timestamp() where v.project_id = p_project;
  select pg_notify('octavo_sites', s.slug) from project_slug s where s.project_id = p_project;
  select pg_notify('octavo_sites', 'preview/' || v.name) from preview v where v.project_id = p_project;
$$;
revoke execute on function begin_move(bigint), end_move(bigint), cancel_move(bigint), tell_hosts(bigint) from public;
