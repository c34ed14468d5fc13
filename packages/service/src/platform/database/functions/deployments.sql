-- Accepts a deployment and returns its id. A repeated call with the same key returns the same
-- deployment. The deployment of a build has the number of the build, which was assigned when the
-- push was accepted. A build that is restarted continues the same deployment.
create or replace function create_deployment(
  p_root bytea, p_draft boolean, p_branch text, p_message text, p_commit text, p_by text, p_key text,
  p_target text default 'production', p_build text default null
) returns text language plpgsql as $$
declare
  project bigint := current_project();
  new_number bigint;
  new_id text;
begin
  insert into publication (project_id) values (project) on conflict do nothing;
  if p_build is not null then
    select b.number, b.deployment_id into strict new_number, new_id from build b
     where b.project_id = project and b.id = p_build for update;
    -- Another attempt may have built different bytes, since hosted specifications change.
    update deployment d set root = p_root where d.project_id = project and d.id = new_id and d.state = 'uploading';
    if new_id is not null then return new_id; end if;
  else
    -- The row is locked until commit, so numbers are assigned one after the other.
    update publication p set last_number = last_number + 1 where p.project_id = project
      returning last_number into new_number;
  end if;
  select d.id into new_id from deployment d where d.project_id = project and d.idempotency_key = p_key;
  if new_id is not null then return new_id; end if;
  new_id := make_ulid(now_ms(), (new_number % 1048576)::integer);
  insert into deployment (project_id, id, number, is_draft, branch, message, commit_sha, root, created_by, idempotency_key, target)
    values (project, new_id, new_number, p_draft, p_branch, p_message, p_commit, p_root, p_by, p_key, p_target);
  update build b set deployment_id = new_id where b.project_id = project and b.id = p_build;
  return new_id;
end
$$;

-- Finishes or cancels an upload. p_is_compared says whether a job will compare it with the live deployment.
create or replace function end_deployment(
  p_id text, p_state text, p_files integer, p_bytes bigint, p_is_compared boolean
) returns boolean language plpgsql as $$
begin
  update deployment d set state = p_state, finished_at = now(), file_count = p_files, byte_count = p_bytes
   where d.project_id = current_project() and d.id = p_id and d.state = 'uploading';
  if not found then return false; end if;
  insert into api_comparison (project_id, deployment_id, base_id)
    select p.project_id, p_id, p.deployment_id from publication p
     where p.project_id = current_project() and p_is_compared;
  return true;
end
$$;

create or replace function is_suspended() returns boolean language sql stable as $$
  select not is_served(p) from project p
   where p.organization_id = current_organization() and p.id = current_project()
$$;

-- Returns the name of a deployment in the dashboard: its number and the first line of its message.
create or replace function deployment_name(d deployment) returns text language sql immutable as $$
  select rtrim('#' || d.number || ' ' || left(coalesce(split_part(trim(d.message), E'\n', 1), ''), 200))
$$;

-- Makes a deployment live by moving the pointer of the project. An automatic publish after an
-- upload is rejected while the project is locked, or if the deployment was accepted before the live
-- one. A manual publish is rejected if another deployment is live than the caller expected. A
-- manual rollback locks the project, so that the next push does not undo it.
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
  -- The row is locked, so that it is not retired at the same time.
  select * into wanted from deployment d where d.project_id = project and d.id = p_id for update;
  select d.number into live_number from deployment d where d.project_id = project and d.id = live;
  outcome := case
    when wanted.state is distinct from 'ready' then 'not-ready'
    when is_suspended() then 'suspended'
    when live = p_id then 'live'
    when p_automatic and pointer.lock_reason is not null then 'locked'
    when p_automatic and live_number > wanted.number then 'older'
    when not p_automatic and p_expected is distinct from live then 'live-changed'
    else 'published' end;
  if outcome <> 'published' then return; end if;
  update publication p set deployment_id = p_id, changed_at = clock_timestamp(),
      lock_reason = case when live_number > wanted.number then coalesce(p.lock_reason, 'Rolled back to ' || deployment_name(wanted)) else p.lock_reason end
   where p.project_id = project;
  update deployment d set superseded_at = now() where d.project_id = project and d.id = live;
  update deployment d set published_at = now(), superseded_at = null where d.project_id = project and d.id = p_id;
  -- Hosts that listen read the pointer at once; the others find it at their next poll.
  perform pg_notify('octavo_sites', p.slug) from project p where p.id = project;
  perform note_gap_deployment();
  live := p_id;
end
$$;

-- Takes a deployment down for an operator: it is no longer served to readers and cannot be
-- published again.
create or replace function take_down_deployment(p_id text) returns boolean language plpgsql as $$
declare
  project bigint := current_project();
begin
  perform from publication p where p.project_id = project for update;
  update deployment d set state = 'removed', finished_at = coalesce(d.finished_at, now()), collected_at = null,
      superseded_at = case when d.published_at is not null then coalesce(d.superseded_at, now()) end
   where d.project_id = project and d.id = p_id and d.state <> 'removed';
  if not found then return false; end if;
  delete from deployment_vectors v where v.project_id = project and v.deployment_id = p_id;
  update publication p set deployment_id = null where p.project_id = project and p.deployment_id = p_id;
  -- A deployment that was live earlier counts too, since hosts still serve its files.
  update publication p set changed_at = clock_timestamp() where p.project_id = project;
  update preview v set changed_at = clock_timestamp() where v.project_id = project and v.deployment_id = p_id;
  perform pg_notify('octavo_sites', p.slug) from project p where p.id = project;
  return true;
end
$$;

-- Makes the preview of a branch show a finished deployment, but never an earlier one than before. A
-- lock of production does not matter. p_name is the name of the preview if the branch has none yet.
create or replace function publish_preview(p_id text, p_name text, p_days integer, p_max integer) returns text
language plpgsql as $$
declare
  project bigint := current_project();
  wanted deployment;
  shown preview;
  shown_number bigint;
  is_own boolean;
begin
  -- Branches are handled one at a time, so each gets one name.
  perform from publication p where p.project_id = project for update;
  select * into wanted from deployment d where d.project_id = project and d.id = p_id;
  if wanted.state is distinct from 'ready' or wanted.target <> 'preview' then return 'not-ready'; end if;
  if is_suspended() then return 'suspended'; end if;
  select * into shown from preview v
   where v.project_id = project and v.branch = wanted.branch and v.expires_at > now();
  if shown.deployment_id = p_id then return 'live'; end if;
  select d.number into shown_number from deployment d where d.project_id = project and d.id = shown.deployment_id;
  if shown_number > wanted.number then return 'older'; end if;
  -- The deployment of a build has the number of the build. Each push from a fork has to be approved
  -- again.
  is_own := not exists (
    select from build b where b.project_id = project and b.number = wanted.number and b.is_fork);
  if shown.name is null then
    if (select count(*) from preview v where v.project_id = project and v.expires_at > now()) >= p_max then
      return 'too-many';
    end if;
    insert into preview (project_id, name, branch, deployment_id, runs_scripts, expires_at)
      values (project, p_name, wanted.branch, p_id, is_own, now() + p_days * interval '1 day');
  else
    update preview v set deployment_id = p_id, runs_scripts = is_own, changed_at = clock_timestamp(),
        expires_at = now() + p_days * interval '1 day'
     where v.project_id = project and v.name = shown.name;
  end if;
  perform pg_notify('octavo_sites', 'preview/' || coalesce(shown.name, p_name));
  perform note_gap_deployment();
  return 'published';
end
$$;

-- Returns the roots of deployments that were live in the last 30 days. Readers who still have one
-- of their pages open can then load its styles and scripts.
create or replace function earlier_roots(p_project bigint, p_live text) returns bytea[]
language sql stable as $$
  select coalesce(array_agg(e.root), '{}') from (
    select d.root from deployment d
     where d.project_id = p_project and d.id <> p_live and d.state = 'ready'
       and d.superseded_at > now() - interval '30 days'
     group by d.root order by max(d.superseded_at) desc limit 50) e
$$;

-- Returns the roots that the preview of a branch showed in the last day, so that pages that are
-- still open can load their styles and scripts.
create or replace function earlier_preview_roots(p_project bigint, p_branch text, p_shown text) returns bytea[]
language sql stable as $$
  select coalesce(array_agg(e.root), '{}') from (
    select d.root from deployment d
     where d.project_id = p_project and d.target = 'preview' and d.branch = p_branch and d.id <> p_shown
       and d.state = 'ready' and d.finished_at > now() - interval '1 day'
     order by d.number desc limit 10) e
$$;

-- Returns whether the owner allows playgrounds to send requests through the host.
create or replace function allows_proxy(p_settings jsonb) returns boolean language sql immutable as $$
  select coalesce(p_settings ->> 'playgroundProxy' = 'true', false)
$$;

-- Returns the facts that a host needs only for a preview, such as the site that it is compared with
-- and whether scripts of authors run.
create or replace function preview_facts(v preview, p project) returns json language sql stable as $$
  select json_build_object('liveSlug', p.slug, 'branch', v.branch, 'runsScripts', v.runs_scripts, 'number', (
    select d.number from deployment d where d.project_id = v.project_id and d.id = v.deployment_id))
$$;

-- Returns how readers sign in to previews. The owner can choose members, or the same way as for the
-- site. Without a choice, previews of private repositories are for members, and others are like the
-- site. If the Git host has not reported whether the repository is private, a repository with a
-- credential counts as private.
create or replace function preview_protection(p project) returns text language sql stable as $$
  select case
      when a.previews = 'members' then 'members'
      when a.previews = 'site' then p.protection
      when coalesce(c.is_private, c.credential <> 'none') then 'members'
      else p.protection end
    from (select p.id) one
    left join site_access a on a.project_id = one.id
    left join connection c on c.project_id = one.id
$$;

-- Returns whether readers see a notice that the site is archived.
create or replace function is_archived(p project) returns boolean language sql immutable as $$
  select p.archived_at is not null and p.deleted_at is null
$$;

-- Returns the current slug if p_slug is an old one, so that readers are redirected; otherwise null.
create or replace function moved_to(p project, p_slug text) returns text language sql immutable as $$
  select p.slug where p.slug <> p_slug and p.archived_at is null and p.deleted_at is null
$$;

-- Returns the facts that a host needs to serve the site with this name, or no row for an unknown
-- name. The name of a preview is `preview/` and the label of its host. An expired preview is
-- returned without a deployment.
create or replace function find_site(p_slug text)
returns table (organization_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[],
  playground_proxy boolean, preview json, is_archived boolean, moved_to text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id, p.public_id, s.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id), allows_proxy(p.settings), null::json,
         is_archived(p), moved_to(p, s.slug)
    from project_slug s
    join project p on p.id = s.project_id
    left join publication u on u.project_id = p.id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
     and d.state = 'ready' and is_served(p) and p.slug = s.slug
   where s.slug = p_slug
  union all
  select p.organization_id, p.id, p.public_id, p_slug, preview_protection(p), d.id, d.root, earlier_preview_roots(p.id, v.branch, d.id), allows_proxy(p.settings), preview_facts(v, p),
         is_archived(p), null
    from preview v
    join project p on p.id = v.project_id
    left join deployment d on d.project_id = v.project_id and d.id = v.deployment_id and v.expires_at > now()
     and d.state = 'ready' and is_served(p)
   where p_slug like 'preview/%' and v.name = substr(p_slug, 9)
$$;

-- Returns the same facts as find_site for all sites and previews that changed in the last
-- p_seconds.
create or replace function find_changed_sites(p_seconds integer)
returns table (organization_id bigint, project_id bigint, public_id text, slug text, protection text, deployment_id text, root bytea, earlier bytea[],
  playground_proxy boolean, preview json, is_archived boolean, moved_to text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id, p.public_id, s.slug, p.protection, d.id, d.root, earlier_roots(p.id, d.id), allows_proxy(p.settings), null::json,
         is_archived(p), moved_to(p, s.slug)
    from publication u
    join project p on p.id = u.project_id
    join project_slug s on s.project_id = p.id
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
     and d.state = 'ready' and is_served(p) and p.slug = s.slug
   where u.changed_at >= now() - p_seconds * interval '1 second'
  union all
  select p.organization_id, p.id, p.public_id, 'preview/' || v.name, preview_protection(p), d.id, d.root, earlier_preview_roots(p.id, v.branch, d.id), allows_proxy(p.settings), preview_facts(v, p),
         is_archived(p), null
    from preview v
    join project p on p.id = v.project_id
    left join deployment d on d.project_id = v.project_id and d.id = v.deployment_id and v.expires_at > now()
     and d.state = 'ready' and is_served(p)
   where v.changed_at >= now() - p_seconds * interval '1 second'
      or v.expires_at between now() - p_seconds * interval '1 second' and now()
$$;

-- Deletes the previews of all projects that expired more than an hour ago, when all hosts have
-- noticed the expiry. Returns their number.
create or replace function expire_previews() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  expired integer;
begin
  delete from preview where expires_at < now() - interval '1 hour';
  get diagnostics expired = row_count;
  return expired;
end
$$;
revoke execute on function expire_previews() from public;
grant execute on function expire_previews() to octavo_app;

-- Ends the uploads of all projects that were not finished within a day. Returns their number.
create or replace function expire_uploads() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
