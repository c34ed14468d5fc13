-- Lookups before the tenant is known. They run as octavo_definer, which sees all tenants, so they
-- return only ids. The rows with these ids are then read in a transaction that is bound to the
-- tenant.

-- Returns whether the site of a project is served and may change: the project is not suspended,
-- archived or deleted.
create or replace function is_served(p project) returns boolean language sql immutable as $$
  select p.suspended_reason is null and p.archived_at is null and p.deleted_at is null
$$;

-- Finds an API key by the hashes that its token can have with the known peppers. Keys of deleted
-- projects are not found.
create or replace function find_api_key(p_hashes bytea[])
returns table (organization_id bigint, project_id bigint, key_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, k.project_id, k.id
    from api_key k join project p on p.id = k.project_id
   where k.token_hash = any (p_hashes) and p.deleted_at is null
$$;

-- Returns the ids of a project by its public id.
create or replace function find_project(p_public_id text)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id from project p where p.public_id = p_public_id and p.deleted_at is null
$$;

-- Deletes the deploy tokens of CI jobs in all projects that expired more than a week ago. Returns
-- their number.
create or replace function forget_job_tokens() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from api_key
   where kind = 'deploy' and expires_at < now() - interval '7 days'
     and expires_at - created_at <= interval '1 hour';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

-- Returns the abandoned questions of all projects: those whose lease has expired, and those without
-- a lease whose id is smaller than p_before.
create or replace function find_open_questions(p_before text, p_limit integer)
returns table (organization_id bigint, project_id bigint, question_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, t.project_id, t.id
    from question t join project p on p.id = t.project_id
   where t.conversation_id is null and p.moving_since is null
     and case when t.leased_until is null then t.id < p_before else t.leased_until < clock_timestamp() end
   order by t.id limit p_limit
$$;

-- Returns projects with an id above p_after that have conversations older than their retention
-- period.
create or replace function find_expired_projects(p_after bigint, p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id
    from project p
   where p.id > p_after and p.moving_since is null and exists (
     select from conversation c
      where c.project_id = p.id and c.id < ulid_floor(now() - p.retention_days * interval '1 day'))
   order by p.id limit p_limit
$$;

revoke execute on function find_project(text), forget_job_tokens() from public;
grant execute on function find_project(text), forget_job_tokens() to octavo_app;
revoke execute on function find_api_key(bytea[]), find_open_questions(text, integer),
  find_expired_projects(bigint, integer) from public;
grant execute on function find_api_key(bytea[]), find_open_questions(text, integer),
  find_expired_projects(bigint, integer) to octavo_app;

-- Authenticates an API key in one round trip: finds its tenant, binds the transaction to it, and
-- returns the project and the permissions of the key. Returns null for an unknown key. The first
-- hash must be that of the current pepper. If the stored hash is of an old pepper, it is returned
-- as well.
create or replace function authenticate_api_key(p_hashes bytea[], p_address inet) returns text
language plpgsql as $$
declare
  found record;
begin
  select * into found from find_api_key(p_hashes);
  if found.key_id is null then return null; end if;
  perform set_config('octavo.project_id', found.project_id::text, true),
          set_config('octavo.organization_id', found.organization_id::text, true);
  return (
    select json_build_object(
        'organizationId', p.organization_id::text, 'projectId', p.id::text, 'id', k.id::text,
        'kind', k.kind, 'projectPublicId', p.public_id, 'scopes', k.scopes,
        'expiresAtMs', floor(extract(epoch from k.expires_at) * 1000),
        'isRevoked', k.revoked_at is not null, 'isArchived', p.archived_at is not null,
        'isAllowed', k.allowed_from is null or coalesce(p_address <<= any (k.allowed_from), false),
        'oldHash', case when k.token_hash <> p_hashes[1] then encode(k.token_hash, 'hex') end)
      from api_key k join project p on p.id = k.project_id
     where k.project_id = current_project() and k.id = found.key_id);
end
$$;

-- Records the use of keys of many projects at once. Callers looked up each key by its secret just
-- before. A key that was hashed with an old pepper gets a new hash if the caller knows the old one.
create or replace function note_key_uses(
  p_projects bigint[], p_keys bigint[], p_old_hashes bytea[], p_hashes bytea[], p_pepper text
) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update api_key k
     set last_used_at = now(),
         token_hash = case when k.token_hash = u.old_hash then u.hash else k.token_hash end,
         pepper_id = case when k.token_hash = u.old_hash then p_pepper else k.pepper_id end
    from unnest(p_projects, p_keys, p_old_hashes, p_hashes) as u (project_id, key_id, old_hash, hash)
   where k.project_id = u.project_id and k.id = u.key_id
$$;

revoke execute on function note_key_uses(bigint[], bigint[], bytea[], bytea[], text) from public;
grant execute on function note_key_uses(bigint[], bigint[], bytea[], bytea[], text) to octavo_app;

-- Returns the number of valid credentials for each kind and each pepper that they were hashed with.
create or replace function count_peppers()
returns table (kind text, pepper_id text, credentials integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'API keys', k.pepper_id, count(*)::integer from api_key k
   where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) group by 2
  union all
  select case s.kind when 'browser' then 'sessions' else 'command lines' end, s.pepper_id, count(*)::integer
    from user_session s where s.expires_at > now() group by 1, 2
  union all
  select case r.way when 'token' then 'reader tokens' else 'sessions of readers' end, r.pepper_id, count(*)::integer
    from reader_session r where r.expires_at > now() group by 1, 2
  union all
  select 'recovery codes', c.pepper_id, count(*)::integer from recovery_code c group by 2
$$;
revoke execute on function count_peppers() from public;
grant execute on function count_peppers() to octavo_app;

-- Returns the ids of the keys that secrets are encrypted with, the number of secrets of each key,
-- and where one of these secrets is stored, but not the secret itself.
create or replace function find_secret_keys()
returns table (key_id text, secrets integer, organization_id bigint, project_id bigint, name text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct on (s.key_id) s.key_id, count(*) over (partition by s.key_id)::integer, p.organization_id, p.id, s.name
    from secret s join project p on p.id = s.project_id
   order by s.key_id, s.updated_at desc
$$;
revoke execute on function find_secret_keys() from public;
grant execute on function find_secret_keys() to octavo_app;

-- Returns the stored value that a process compares its keys with when it starts.
create or replace function find_key_check(p_name text) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select value from key_check where name = p_name
$$;
revoke execute on function find_key_check(text) from public;
grant execute on function find_key_check(text) to octavo_app;

-- Stores a value for comparing keys. An existing value is replaced only if it equals p_before.
create or replace function store_key_check(p_name text, p_value text, p_before text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into key_check as k (name, value) values (p_name, p_value)
    on conflict (name) do update set value = excluded.value where k.value = p_before
$$;
revoke execute on function store_key_check(text, text, text) from public;
grant execute on function store_key_check(text, text, text) to octavo_app;
