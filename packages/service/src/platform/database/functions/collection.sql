-- Returns what an upload needs to know before its body is read: the time, how many bytes the
-- organization may still store (null for no limit), and why the project may not upload (null if it
-- may).
create or replace function begin_upload(out began timestamptz, out room bigint, out suspended text)
language sql stable as $$
  select clock_timestamp(), o.storage_bytes_max - coalesce(u.bytes, 0),
         case when not is_served(p) then coalesce(p.suspended_reason, 'it was archived or deleted meanwhile.') end
    from organization o
    join project p on p.organization_id = o.id
    left join storage_usage u on u.organization_id = o.id
   where o.id = current_organization() and p.id = current_project()
$$;

-- Garbage collection of blobs. Uploads take the lock `collection` shared, and the garbage
-- collection takes it exclusively, each for one short transaction. So either the garbage collection
-- sees that a project has a blob, or the upload sees that the blob is being deleted.

-- Returns which of the given blobs are being deleted or were deleted since p_began.
create or replace function find_deleted_blobs(p_digests bytea[], p_began timestamptz) returns setof bytea
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.sha256 from deleted_blob c
   where c.sha256 = any (p_digests) and (c.finished_at is null or c.finished_at >= p_began)
$$;

-- Returns the age at which a stored blob is renewed when an upload asks for it. An upload lasts at
-- most 24 hours, so no upload needs an older blob that was not renewed.
create or replace function blob_renewal() returns interval language sql immutable as $$ select interval '1 hour' $$;

-- Records that the project has blobs, which are now in the store. Returns the blobs that the
-- garbage collection deleted meanwhile, which the client has to send again.
create or replace function add_blobs(p_digests bytea[], p_sizes bigint[], p_began timestamptz) returns setof bytea
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(lock_class('collection'), 0);
  insert into project_blob (project_id, sha256, size)
    select current_project(), b.sha256, b.size
      from unnest(p_digests, p_sizes) as b (sha256, size)
     where b.sha256 not in (select find_deleted_blobs(p_digests, p_began))
     order by b.sha256
    on conflict (project_id, sha256) do update set stored_at = excluded.stored_at;
  return query
    select d from unnest(p_digests) as d
     where not exists (select from project_blob b where b.project_id = current_project() and b.sha256 = d);
end
$$;

-- Expires deployments that are not live, were not live in the last 30 days, and are not among the
-- newest 50 of their project. Returns their number.
create or replace function retire_deployments() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  retired integer;
begin
  -- The row itself says whether it is live, so that a deployment that is published meanwhile is
  -- kept.
  update deployment d set state = 'expired', collected_at = null
   where d.state = 'ready'
     and (d.published_at is null or d.superseded_at is not null)
     and coalesce(d.superseded_at, d.finished_at) < now() - interval '30 days'
     and d.number <= (
       select k.number from deployment k where k.project_id = d.project_id and k.state = 'ready'
        order by k.number desc offset 50 limit 1);
  get diagnostics retired = row_count;
  delete from deployment_vectors v using deployment d
   where d.project_id = v.project_id and d.id = v.deployment_id and d.state <> 'ready';
  return retired;
end
$$;

-- Returns projects with deployments that finished at least p_seconds ago and that the garbage
-- collection has not handled since.
create or replace function find_uncollected_projects(p_seconds integer, p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct p.organization_id, p.id
    from deployment d join project p on p.id = d.project_id
   where p.moving_since is null and d.collected_at is null and d.finished_at < now() - p_seconds * interval '1 second'
   limit p_limit
$$;

-- Claims those of the given blobs that no project has, and returns them. Projects cannot use the
-- claimed blobs until they are released.
create or replace function claim_blobs(p_digests bytea[]) returns setof bytea
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(lock_class('collection'), 0);
  return query
    insert into deleted_blob as c (sha256)
      select d from unnest(p_digests) as d
       where not exists (select from project_blob b where b.sha256 = d)
      on conflict (sha256) do update set claimed_at = clock_timestamp(), finished_at = null
        where c.finished_at is not null
      returning c.sha256;
end
$$;

-- Takes over the claims of a garbage collection that was killed. Claims are taken over after 10
-- minutes, when its last request must have ended.
create or replace function take_over_claims() returns setof bytea
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update deleted_blob set claimed_at = clock_timestamp()
   where finished_at is null and claimed_at < clock_timestamp() - interval '10 minutes'
  returning sha256
$$;

-- Releases claimed blobs after they were deleted from the store. Deletes released claims after a
-- day.
create or replace function release_blobs(p_digests bytea[]) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  update deleted_blob set finished_at = clock_timestamp() where sha256 = any (p_digests);
  delete from deleted_blob where finished_at < now() - interval '1 day';
$$;

revoke execute on function retire_deployments(), find_uncollected_projects(integer, integer), claim_blobs(bytea[]),
  take_over_claims(), release_blobs(bytea[]), find_deleted_blobs(bytea[], timestamptz) from public;
grant execute on function retire_deployments(), find_uncollected_projects(integer, integer), claim_blobs(bytea[]),
  take_over_claims(), release_blobs(bytea[]), find_deleted_blobs(bytea[], timestamptz) to octavo_app;

-- Adds the traffic of many projects that a host counted since its last report.
create or replace function add_traffic(p_projects bigint[], p_requests bigint[], p_bytes bigint[]) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into traffic as t (project_id, day, requests, bytes)
    select p.id, (now() at time zone 'utc')::date, u.requests, u.bytes
      from unnest(p_projects, p_requests, p_bytes) as u (project_id, requests, bytes)
      join project p on p.id = u.project_id
     order by p.id
    on conflict (project_id, day) do update
      set requests = t.requests + excluded.requests, bytes = t.bytes + excluded.bytes
$$;
revoke execute on function add_traffic(bigint[], bigint[], bigint[]) from public;
grant execute on function add_traffic(bigint[], bigint[], bigint[]) to octavo_app;

-- Returns the usage of the project on the days (UTC) from p_from up to but not including p_to.
create or replace function count_usage(
  p_from date, p_to date,
  out requests bigint, out sent bigint, out deployments bigint, out builds bigint, out build_seconds bigint,
  out questions bigint, out tokens bigint
) language sql stable as $$
  select coalesce(t.requests, 0), coalesce(t.sent, 0), d.deployments, b.builds, coalesce(b.seconds, 0),
         coalesce(a.questions, 0), coalesce(a.tokens, 0)
    from (select sum(requests)::bigint as requests, sum(bytes)::bigint as sent from traffic
           where project_id = current_project() and day >= p_from and day < p_to) t,
         (select count(*) as deployments from deployment
           where project_id = current_project()
             and created_at >= p_from::timestamp at time zone 'utc' and created_at < p_to::timestamp at time zone 'utc') d,
         (select count(started_at) as builds, sum(extract(epoch from finished_at - started_at))::bigint as seconds from build
           where project_id = current_project()
             and created_at >= p_from::timestamp at time zone 'utc' and created_at < p_to::timestamp at time zone 'utc') b,
         (select sum(questions)::bigint as questions, sum(used_tokens)::bigint as tokens from assistant_usage
           where project_id = current_project() and day >= p_from and day < p_to) a
$$;

-- Returns how many bytes the organization stores, and how many it may store.
create or replace function read_storage(out stored bigint, out stored_max bigint) language sql stable as $$
  select coalesce((select u.bytes from storage_usage u where u.organization_id = current_organization()), 0),
         (select o.storage_bytes_max from organization o where o.id = current_organization())
$$;

-- Returns the storage and the usage of each project of the organization. The transaction is bound to
-- each project in turn, so row-level security applies here too.
create or replace function read_organization_usage(p_from date, p_to date)
returns table (id text, name text, stored bigint, requests bigint, sent bigint, deployments bigint, builds bigint,
               build_seconds bigint, questions bigint, tokens bigint)
language plpgsql as $$
declare
  bound text := current_setting('octavo.project_id', true);
  one project;
begin
  for one in
    select p.* from project p where p.organization_id = current_organization() and p.deleted_at is null
  loop
    perform set_config('octavo.project_id', one.id::text, true);
    return query
      select one.public_id, one.name,
             (select coalesce(sum(b.size), 0)::bigint from project_blob b where b.project_id = current_project()), u.*
        from count_usage(p_from, p_to) u;
  end loop;
  perform set_config('octavo.project_id', coalesce(bound, ''), true);
end
$$;
