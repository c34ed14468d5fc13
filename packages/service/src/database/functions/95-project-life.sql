-- The life of projects: what changes for readers at once, transfer, and deletion in batches.

-- Hosts read again what they know of the site, under all of its names, and of its previews.
create or replace function announce_project() returns void language plpgsql as $$
declare
  project bigint := current_project();
begin
  insert into publication as p (project_id) values (project)
    on conflict (project_id) do update set changed_at = clock_timestamp();
  update preview v set changed_at = clock_timestamp() where v.project_id = project;
  perform pg_notify('octavo_sites', s.slug) from project_slug s where s.project_id = project;
  perform pg_notify('octavo_sites', 'preview/' || v.name) from preview v where v.project_id = project;
end
$$;

-- Builds that wait end, and those that run are asked to stop.
create or replace function stop_builds(p_reason text) returns void language sql as $$
  update build b set state = 'cancelled', finished_at = now(), reason = p_reason
   where b.project_id = current_project() and b.state = 'queued';
  update build b set wants_cancel = true, reason = coalesce(b.reason, p_reason)
   where b.project_id = current_project() and b.state in ('fetching', 'building');
$$;

-- What a project has, for the page that says what a deletion destroys. Conversations are counted by the day.
create or replace function count_contents(
  out deployments bigint, out conversations bigint, out keys bigint, out previews bigint, out gaps bigint,
  out bytes bigint
) language sql stable as $$
  select (select count(*) from deployment d where d.project_id = current_project()),
         (select coalesce(sum(c.answered + c.unanswered), 0) from conversation_day c where c.project_id = current_project()),
         (select count(*) from api_key k where k.project_id = current_project()
             and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
         (select count(*) from preview v where v.project_id = current_project() and v.expires_at > now()),
         (select count(*) from gap g where g.project_id = current_project()),
         (select coalesce(sum(b.size), 0)::bigint from project_blob b where b.project_id = current_project())
$$;

-- The bytes of an organisation are counted for the one that the project is in now, also by a process that has not
-- heard of a transfer yet.
create or replace function count_added_storage() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into storage_usage as u (organisation_id, bytes)
    select p.organisation_id, sum(a.size) from added a join project p on p.id = a.project_id group by 1
    on conflict (organisation_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$$;
create or replace function count_removed_storage() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update storage_usage u set bytes = u.bytes - r.bytes
    from (select p.organisation_id, sum(g.size) as bytes
            from gone g join project p on p.id = g.project_id group by 1) r
   where u.organisation_id = r.organisation_id;
  return null;
end
$$;
revoke execute on function count_added_storage(), count_removed_storage() from public;

-- Moves the project to another organisation that the person owns, with all that it has and its audit log. Roles
-- and invitations of the old organisation for this project end. With the rights of the owner, since no
-- transaction sees two organisations. Gives nothing, or why it cannot be done.
create or replace function transfer_project(p_user bigint, p_to bigint) returns text
language plpgsql security definer set search_path from current as $$
declare
  project bigint := current_project();
  old_organisation bigint := current_organisation();
  moved bigint;
begin
  -- Uploads of a moment ago are counted, and those of the next moment count for the new organisation.
  perform pg_advisory_xact_lock(collection_lock());
  perform from organisation o where o.id in (old_organisation, p_to) order by o.id for update;
  perform from project p where p.organisation_id = old_organisation and p.id = project for update;
  if not found then return 'not-found'; end if;
  if not exists (
    select from membership m join organisation o on o.id = m.organisation_id and o.deleted_at is null
     where m.organisation_id = p_to and m.user_id = p_user and m.project_id is null and m.role = 'owner')
  then return 'not-owner'; end if;
  select coalesce(sum(b.size), 0) into moved from project_blob b where b.project_id = project;
  if exists (
    select from organisation o left join storage_usage u on u.organisation_id = o.id
     where o.id = p_to and coalesce(u.bytes, 0) + moved > o.storage_bytes_max)
  then return 'storage'; end if;
  delete from membership m where m.organisation_id = old_organisation and m.project_id = project;
  delete from invitation i where i.organisation_id = old_organisation and i.project_id = project;
  update audit_event e set organisation_id = p_to where e.organisation_id = old_organisation and e.project_id = project;
  update project p set organisation_id = p_to where p.organisation_id = old_organisation and p.id = project;
  update storage_usage u set bytes = u.bytes - moved where u.organisation_id = old_organisation;
  insert into storage_usage as u (organisation_id, bytes) values (p_to, moved)
    on conflict (organisation_id) do update set bytes = u.bytes + excluded.bytes;
  -- Jobs that wait go on in the new organisation.
  update jobs.job j set data = j.data || jsonb_build_object('organisationId', p_to::text), group_id = p_to::text
   where j.singleton_key = project::text and j.data ->> 'organisationId' = old_organisation::text
     and j.state in ('created', 'retry', 'active');
  return null;
end
$$;

-- For how long a deletion can be taken back.
create or replace function deletion_grace() returns interval language sql immutable as $$ select interval '7 days' $$;

-- Projects whose rows are to be removed now.
create or replace function find_erasable_projects(p_limit integer) returns setof bigint
language sql stable security definer set search_path from current as $$
  select p.id from project p where p.deleted_at < now() - deletion_grace() order by p.deleted_at limit p_limit
$$;

-- Tables with rows of projects and their primary keys, those first that refer to others: then no deletion
-- takes rows of another table with it. From the catalog, so that a new table is among them.
create or replace function project_tables()
returns table (name text, key_columns text, has_organisation boolean)
language sql stable as $$
  with recursive tenant_table as (
    select c.oid, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition),
  place as (
    select t.oid, 0 as depth from tenant_table t
    union all
    select k.conrelid, p.depth + 1
      from place p join pg_constraint k on k.confrelid = p.oid and k.contype = 'f' and k.conrelid <> k.confrelid
      join tenant_table t on t.oid = k.conrelid
     where p.depth < 20)
  select t.relname::text,
         (select string_agg(format('%I', a.attname), ', ' order by array_position(i.indkey::int2[], a.attnum))
            from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
           where i.indrelid = t.oid and i.indisprimary),
         exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'organisation_id' and not a.attisdropped)
    from tenant_table t
   order by (select max(p.depth) from place p where p.oid = t.oid) desc, t.relname
$$;

-- Removes some rows of a project that was deleted long enough ago, then its row. Gives true while there is more to
-- do. Each call is a short transaction, and repeating one does no harm.
create or replace function erase_project(p_project bigint, p_limit integer) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  erased project;
  one record;
  removed integer;
begin
  select * into erased from project p
   where p.id = p_project and p.deleted_at < now() - deletion_grace() for update;
  if erased.id is null then return false; end if;
  for one in select * from project_tables() loop
    execute format('delete from %1$I where (%2$s) in (select %2$s from %1$I where project_id = $1 %3$s limit $2)',
        one.name, one.key_columns,
        case when one.has_organisation then 'and organisation_id = $3' else 'order by ' || one.key_columns end)
      using p_project, p_limit, erased.organisation_id;
    get diagnostics removed = row_count;
    if removed > 0 then return true; end if;
  end loop;
  delete from jobs.job j where j.singleton_key = p_project::text;
  insert into audit_event (organisation_id, actor, action, object, before)
    values (erased.organisation_id, 'service', 'project.erase', erased.public_id,
            jsonb_build_object('name', erased.name, 'slug', erased.slug));
  delete from project p where p.id = p_project;
  return false;
end
$$;

-- Removes organisations that were deleted long enough ago and whose projects are gone. Gives how many.
create or replace function erase_organisations() returns integer
language plpgsql security definer set search_path from current as $$
declare
  erased integer;
begin
  delete from organisation o
   where o.deleted_at < now() - deletion_grace()
     and not exists (select from project p where p.organisation_id = o.id);
  get diagnostics erased = row_count;
  return erased;
end
$$;

revoke execute on function transfer_project(bigint, bigint), find_erasable_projects(integer),
  erase_project(bigint, integer), erase_organisations() from public;
grant execute on function transfer_project(bigint, bigint), find_erasable_projects(integer),
  erase_project(bigint, integer), erase_organisations() to octavo_app;
