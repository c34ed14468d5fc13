-- Reader sessions, which say who reads a site. A session is looked up by the hash of its token
-- before anything else is known about the reader.

-- Returns the current epoch of the project's reader sessions. Sessions of an earlier epoch are
-- invalid.
create or replace function reader_epoch() returns integer language sql stable as $$
  select coalesce((select a.epoch from site_access a where a.project_id = current_project()), 0)
$$;

-- Returns whether a session is a token of a program that has not expired. Tokens have no epoch,
-- because owners revoke each one separately.
create or replace function is_working_token(s reader_session) returns boolean language sql stable as $$
  select s.way = 'token' and s.expires_at > now()
$$;

-- Returns whether owners see a token in the list. Tokens are listed until they expire. Tokens with
-- a lifetime of at least a day are listed for 30 more days, but shorter ones are not, because CI
-- jobs create many of them.
create or replace function is_listed_token(s reader_session) returns boolean language sql stable as $$
  select s.way = 'token' and (s.expires_at > now()
    or (s.expires_at > now() - interval '30 days' and s.expires_at - s.created_at >= interval '1 day'))
$$;

-- Returns the readers with the given token hashes, except those whose session is over. A member's
-- only group is their current role, and a person without a role is not returned. A host looks up
-- all readers of the last moments in one call.
create or replace function find_readers(p_hashes bytea[])
returns table (token_hash bytea, project_id bigint, way text, host text, groups text[], expires_at timestamptz,
               is_use_due boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.token_hash, s.project_id, s.way, s.host,
         case when s.way = 'members' then array[r.role] else s.groups end, s.expires_at,
         s.way = 'token' and (s.last_used_at is null or s.last_used_at < now() - interval '1 hour')
    from reader_session s
    join project p on p.id = s.project_id and p.deleted_at is null
    left join site_access a on a.project_id = s.project_id
    left join app_user u on u.id = s.user_id
    left join lateral (
      select m.role from membership m
       where m.organization_id = p.organization_id and m.user_id = s.user_id
         and (m.project_id is null or m.project_id = p.id)
       order by role_rank(m.role) desc limit 1) r on true
   where s.token_hash = any (p_hashes) and s.expires_at > now() and (s.way = 'token' or s.epoch = coalesce(a.epoch, 0))
     and (s.way <> 'members' or (r.role is not null and u.disabled_at is null))
$$;

-- Replaces the hashes of sessions that were created with an old pepper. The caller has to know the
-- old hashes.
create or replace function rehash_readers(p_old_hashes bytea[], p_hashes bytea[], p_pepper text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update reader_session s set token_hash = u.hash, pepper_id = p_pepper
    from unnest(p_old_hashes, p_hashes) as u (old_hash, hash)
   where s.token_hash = u.old_hash
$$;

-- Records that programs used their tokens. The time is updated at most once an hour for each token.
create or replace function note_reader_token_uses(p_hashes bytea[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update reader_session s set last_used_at = now()
   where s.token_hash = any (p_hashes) and s.way = 'token'
     and (s.last_used_at is null or s.last_used_at < now() - interval '1 hour')
$$;

-- Returns the project of a site if the person has a role in it. The site is named by a slug, by
-- `preview/` and the name of a preview, or by a custom domain. Returns null if the person has no
-- role or the site does not exist.
create or replace function find_member_site(p_user bigint, p_slug text, p_domain text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with site as (
    select p.id, p.organization_id from project p where p.slug = p_slug and is_served(p)
    union all
    select p.id, p.organization_id from preview v join project p on p.id = v.project_id
     where p_slug like 'preview/%' and v.name = substr(p_slug, 9) and v.expires_at > now() and is_served(p)
    union all
    select p.id, p.organization_id from find_served_domains() d join project p on p.slug = d.slug
     where d.name = p_domain and d.redirect_to is null)
  select s.id from site s
    join membership m on m.organization_id = s.organization_id and m.user_id = p_user
     and (m.project_id is null or m.project_id = s.id)
    join app_user u on u.id = m.user_id and u.disabled_at is null
   limit 1
$$;

-- Returns how many attempts were counted in the current window, without counting another one.
create or replace function sign_in_tries(p_key bytea, p_seconds integer) returns integer
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select c.used from sign_in_count c
    where c.key_hash = p_key and c.began_at > clock_timestamp() - p_seconds * interval '1 second'), 0)
$$;

-- Deletes the expired sessions and the no longer listed tokens of all projects. Returns the number
-- of deleted rows.
create or replace function forget_readers() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from reader_session s where s.expires_at < now() and not is_listed_token(s);
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke execute on function find_readers(bytea[]), rehash_readers(bytea[], bytea[], text), note_reader_token_uses(bytea[]),
  find_member_site(bigint, text, text), sign_in_tries(bytea, integer), forget_readers() from public;
grant execute on function find_readers(bytea[]), rehash_readers(bytea[], bytea[], text), note_reader_token_uses(bytea[]),
  find_member_site(bigint, text, text), sign_in_tries(bytea, integer), forget_readers() to octavo_app;
