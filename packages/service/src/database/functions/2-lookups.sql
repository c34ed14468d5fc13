-- Look-ups before the tenant is known. They run with the rights of the owner, so they give ids and
-- nothing else; what the ids stand for is read by the tenant itself.

-- Whether a project has a site and may change: neither suspended, archived nor deleted.
create or replace function is_served(p project) returns boolean language sql immutable as $$
  select p.suspended_reason is null and p.archived_at is null and p.deleted_at is null
$$;

-- Nothing finds a deleted project.
create or replace function find_api_key(p_hash bytea)
returns table (organisation_id bigint, project_id bigint, key_id bigint)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, k.project_id, k.id
    from api_key k join project p on p.id = k.project_id
   where k.token_hash = p_hash and p.deleted_at is null
$$;

-- Whose project this is, by its public id.
create or replace function find_project(p_public_id text)
returns table (organisation_id bigint, project_id bigint)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, p.id from project p where p.public_id = p_public_id and p.deleted_at is null
$$;

-- Deletes tokens that were made for a job of CI and expired a week ago, of all projects. Gives how many.
create or replace function forget_job_tokens() returns integer
language plpgsql security definer set search_path from current as $$
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

-- Turns that nobody will finish, of all projects: their lease is over, or they never had one and were
-- accepted before an id.
create or replace function find_open_turns(p_before text, p_limit integer)
returns table (organisation_id bigint, project_id bigint, turn_id text)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, t.project_id, t.id
    from turn t join project p on p.id = t.project_id
   where t.conversation_id is null and p.moving_since is null
     and case when t.leased_until is null then t.id < p_before else t.leased_until < clock_timestamp() end
   order by t.id limit p_limit
$$;

-- Projects with conversations that are older than their retention, after an id.
create or replace function find_expired_projects(p_after bigint, p_limit integer)
returns table (organisation_id bigint, project_id bigint)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, p.id
    from project p
   where p.id > p_after and p.moving_since is null and exists (
     select from conversation c
      where c.project_id = p.id and c.id < ulid_floor(now() - p.retention_days * interval '1 day'))
   order by p.id limit p_limit
$$;
drop function if exists find_short_retention(bigint, integer);

revoke execute on function find_project(text), forget_job_tokens() from public;
grant execute on function find_project(text), forget_job_tokens() to octavo_app;
revoke execute on function find_api_key(bytea), find_open_turns(text, integer),
  find_expired_projects(bigint, integer) from public;
grant execute on function find_api_key(bytea), find_open_turns(text, integer),
  find_expired_projects(bigint, integer) to octavo_app;

-- Whose key this is and what it may do, in one round trip: the tenant is looked up, named, and asked.
-- Nothing for a key that nobody has.
create or replace function authenticate_key(p_hash bytea, p_address inet) returns text
language plpgsql as $$
declare
  found record;
begin
  select * into found from find_api_key(p_hash);
  if found.key_id is null then return null; end if;
  perform set_config('octavo.project_id', found.project_id::text, true),
          set_config('octavo.organisation_id', found.organisation_id::text, true);
  return (
    select json_build_object(
        'organisationId', p.organisation_id::text, 'projectId', p.id::text, 'id', k.id::text,
        'kind', k.kind, 'projectPublicId', p.public_id, 'scopes', k.scopes,
        'expiresAtMs', floor(extract(epoch from k.expires_at) * 1000),
        'isRevoked', k.revoked_at is not null, 'isArchived', p.archived_at is not null,
        'isAllowed', k.allowed_from is null or coalesce(p_address <<= any (k.allowed_from), false))
      from api_key k join project p on p.id = k.project_id
     where k.project_id = current_project() and k.id = found.key_id);
end
$$;

-- Notes that keys were used, of many projects at once: each was just looked up by its own secret.
create or replace function note_key_uses(p_projects bigint[], p_keys bigint[]) returns void
language sql security definer set search_path from current as $$
  update api_key k set last_used_at = now()
    from unnest(p_projects, p_keys) as u (project_id, key_id)
   where k.project_id = u.project_id and k.id = u.key_id
$$;

revoke execute on function note_key_uses(bigint[], bigint[]) from public;
grant execute on function note_key_uses(bigint[], bigint[]) to octavo_app;

-- The names of the keys that secrets are encrypted with, how many each has encrypted, and where one of them is: not the secret.
create or replace function find_secret_keys()
returns table (key_id text, secrets integer, organisation_id bigint, project_id bigint, name text)
language sql stable security definer set search_path from current as $$
  select distinct on (s.key_id) s.key_id, count(*) over (partition by s.key_id)::integer, p.organisation_id, p.id, s.name
    from secret s join project p on p.id = s.project_id
   order by s.key_id, s.updated_at desc
$$;
revoke execute on function find_secret_keys() from public;
grant execute on function find_secret_keys() to octavo_app;
