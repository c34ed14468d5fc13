-- The lifecycle of projects: announcing changes to hosts, transfer, and deletion in batches.

-- Makes hosts read the facts of the site and its previews again, for all names that they have.
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

-- Ends the waiting builds of the project, and asks its running builds to stop.
create or replace function stop_builds(p_reason text) returns void language sql as $$
  update build b set state = 'cancelled', finished_at = now(), reason = p_reason
   where b.project_id = current_project() and b.state = 'queued';
  update build b set is_cancel_requested = true, reason = coalesce(b.reason, p_reason)
   where b.project_id = current_project() and b.state in ('fetching', 'building');
$$;

-- Counts the contents of a project for the page that shows what a deletion will destroy.
-- Conversations are counted from the totals of each day.
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

-- Adds uploaded bytes to the storage usage of the organization. Bytes count for the current
-- organization of the project, even if the uploading process does not know about a transfer yet.
create or replace function count_added_storage() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into storage_usage as u (organization_id, bytes)
    select p.organization_id, sum(a.size) from added a join project p on p.id = a.project_id group by 1
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes;
  return null;
end
$$;
create or replace function count_removed_storage() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update storage_usage u set bytes = u.bytes - r.bytes
    from (select p.organization_id, sum(g.size) as bytes
            from gone g join project p on p.id = g.project_id group by 1) r
   where u.organization_id = r.organization_id;
  return null;
end
$$;
revoke execute on function count_added_storage(), count_removed_storage() from public;
create or replace trigger storage_added after insert on project_blob
  referencing new table as added for each statement execute function count_added_storage();
create or replace trigger storage_removed after delete on project_blob
  referencing old table as gone for each statement execute function count_removed_storage();

-- Stores every slug that a project has had. It runs as octavo_definer, because whether a slug is
-- taken depends on all projects.
create or replace function keep_slug() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into project_slug (project_id, slug) values (new.id, new.slug) on conflict (slug) do nothing;
  if not exists (select from project_slug s where s.project_id = new.id and s.slug = new.slug) then
    raise unique_violation using message = 'the slug was taken before', constraint = 'project_slug_slug_key';
  end if;
  return null;
end
$$;
revoke execute on function keep_slug() from public;
create or replace trigger slug_kept after insert or update of slug on project for each row execute function keep_slug();

-- Returns how long a deletion can be undone.
create or replace function deletion_grace() returns interval language sql immutable as $$ select interval '7 days' $$;

-- Returns whether a person is an owner of the whole organization. Only definer functions call this
-- function.
create or replace function owns_organization(p_user bigint, p_organization bigint) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
     where m.organization_id = p_organization and m.user_id = p_user and m.project_id is null and m.role = 'owner')
$$;

-- Deletes the project if the person is an owner of its organization; a role in the project is not
-- enough. The service cannot set `deleted_at` in any other way. Returns when the rows will be
-- erased, or why the project cannot be deleted.
create or replace function delete_project(p_user bigint, out refusal text, out erased_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not owns_organization(p_user, current_organization()) then refusal := 'not-owner'; return; end if;
  update project p set deleted_at = now()
   where p.organization_id = current_organization() and p.id = current_project() and p.deleted_at is null
  returning p.deleted_at + deletion_grace() into erased_at;
  if erased_at is null then refusal := 'not-found'; end if;
end
$$;

-- Transfers the project, with its contents and its audit log, to another organization. The person
-- must be an owner of both. Roles in this project and invitations to it end. The function runs as
-- octavo_definer, because other transactions cannot see two organizations. Returns null, or the
-- reason why the transfer is rejected.
create or replace function transfer_project(p_user bigint, p_to bigint) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  project bigint := current_project();
  old_organization bigint := current_organization();
  moved bigint;
begin
  -- Earlier uploads are counted already, and later ones count for the new organization.
  perform pg_advisory_xact_lock(lock_class('collection'), 0);
  perform from organization o where o.id in (old_organization, p_to) order by o.id for update;
  perform from project p where p.organization_id = old_organization and p.id = project for update;
  if not found then return 'not-found'; end if;
  if not (owns_organization(p_user, old_organization) and owns_organization(p_user, p_to)) then return 'not-owner'; end if;
  select coalesce(sum(b.size), 0) into moved from project_blob b where b.project_id = project;
  if exists (
    select from organization o left join storage_usage u on u.organization_id = o.id
     where o.id = p_to and coalesce(u.bytes, 0) + moved > o.storage_bytes_max)
  then return 'storage'; end if;
  delete from membership m where m.organization_id = old_organization and m.project_id = project;
  delete from invitation i where i.organization_id = old_organization and i.project_id = project;
  update audit_event e set organization_id = p_to where e.organization_id = old_organization and e.project_id = project;
  update project p set organization_id = p_to where p.organization_id = old_organization and p.id = project;
  update storage_usage u set bytes = u.bytes - moved where u.organization_id = old_organization;
  insert into storage_usage as u (organization_id, bytes) values (p_to, moved)
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes;
  -- Waiting jobs continue in the new organization.
  update jobs.job j set data = j.data || jsonb_build_object('organizationId', p_to::text), group_id = p_to::text
   where j.singleton_key = project::text and j.data ->> 'organizationId' = old_organization::text
     and j.state in ('created', 'retry', 'active');
  return null;
end
$$;

-- Returns deleted projects whose rows can be erased now.
create or replace function find_erasable_projects(p_limit integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.id from project p where p.deleted_at < now() - deletion_grace() order by p.deleted_at limit p_limit
$$;

-- Returns the tables with rows of projects and their primary keys. Tables that refer to other
-- tables come first, so that deleting rows does not cascade. The list is read from the catalog, so
-- that it includes new tables.
create or replace function project_tables()
returns table (name text, key_columns text, has_organization boolean)
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
         exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'organization_id' and not a.attisdropped)
    from tenant_table t
   order by (select max(p.depth) from place p where p.oid = t.oid) desc, t.relname
$$;

-- Erases up to p_limit rows of a project that was deleted long enough ago, and the row of the
-- project last. Returns true if it has to be called again. Each call is a short transaction.
create or replace function erase_project(p_project bigint, p_limit integer) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
        case when one.has_organization then 'and organization_id = $3' else 'order by ' || one.key_columns end)
      using p_project, p_limit, erased.organization_id;
    get diagnostics removed = row_count;
    if removed > 0 then return true; end if;
  end loop;
  delete from jobs.job j where j.singleton_key = p_project::text;
  insert into audit_event (organization_id, actor, action, object, before)
    values (erased.organization_id, 'service', 'project.erase', erased.public_id,
            jsonb_build_object('name', erased.name, 'slug', erased.slug));
  delete from project p where p.id = p_project;
  return false;
end
$$;

-- Erases organizations that were deleted long enough ago and have no projects left. Returns their
-- number.
create or replace function erase_organizations() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  erased integer;
begin
  delete from organization o
   where o.deleted_at < now() - deletion_grace()
     and not exists (select from project p where p.organization_id = o.id);
  get diagnostics erased = row_count;
  return erased;
end
$$;

revoke execute on function owns_organization(bigint, bigint) from public;
grant execute on function owns_organization(bigint, bigint) to octavo_definer;
revoke execute on function delete_project(bigint), transfer_project(bigint, bigint), find_erasable_projects(integer),
  erase_project(bigint, integer), erase_organizations() from public;
grant execute on function delete_project(bigint), transfer_project(bigint, bigint), find_erasable_projects(integer),
  erase_project(bigint, integer), erase_organizations() to octavo_app;
