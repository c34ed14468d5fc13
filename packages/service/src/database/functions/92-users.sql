-- People: who is signed in, and what they may do.

create or replace function current_person() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.user_id', true), '')::bigint
$$;

-- How much a role may do; the greater of two holds.
create or replace function role_rank(p_role text) returns integer
language sql immutable strict parallel safe as $$
  select array_position(array['viewer', 'analyst', 'editor', 'admin', 'owner'], p_role)
$$;

create or replace function find_session(p_hash bytea) returns table (user_id bigint, session_id bigint)
language sql stable security definer set search_path from current as $$
  select s.user_id, s.id from user_session s where s.token_hash = p_hash
$$;

-- Who is signed in with a token, in one round trip; nothing if nobody is. A browser's session ends p_idle
-- after it was last seen, which is noted once a minute; a command line is used now and then.
create or replace function authenticate_session(p_hash bytea, p_idle interval) returns text
language plpgsql as $$
declare
  found record;
begin
  select * into found from find_session(p_hash);
  if found.session_id is null then return null; end if;
  perform set_config('octavo.user_id', found.user_id::text, true);
  update user_session set last_seen_at = now()
   where user_id = current_person() and id = found.session_id
     and last_seen_at < now() - interval '1 minute' and expires_at > now()
     and (kind = 'command-line' or last_seen_at > now() - p_idle);
  return (
    select json_build_object(
        'userId', u.id::text, 'sessionId', s.id::text, 'id', u.public_id, 'name', u.name,
        'email', u.email, 'kind', s.kind,
        'provedAtMs', floor(extract(epoch from s.proved_at) * 1000))
      from user_session s join app_user u on u.id = s.user_id
     where s.user_id = current_person() and s.id = found.session_id and u.disabled_at is null
       and s.expires_at > now()
       and (s.kind = 'command-line' or s.last_seen_at > now() - p_idle));
end
$$;

-- Where a person has roles: ids and roles, of all organisations.
create or replace function find_memberships(p_user bigint)
returns table (organisation_id bigint, project_id bigint, role text)
language sql stable security definer set search_path from current as $$
  select m.organisation_id, m.project_id, m.role
    from membership m join organisation o on o.id = m.organisation_id and o.deleted_at is null
   where m.user_id = p_user
   order by 1, 2 nulls first
$$;

-- The role of a person in a project; nothing for a project that is not theirs, or is none.
-- The columns of a function cannot be replaced.
drop function if exists find_project_role(bigint, text);
create function find_project_role(p_user bigint, p_public_id text)
returns table (organisation_id bigint, project_id bigint, role text, is_archived boolean)
language sql stable security definer set search_path from current as $$
  select p.organisation_id, p.id, m.role, p.archived_at is not null
    from project p
    join membership m on m.organisation_id = p.organisation_id and m.user_id = p_user
     and (m.project_id is null or m.project_id = p.id)
   where p.public_id = p_public_id and p.deleted_at is null
   order by role_rank(m.role) desc limit 1
$$;

-- The role in an organisation as a whole.
create or replace function find_organisation_role(p_user bigint, p_public_id text)
returns table (organisation_id bigint, role text)
language sql stable security definer set search_path from current as $$
  select o.id, m.role
    from organisation o
    join membership m on m.organisation_id = o.id and m.user_id = p_user and m.project_id is null
   where o.public_id = p_public_id and o.deleted_at is null
$$;

create or replace function has_users() returns boolean
language sql stable security definer set search_path from current as $$
  select exists (select from app_user)
$$;

-- A link to set the service up, while it has no users. Older ones work on until they expire: there may
-- be several processes, and each prints its own.
create or replace function add_setup_link(p_hash bytea, p_lifetime interval) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if has_users() then return false; end if;
  delete from sign_in_link where expires_at < now();
  insert into sign_in_link (token_hash, kind, expires_at) values (p_hash, 'setup', now() + p_lifetime);
  return true;
end
$$;

-- What a link is for and how long it works on, without using it up: mail scanners open every link.
create or replace function read_sign_in_link(p_hash bytea)
returns table (kind text, seconds_left integer)
language sql stable security definer set search_path from current as $$
  select l.kind, extract(epoch from l.expires_at - now())::integer
    from sign_in_link l where l.token_hash = p_hash and l.expires_at > now()
     and (l.kind <> 'setup' or not has_users())
$$;

-- Uses a login link up. Gives whom it signs in.
create or replace function spend_login_link(p_hash bytea) returns bigint
language sql security definer set search_path from current as $$
  delete from sign_in_link l
   where l.token_hash = p_hash and l.kind = 'login' and l.expires_at > now()
  returning l.user_id
$$;

-- Uses a setup link up: the first person, organisation and project, all or nothing. Gives nothing if the
-- link does not work (any more).
create or replace function set_up(
  p_hash bytea, p_user_public_id text, p_name text, p_email text,
  p_organisation_public_id text, p_organisation text,
  p_project_public_id text, p_project text, p_slug text
) returns table (user_id bigint, organisation_id bigint, project_id bigint)
language plpgsql security definer set search_path from current as $$
declare
  new_user bigint;
  new_organisation bigint;
  new_project bigint;
begin
  -- Two who set up at once: the second waits, and finds users.
  lock table app_user in share row exclusive mode;
  if has_users() then return; end if;
  delete from sign_in_link l where l.token_hash = p_hash and l.kind = 'setup' and l.expires_at > now();
  if not found then return; end if;
  delete from sign_in_link l where l.kind = 'setup';
  insert into app_user (public_id, email, name) values (p_user_public_id, p_email, p_name)
    returning id into new_user;
  -- One that the command line made is taken over by its name.
  select o.id into new_organisation from organisation o where o.name = p_organisation
   order by o.created_at limit 1;
  if new_organisation is null then
    insert into organisation (public_id, name) values (p_organisation_public_id, p_organisation)
      returning id into new_organisation;
  end if;
  select p.id into new_project from project p
   where p.organisation_id = new_organisation and p.slug = p_slug;
  if new_project is null then
    insert into project (organisation_id, public_id, slug, name)
      values (new_organisation, p_project_public_id, p_slug, p_project) returning id into new_project;
    insert into project_sequence (project_id) values (new_project);
  end if;
  insert into membership (organisation_id, user_id, role) values (new_organisation, new_user, 'owner');
  return query select new_user, new_organisation, new_project;
end
$$;

-- Whose invitation this is, without using it up.
create or replace function find_invitation(p_hash bytea)
returns table (organisation_id bigint, invitation_id bigint)
language sql stable security definer set search_path from current as $$
  select i.organisation_id, i.id from invitation i where i.token_hash = p_hash and i.expires_at > now()
$$;

-- Uses an invitation up: its address gets its role, and a greater one that they have already stays. An
-- address that has a user already is let in only as that person, signed in: who made the link knows
-- it too, and must not become somebody else by it.
create or replace function accept_invitation(p_hash bytea, p_person bigint, p_user_public_id text, p_name text)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  invited invitation;
  person bigint;
begin
  select * into invited from invitation i where i.token_hash = p_hash and i.expires_at > now() for update;
  if invited.id is null then return null; end if;
  select u.id into person from app_user u where u.email = invited.email;
  if person is distinct from p_person then return null; end if;
  if person is null then
    insert into app_user (public_id, email, name) values (p_user_public_id, invited.email, p_name)
      on conflict (email) do nothing returning id into person;
  end if;
  if person is null then return null; end if;
  delete from invitation i where i.organisation_id = invited.organisation_id and i.id = invited.id;
  insert into membership as m (organisation_id, user_id, project_id, role)
    values (invited.organisation_id, person, invited.project_id, invited.role)
    on conflict (organisation_id, user_id, project_id) do update set role = excluded.role
      where role_rank(excluded.role) > role_rank(m.role);
  return person;
end
$$;

-- Deletes sessions and links that are over. Gives how many.
create or replace function forget_sessions(p_idle interval) returns integer
language plpgsql security definer set search_path from current as $$
declare
  forgotten integer;
begin
  delete from sign_in_link where expires_at < now();
  delete from invitation where expires_at < now() - interval '30 days';
  delete from user_session
   where expires_at < now() or (kind = 'browser' and last_seen_at < now() - p_idle);
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke execute on function find_session(bytea), find_memberships(bigint), has_users(),
  find_project_role(bigint, text), find_organisation_role(bigint, text), add_setup_link(bytea, interval),
  read_sign_in_link(bytea), spend_login_link(bytea), find_invitation(bytea),
  accept_invitation(bytea, bigint, text, text), forget_sessions(interval),
  set_up(bytea, text, text, text, text, text, text, text, text) from public;
grant execute on function find_session(bytea), find_memberships(bigint), has_users(),
  find_project_role(bigint, text), find_organisation_role(bigint, text), add_setup_link(bytea, interval),
  read_sign_in_link(bytea), spend_login_link(bytea), find_invitation(bytea),
  accept_invitation(bytea, bigint, text, text), forget_sessions(interval),
  set_up(bytea, text, text, text, text, text, text, text, text) to octavo_app;
