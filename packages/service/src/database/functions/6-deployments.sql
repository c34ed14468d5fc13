-- Accepts a deployment and gives it its number. Sent again with the same key, it gives the same.
create or replace function create_deployment(
  p_root bytea, p_draft boolean, p_branch text, p_message text, p_commit text, p_by text, p_key text
) returns text language plpgsql as $$
declare
  project bigint := current_project();
  new_number bigint;
  new_id text;
begin
  insert into publication (project_id) values (project) on conflict do nothing;
  -- The row is locked until the end, so numbers are given one after the other.
  update publication p set last_number = last_number + 1 where p.project_id = project
    returning last_number into new_number;
  select d.id into new_id from deployment d where d.project_id = project and d.idempotency_key = p_key;
  if new_id is not null then return new_id; end if;
  new_id := make_ulid(now_ms(), (new_number % 1048576)::integer);
  insert into deployment (project_id, id, number, is_draft, branch, message, commit_sha, root, created_by, idempotency_key)
    values (project, new_id, new_number, p_draft, p_branch, p_message, p_commit, p_root, p_by, p_key);
  return new_id;
end
$$;

-- Moves the pointer. Automatically, after a finish: not while the project is locked, and not to a
-- deployment that was accepted before the live one. By hand: only if the live one is the one that
-- the caller has seen. Going back by hand locks, or the next push would undo it.
create or replace function publish_deployment(
  p_id text, p_automatic boolean, p_expected text, out outcome text, out live text
) language plpgsql as $$
declare
  project bigint := current_project();
  pointer publication;
  wanted deployment;
  live_number bigint;
begin
  select * into strict pointer from publication p where p.project_id = project for update;
  live := pointer.deployment_id;
  select * into wanted from deployment d where d.project_id = project and d.id = p_id;
  select d.number into live_number from deployment d where d.project_id = project and d.id = live;
  outcome := case
    when wanted.state is distinct from 'ready' then 'not-ready'
    when live = p_id then 'live'
    when p_automatic and pointer.lock_reason is not null then 'locked'
    when p_automatic and live_number > wanted.number then 'older'
    when not p_automatic and p_expected is distinct from live then 'live-changed'
    else 'published' end;
  if outcome <> 'published' then return; end if;
  update publication p set deployment_id = p_id, changed_at = clock_timestamp(),
      lock_reason = case when live_number > wanted.number then coalesce(p.lock_reason, 'Rolled back to ' || p_id) else p.lock_reason end
   where p.project_id = project;
  update deployment d set published_at = now() where d.project_id = project and d.id = p_id;
  live := p_id;
end
$$;

-- The roots of deployments that were live in the last 30 days: readers who have opened a page of one
-- still get its styles and scripts.
create or replace function earlier_roots(p_project bigint, p_live text) returns bytea[]
language sql stable as $$
  select coalesce(array_agg(e.root), '{}') from (
    select d.root from deployment d
     where d.project_id = p_project and d.id <> p_live and d.published_at > now() - interval '30 days'
     order by d.published_at desc limit 50) e
$$;

-- What a host has to know of a site, by its name; nothing for a name that nobody has.
-- The columns may change from version to version, which is no replacement.
drop function if exists find_site(text);
create function find_site(p_slug text)
returns table (organisation_id bigint, project_id bigint, slug text, protection text, deployment_id text, root bytea, earlier bytea[],
  playground_proxy boolean)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, p.id, p.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id),
      coalesce(p.settings ->> 'playgroundProxy' = 'true', false)
    from project p
    left join publication u on u.project_id = p.id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
   where p.slug = p_slug
$$;

-- The same of all sites whose pointer changed in the last seconds.
drop function if exists find_changed_sites(integer);
create function find_changed_sites(p_seconds integer)
returns table (organisation_id bigint, project_id bigint, slug text, protection text, deployment_id text, root bytea, earlier bytea[],
  playground_proxy boolean)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, p.id, p.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id),
      coalesce(p.settings ->> 'playgroundProxy' = 'true', false)
    from publication u
    join project p on p.id = u.project_id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
   where u.changed_at >= now() - p_seconds * interval '1 second'
$$;

-- Ends uploads that nobody finished within a day, of all projects. Gives how many.
create or replace function expire_uploads() returns integer
language plpgsql security definer set search_path from current as $$
declare
  expired integer;
begin
  update deployment set state = 'expired', finished_at = now()
   where state = 'uploading' and created_at < now() - interval '24 hours';
  get diagnostics expired = row_count;
  return expired;
end
$$;

revoke execute on function expire_uploads() from public;
grant execute on function expire_uploads() to octavo_app;
revoke execute on function find_site(text), find_changed_sites(integer) from public;
grant execute on function find_site(text), find_changed_sites(integer) to octavo_app;
