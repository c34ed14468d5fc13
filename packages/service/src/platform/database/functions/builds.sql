-- Returns the project that a webhook id belongs to.
create or replace function find_webhook(p_webhook_id text)
returns table (organization_id bigint, project_id bigint, is_archived boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, c.project_id, p.archived_at is not null
    from connection c join project p on p.id = c.project_id
   where c.webhook_id = p_webhook_id and p.deleted_at is null
$$;

-- Returns the time until a repository is checked again: about five minutes, and longer after
-- failures, up to about an hour. The random part spreads the checks of connections that were
-- created together.
create or replace function check_pause(p_failures integer) returns interval language sql volatile as $$
  select least(interval '5 minutes' * 2 ^ least(p_failures, 10), interval '1 hour') * (0.8 + 0.4 * random())
$$;

-- Returns connections whose repository is due for a check, and schedules their next check. So a
-- repository is checked again even if the job is lost.
create or replace function take_due_checks(p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with due as (
    select c.project_id, p.organization_id
      from connection c join project p on p.id = c.project_id
     where c.next_check_at <= now() and is_served(p) and p.moving_since is null
     order by c.next_check_at limit p_limit
     for update of c skip locked)
  update connection c set next_check_at = now() + check_pause(c.check_failures)
    from due where c.project_id = due.project_id
  returning due.organization_id, c.project_id
$$;

-- Deletes webhook deliveries that are older than 30 days. Returns their number.
create or replace function forget_webhook_deliveries() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from webhook_delivery where received_at < now() - interval '30 days';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke execute on function find_webhook(text), take_due_checks(integer), forget_webhook_deliveries() from public;
grant execute on function find_webhook(text), take_due_checks(integer), forget_webhook_deliveries() to octavo_app;

-- Returns projects with builds whose newest state was not reported to the Git host for more than a
-- minute, because the job was lost. States older than a day are no longer reported.
create or replace function find_unreported_projects(p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id
    from project p
   where p.moving_since is null and exists (
     select from build b
      where b.project_id = p.id and b.state is distinct from b.reported_state
        and greatest(b.created_at, b.started_at, b.finished_at)
            between now() - interval '1 day' and now() - interval '1 minute')
   order by p.id limit p_limit
$$;
revoke execute on function find_unreported_projects(integer) from public;
grant execute on function find_unreported_projects(integer) to octavo_app;

-- Returns the projects that are connected through an installation of the GitHub App.
create or replace function find_installed_projects(p_installation bigint)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id
    from connection c join project p on p.id = c.project_id
   where c.installation_id = p_installation and c.credential = 'github-app'
     and p.archived_at is null and p.deleted_at is null
   order by p.id
$$;
revoke execute on function find_installed_projects(bigint) from public;
grant execute on function find_installed_projects(bigint) to octavo_app;

-- Accepts a push: creates a build with the next number of the project. Older builds of the same ref
-- are superseded if they are waiting, and asked to stop if they are running but not yet uploading.
-- If a webhook or a check reports a commit for which a build is already open, that build is
-- returned instead. Returns the id, whether the build is new, and the ids of superseded builds.
create or replace function accept_build(
  p_target text, p_ref text, p_commit text, p_pull_request integer, p_fork boolean, p_trigger text,
  out id text, out is_new boolean, out superseded text[]
) language plpgsql as $$
declare
  project bigint := current_project();
  new_number bigint;
begin
  insert into publication (project_id) values (project) on conflict do nothing;
  -- The row is locked until commit, so builds and deployments are numbered one after the other.
  perform from publication p where p.project_id = project for update;
  superseded := '{}';
  is_new := false;
  if p_trigger in ('webhook', 'check') then
    select b.id into id from build b
     where b.project_id = project and b.ref = p_ref and b.commit_sha = p_commit and b.target = p_target
       and b.state in ('queued', 'fetching', 'building', 'uploading') and not b.is_cancel_requested
     order by b.number desc limit 1;
    if id is not null then return; end if;
  end if;
  update publication p set last_number = last_number + 1 where p.project_id = project returning last_number into new_number;
  is_new := true;
  id := make_ulid(now_ms(), (new_number % 1048576)::integer);
  with older as (
    update build b set state = 'superseded', finished_at = now(),
        reason = 'Superseded by build ' || new_number || ' of ' || left(p_commit, 7) || '.'
     where b.project_id = project and b.ref = p_ref and b.target = p_target and b.state = 'queued'
    returning b.id)
  select coalesce(array_agg(o.id), '{}') into superseded from older o;
  update build b set is_cancel_requested = true, reason = 'Superseded by build ' || new_number || ' of ' || left(p_commit, 7) || '.'
   where b.project_id = project and b.ref = p_ref and b.target = p_target and b.state in ('fetching', 'building');
  insert into build (project_id, id, number, target, ref, commit_sha, pull_request, is_fork, trigger)
    values (project, id, new_number, p_target, p_ref, p_commit, p_pull_request, p_fork, p_trigger);
end
$$;

-- Takes the next build to run: builds that a worker abandoned come first, then production builds,
-- then the oldest. A build that was started too often fails, and a build that was asked to stop
-- ends. Both are returned with their final state, so that their owners can be notified.
create or replace function take_build(p_attempts_max integer, out id text, out state text) returns setof record language plpgsql as $$
declare
  project bigint := current_project();
  candidate build;
begin
  for candidate in
    select b.* from build b
     where b.project_id = project and b.state in ('queued', 'fetching', 'building', 'uploading')
     order by (b.state <> 'queued') desc, (b.target = 'production') desc, b.number
       for update
  loop
    id := candidate.id;
    state := case
      when candidate.is_cancel_requested and candidate.state <> 'uploading' then ended_state(candidate)
      when candidate.attempts >= p_attempts_max then 'failed'
      else 'fetching' end;
    update build b set state = take_build.state, attempts = b.attempts + 1, started_at = coalesce(b.started_at, now()),
        finished_at = case when take_build.state <> 'fetching' then now() end,
        reason = case when take_build.state = 'fetching' then null
          else coalesce(b.reason, 'The build was interrupted ' || p_attempts_max || ' times.') end
     where b.project_id = project and b.id = candidate.id;
    return next;
    exit when state = 'fetching';
  end loop;
end
$$;

-- Returns the final state of a build that was asked to stop: superseded if there is a newer build
-- of its ref, otherwise canceled.
create or replace function ended_state(p_build build) returns text language sql stable as $$
  select case when exists (
    select from build b where b.project_id = current_project() and b.ref = p_build.ref and b.target = p_build.target
      and b.number > p_build.number) then 'superseded' else 'cancelled' end
$$;

-- Ends a waiting build, or asks a running build to stop. Returns the state of the build, or null if
-- it can no longer be stopped.
create or replace function cancel_build(p_id text, p_reason text) returns text language plpgsql as $$
declare
  project bigint := current_project();
  now_state text;
begin
  select b.state into now_state from build b where b.project_id = project and b.id = p_id for update;
  if now_state = 'queued' then
    update build b set state = 'cancelled', finished_at = now(), reason = p_reason where b.project_id = project and b.id = p_id;
    return 'cancelled';
  end if;
  if now_state in ('fetching', 'building') then
    update build b set is_cancel_requested = true, reason = coalesce(b.reason, p_reason) where b.project_id = project and b.id = p_id;
    return now_state;
  end if;
  return null;
end
$$;

-- Returns projects with open builds but without a waiting or running build job, for example after a
-- backup was restored.
create or replace function find_idle_builds(p_limit integer) returns table (organization_id bigint, project_id bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- The tables of the queue are created after the functions.
  return query select p.organization_id, p.id from project p
   where exists (select from build b where b.project_id = p.id and b.state in ('queued', 'fetching', 'building', 'uploading'))
     and not exists (select from jobs.job j where j.name = 'build' and j.singleton_key = p.id::text and j.state in ('created', 'retry', 'active'))
   order by p.id limit p_limit;
end
$$;
revoke execute on function find_idle_builds(integer) from public;
grant execute on function find_idle_builds(integer) to octavo_app;
