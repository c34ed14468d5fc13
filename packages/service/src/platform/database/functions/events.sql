-- Analytics. Hosts report the counts of many projects at once, so functions that store them run as
-- octavo_definer. Functions for owners run with the privileges of the service.

-- Returns how many subjects (paths, search queries and so on) are counted separately per hour and
-- kind of event. Further subjects are counted as `(other)`.
create or replace function event_subjects_max() returns integer language sql immutable as $$ select 1000 $$;

-- Adds a batch of counts. Returns false if the batch was added before. If there are too many
-- subjects, the least frequent ones are merged into `(other)`.
create or replace function store_events(
  p_host uuid, p_sequence bigint, p_projects bigint[], p_hours timestamptz[], p_events text[], p_subjects text[],
  p_details text[], p_counts bigint[]
) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into event_batch as b (host, sequence) values (p_host, p_sequence)
    on conflict (host) do update set sequence = excluded.sequence, at = now() where b.sequence < excluded.sequence;
  if not found then return false; end if;
  with told as materialized (
    select p.id as project_id, u.event, u.subject, u.detail, u.count,
           -- Partitions exist only for the last days.
           date_trunc('hour', case when u.hour between now() - interval '1 day' and now() + interval '1 hour'
                                   then u.hour else now() end, 'UTC') as hour
      from unnest(p_projects, p_hours, p_events, p_subjects, p_details, p_counts)
           as u (project_id, hour, event, subject, detail, count)
      join project p on p.id = u.project_id and p.deleted_at is null),
  fresh as (
    select t.project_id, t.event, t.hour, t.subject, sum(t.count) as count from told t
     where not exists (select from event_hour h where h.project_id = t.project_id and h.event = t.event
                          and h.hour = t.hour and h.subject = t.subject)
     group by 1, 2, 3, 4),
  known as (
    select f.project_id, f.event, f.hour,
           (select count(distinct h.subject) from event_hour h
             where h.project_id = f.project_id and h.event = f.event and h.hour = f.hour) as count
      from (select distinct project_id, event, hour from fresh) f),
  surplus as (
    select project_id, event, hour, subject from (
      select f.*, k.count + row_number() over (
               partition by f.project_id, f.event, f.hour order by f.count desc, f.subject) as place
        from fresh f join known k using (project_id, event, hour)) ranked
     where place > event_subjects_max()),
  counted as (
    select t.project_id, t.event, t.hour, case when s.subject is null then t.subject else '(other)' end as subject,
           t.detail, sum(t.count)::bigint as count
      from told t left join surplus s using (project_id, event, hour, subject)
     group by 1, 2, 3, 4, 5),
  hours as (
    insert into event_hour as h (project_id, event, hour, subject, detail, count)
      select c.* from counted c order by 1, 2, 3, 4, 5
      on conflict (project_id, event, hour, subject, detail) do update set count = h.count + excluded.count)
  insert into event_day as d (project_id, event, day, subject, detail, count, last_at)
    select c.project_id, c.event, (c.hour at time zone 'UTC')::date, c.subject, c.detail, sum(c.count), now()
      from counted c group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (project_id, event, day, subject, detail)
      do update set count = d.count + excluded.count, last_at = excluded.last_at;
  return true;
end
$$;

-- Returns the salt for hashing visitors, which is the same for all hosts, or null if the day is
-- neither today nor tomorrow.
create or replace function visitor_salt(p_day date) returns bytea
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_day not between (now() at time zone 'UTC')::date and (now() at time zone 'UTC')::date + 1 then return null; end if;
  insert into visitor_salt (day, salt)
    values (p_day, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) on conflict do nothing;
  return (select s.salt from visitor_salt s where s.day = p_day);
end
$$;

create or replace function smallest_hashes(p_hashes bigint[]) returns bigint[] language sql immutable as $$
  select coalesce(array_agg(h order by h), '{}') from (select distinct h from unnest(p_hashes) h order by h limit 512) s
$$;

-- Returns the number of visitors. Up to 511 it is exact. Above that, it is estimated with an error
-- of 5 % from a sample of the hashes, which are evenly distributed from 0 to 2^48.
create or replace function count_visitors(p_hashes bigint[]) returns bigint language sql immutable as $$
  select case when cardinality(p_hashes) < 512 then cardinality(p_hashes)::bigint
              else round(511 / (p_hashes[512] / 281474976710656::float8))::bigint end
$$;

-- Adds visitors to the sets of the day. A visitor may be reported more than once, and a set that
-- does not change is not written.
create or replace function store_visitors(
  p_projects bigint[], p_days date[], p_subjects text[], p_details text[], p_hashes bigint[]
) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with told as (
    select p.id as project_id, u.day, u.subject, u.detail, smallest_hashes(array_agg(u.hash)) as hashes
      from unnest(p_projects, p_days, p_subjects, p_details, p_hashes) as u (project_id, day, subject, detail, hash)
      join project p on p.id = u.project_id and p.deleted_at is null
      join visitor_salt s on s.day = u.day
     group by 1, 2, 3, 4),
  grown as (
    insert into visitor_set as v (project_id, day, subject, detail, hashes)
      select t.* from told t order by 1, 2, 3, 4
      on conflict (project_id, day, subject, detail) do update set hashes = smallest_hashes(v.hashes || excluded.hashes)
        where exists (select from unnest(excluded.hashes) h
                       where h <> all (v.hashes) and (cardinality(v.hashes) < 512 or h < v.hashes[512]))
      returning v.*)
  insert into event_day as d (project_id, event, day, subject, detail, count, last_at)
    select g.project_id, 'visitor', g.day, g.subject, g.detail, count_visitors(g.hashes), now() from grown g
     order by 1, 3, 4, 5
    on conflict (project_id, event, day, subject, detail)
      do update set count = greatest(d.count, excluded.count), last_at = excluded.last_at
$$;

-- Deletes the data with which visitors of earlier days could be recognized, but keeps their number.
-- Hosts can report visitors of yesterday for one more hour. Returns the number of deleted sets.
create or replace function forget_visitors() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date := (now() - interval '1 hour') at time zone 'UTC';
  forgotten integer;
begin
  delete from visitor_salt s where s.day < today;
  delete from visitor_set v where v.day < today;
  get diagnostics forgotten = row_count;
  delete from event_batch b where b.at < now() - interval '7 days';
  return forgotten;
end
$$;

-- Adds a reader's feedback on a page. The reader can correct it within an hour. Returns its id.
create or replace function add_feedback(
  p_key uuid, p_source text, p_path text, p_helpful boolean, p_comment text, p_contact text, p_code text,
  p_filename text, p_lang text
) returns text language sql volatile as $$
  insert into feedback as f (project_id, id, key, source, path, helpful, comment, contact, code, filename, lang)
    values (current_project(), make_ulid(now_ms(), 0), p_key, p_source, p_path, p_helpful, p_comment, p_contact, p_code,
            p_filename, p_lang)
    on conflict (project_id, key) do update
      set source = excluded.source, helpful = excluded.helpful, comment = excluded.comment, contact = excluded.contact
      where f.created_at > now() - interval '1 hour' and f.path = excluded.path
    returning f.id
$$;

revoke execute on function
  store_events(uuid, bigint, bigint[], timestamptz[], text[], text[], text[], bigint[]), visitor_salt(date),
  store_visitors(bigint[], date[], text[], text[], bigint[]), forget_visitors() from public;
grant execute on function
  store_events(uuid, bigint, bigint[], timestamptz[], text[], text[], text[], bigint[]), visitor_salt(date),
  store_visitors(bigint[], date[], text[], text[], bigint[]), forget_visitors() to octavo_app;
