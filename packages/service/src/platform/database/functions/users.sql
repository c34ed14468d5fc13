-- Users: who is signed in, and which roles they have.

create or replace function current_person() returns bigint
language sql stable parallel safe as $$
  select nullif(current_setting('octavo.user_id', true), '')::bigint
$$;

-- Returns the rank of a role. If a person has two roles, the one with the higher rank applies.
create or replace function role_rank(p_role text) returns integer
language sql immutable strict parallel safe as $$
  select array_position(array['viewer', 'analyst', 'editor', 'admin', 'owner'], p_role)
$$;

create or replace function find_session(p_hashes bytea[]) returns table (user_id bigint, session_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.user_id, s.id from user_session s where s.token_hash = any (p_hashes)
$$;

-- Returns the user who is signed in with a token, or null, in one round trip. A browser session
-- ends p_idle after its last use, which is recorded at most once a minute. A session of the command
-- line has no such limit. The first hash must be that of the current pepper, which replaces a
-- stored hash of an old pepper.
create or replace function authenticate_session(p_hashes bytea[], p_idle interval, p_pepper text) returns text
language plpgsql as $$
declare
  found record;
begin
  select * into found from find_session(p_hashes);
  if found.session_id is null then return null; end if;
  perform set_config('octavo.user_id', found.user_id::text, true);
  update user_session set last_seen_at = now(),
         token_hash = case when token_hash <> p_hashes[1] then p_hashes[1] else token_hash end,
         pepper_id = case when token_hash <> p_hashes[1] then p_pepper else pepper_id end
   where user_id = current_person() and id = found.session_id
     and (last_seen_at < now() - interval '1 minute' or token_hash <> p_hashes[1])
     and expires_at > now()
     and (kind = 'command-line' or last_seen_at > now() - p_idle);
  return (
    select json_build_object(
        'userId', u.id::text, 'sessionId', s.id::text, 'id', u.public_id, 'name', u.name,
        'email', u.email, 'isVerified', u.verified_at is not null, 'kind', s.kind,
        'authenticatedAtMs', floor(extract(epoch from s.authenticated_at) * 1000),
        'isMadeByLink', u.made_by_link,
        'hasIdentity', exists (select from user_identity i where i.user_id = u.id),
        'hasPasskeyOrCodes', exists (select from passkey k where k.user_id = u.id)
          or exists (select from recovery_code r where r.user_id = u.id and r.saved_at is not null))
      from user_session s join app_user u on u.id = s.user_id
     where s.user_id = current_person() and s.id = found.session_id and u.disabled_at is null
       and s.expires_at > now()
       and (s.kind = 'command-line' or s.last_seen_at > now() - p_idle));
end
$$;

-- Returns the ids of the organizations and projects in which a person has a role, with the role.
create or replace function find_memberships(p_user bigint)
returns table (organization_id bigint, project_id bigint, role text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.organization_id, m.project_id, m.role
    from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
   where m.user_id = p_user
   order by 1, 2 nulls first
$$;

-- Returns the organizations of a person and the projects in which they have a role, as JSON, in one
-- round trip. The transaction is bound to each organization in turn, so row-level security applies
-- here too.
create or replace function read_memberships(p_user bigint) returns json
language plpgsql strict as $$
declare
  own record;
  memberships json[] := '{}';
begin
  for own in
    select m.organization_id, max(m.role) filter (where m.project_id is null) as role,
           jsonb_object_agg(m.project_id, m.role) filter (where m.project_id is not null) as roles
      from find_memberships(p_user) m group by 1
  loop
    perform set_config('octavo.organization_id', own.organization_id::text, true);
    memberships := memberships || (
      select json_build_object(
          'organizationId', o.id::text, 'id', o.public_id, 'name', o.name, 'role', own.role,
          'projects', (select coalesce(json_agg(p), '[]') from (
            select p.id::text as "projectId", p.public_id as id, p.name, p.slug, r.role,
                   p.archived_at is not null as archived
              from project p
             cross join lateral (
               select role from unnest(array[own.role, own.roles ->> p.id::text]) role
                where role is not null order by role_rank(role) desc limit 1) r
             where p.organization_id = o.id and p.deleted_at is null
             order by p.name, p.id limit 1000) p))
        from organization o where o.id = current_organization());
  end loop;
  perform set_config('octavo.organization_id', '', true);
  return array_to_json(memberships);
end
$$;

-- Returns the highest role of a person in a project, and their role in its organization if they
-- have one. Returns no row if the project does not exist or the person has no role in it.
create or replace function find_project_role(p_user bigint, p_public_id text)
returns table (
  organization_id bigint, project_id bigint, role text, organization_role text, is_archived boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, p.id, m.role, max(m.role) filter (where m.project_id is null) over (),
         p.archived_at is not null
    from project p
    join membership m on m.organization_id = p.organization_id and m.user_id = p_user
     and (m.project_id is null or m.project_id = p.id)
   where p.public_id = p_public_id and p.deleted_at is null
   order by role_rank(m.role) desc limit 1
$$;

-- Returns the role of a person in the whole organization, or no row if they have none.
create or replace function find_organization_role(p_user bigint, p_public_id text)
returns table (organization_id bigint, role text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, m.role
    from organization o
    join membership m on m.organization_id = o.id and m.user_id = p_user and m.project_id is null
   where o.public_id = p_public_id and o.deleted_at is null
$$;

create or replace function has_users() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from app_user)
$$;

-- Adds a setup link if the service has no users yet. Older links stay valid until they expire,
-- because each of several processes may print one.
create or replace function add_setup_link(p_hash bytea, p_lifetime interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if has_users() then return false; end if;
  delete from sign_in_link where expires_at < now();
  insert into sign_in_link (token_hash, kind, expires_at) values (p_hash, 'setup', now() + p_lifetime);
  return true;
end
$$;

-- Returns the purpose of a link and how long it is still valid, without using it up, because mail
-- scanners open every link.
create or replace function read_sign_in_link(p_hash bytea)
returns table (kind text, seconds_left integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.kind, extract(epoch from l.expires_at - now())::integer
    from sign_in_link l where l.token_hash = p_hash and l.expires_at > now()
     and (l.kind <> 'setup' or not has_users())
$$;

-- Returns whether the address of a person is verified. The user's row is locked until commit, so
-- that the transaction cannot add a credential while `verify_address` revokes credentials.
create or replace function lock_verified(p_user bigint) returns boolean
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.verified_at is not null from app_user u where u.id = p_user for share
$$;

-- Adds an event about a person to the audit log of each organization in which they have a role. If
-- they have roles only in single projects of an organization, the event is added to the logs of
-- these projects. The person is the actor unless the event names another one.
create or replace function log_person_event(p_user bigint, p_event jsonb) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into audit_event (organization_id, project_id, actor, action, object, after, address_prefix)
    select distinct m.organization_id,
           case when bool_and(m.project_id is not null) over (partition by m.organization_id) then m.project_id end,
           coalesce(p_event ->> 'actor', 'user ' || u.public_id), p_event ->> 'action', u.email,
           p_event -> 'after', p_event ->> 'addressPrefix'
      from membership m join app_user u on u.id = m.user_id where m.user_id = p_user
$$;

-- Adds a rejected sign-in to the audit log if the address has an account. The commit does not wait
-- for the disk, so that the response time does not reveal whether there is an account.
create or replace function log_refused_sign_in(p_email text, p_after jsonb, p_address_prefix text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform log_person_event(u.id, jsonb_build_object('actor', 'anonymous', 'action', 'sign-in.refused',
                                                    'after', p_after, 'addressPrefix', p_address_prefix))
    from app_user u where u.email = p_email;
end
$$;

-- Marks the address of a person as verified. The first time, all earlier credentials and sessions
-- are revoked, because they may belong to the person who created the invitation. The identity
-- p_identity, which proved the address, is kept.
create or replace function verify_address(p_user bigint, p_identity bigint default null) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update app_user u set verified_at = now() where u.id = p_user and u.verified_at is null;
  if not found then return; end if;
  delete from passkey k where k.user_id = p_user;
  delete from recovery_code r where r.user_id = p_user;
  delete from user_identity i where i.user_id = p_user and i.id is distinct from p_identity;
  delete from device_request d where d.user_id = p_user;
  delete from sign_in_link l where l.user_id = p_user;
  delete from user_session s where s.user_id = p_user;
  delete from reader_session s where s.user_id = p_user;
  perform log_person_event(p_user, jsonb_build_object('action', 'member.verify'));
end
$$;

-- Rejects roles in a second organization for a user without a verified address, who can have roles
-- only in the organization that invited them. Existing roles of older users are kept.
create or replace function refuse_unverified() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  address text;
begin
  -- If two roles are added at once, the second call waits and sees the first role.
  select u.email into address from app_user u
   where u.id = new.user_id and u.verified_at is null for no key update;
  if address is null then return new; end if;
  if exists (select from membership m where m.user_id = new.user_id)
    and not exists (
      select from membership m where m.user_id = new.user_id and m.organization_id = new.organization_id)
  then
    raise exception 'The address % is not verified, so it gets no role in a second organization.', address
      using errcode = 'OCV01',
            hint = 'They verify it by signing in with a code by e-mail, OpenID Connect, or a login link.';
  end if;
  return new;
end
$$;
create or replace trigger refuse_unverified before insert or update of organization_id, user_id on membership
  for each row execute function refuse_unverified();

-- Uses up a login link and returns the user that it signs in. The address counts as verified,
-- because the operator entered it.
create or replace function spend_login_link(p_hash bytea) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person bigint;
begin
  delete from sign_in_link l
   where l.token_hash = p_hash and l.kind = 'login' and l.expires_at > now()
  returning l.user_id into person;
  perform verify_address(person);
  return person;
end
$$;

-- Uses up a setup link and creates the first user, organization and project in one transaction.
-- Returns no row if the link is invalid or expired.
create or replace function set_up(
  p_hash bytea, p_user_public_id text, p_name text, p_email text,
  p_organization_public_id text, p_organization text,
  p_project_public_id text, p_project text, p_slug text, p_address_prefix text
) returns table (user_id bigint, organization_id bigint, project_id bigint)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_user bigint;
  new_organization bigint;
  new_project bigint;
begin
  -- If two people set up at once, the second call waits and finds a user.
  perform pg_advisory_xact_lock(lock_class('set-up'), 0);
  if has_users() then return; end if;
  delete from sign_in_link l where l.token_hash = p_hash and l.kind = 'setup' and l.expires_at > now();
  if not found then return; end if;
  delete from sign_in_link l where l.kind = 'setup';
  insert into app_user (public_id, email, name, verified_at, made_by_link)
    values (p_user_public_id, p_email, p_name, now(), true) returning id into new_user;
  -- An organization with this name that the command line created is used.
  select o.id into new_organization from organization o where o.name = p_organization
   order by o.created_at limit 1;
  if new_organization is null then
    insert into organization (public_id, name) values (p_organization_public_id, p_organization)
      returning id into new_organization;
  end if;
  select p.id into new_project from project p
   where p.organization_id = new_organization and p.slug = p_slug;
  if new_project is null then
    insert into project (organization_id, public_id, slug, name)
      values (new_organization, p_project_public_id, p_slug, p_project) returning id into new_project;
    insert into conversation_sequence (project_id) values (new_project);
  end if;
  insert into membership (organization_id, user_id, role) values (new_organization, new_user, 'owner');
  insert into audit_event (organization_id, project_id, actor, action, object, after, address_prefix) values
    (new_organization, null, 'user ' || p_user_public_id, 'organization.set-up', p_email,
     jsonb_build_object('organization', p_organization, 'role', 'owner'), p_address_prefix),
    (new_organization, new_project, 'user ' || p_user_public_id, 'project.create',
     (select p.public_id from project p where p.id = new_project),
     jsonb_build_object('name', p_project, 'slug', p_slug), p_address_prefix);
  return query select new_user, new_organization, new_project;
end
$$;

-- Returns the ids of an invitation without using it up.
create or replace function find_invitation(p_hash bytea)
returns table (organization_id bigint, invitation_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.organization_id, i.id from invitation i where i.token_hash = p_hash and i.expires_at > now()
$$;

-- Uses up an invitation and grants its role to a person. A higher role that the person already has
-- is kept.
create or replace function join_by_invitation(p_invited invitation, p_person app_user, p_address_prefix text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  old_role text;
begin
  delete from invitation i where i.organization_id = p_invited.organization_id and i.id = p_invited.id;
  select m.role into old_role from membership m
   where m.organization_id = p_invited.organization_id and m.user_id = p_person.id
     and m.project_id is not distinct from p_invited.project_id for update;
  insert into membership as m (organization_id, user_id, project_id, role)
    values (p_invited.organization_id, p_person.id, p_invited.project_id, p_invited.role)
    on conflict (organization_id, user_id, project_id) do update set role = excluded.role
      where role_rank(excluded.role) > role_rank(m.role);
  insert into audit_event (organization_id, project_id, actor, action, object, before, after, address_prefix)
    values (p_invited.organization_id, p_invited.project_id, 'user ' || p_person.public_id, 'member.join', p_person.email,
            case when old_role is not null then jsonb_build_object('role', old_role) end,
            jsonb_build_object('role', case when role_rank(old_role) > role_rank(p_invited.role) then old_role else p_invited.role end,
                               'invitedBy', p_invited.invited_by),
            p_address_prefix);
end
$$;

-- Uses up an invitation and grants its role to the user with the invited address, who keeps a
-- higher role. If the address already has a user, that user has to be signed in, because the person
-- who created the link knows it too and must not be able to sign in as another user with it. For
-- the same reason, the address of a new user is not verified, and an existing user without a
-- verified address has to be a member of the organization already.
create or replace function accept_invitation(
  p_hash bytea, p_person bigint, p_user_public_id text, p_name text, p_address_prefix text
) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  invited invitation;
  person app_user;
begin
  select * into invited from invitation i where i.token_hash = p_hash and i.expires_at > now() for update;
  if invited.id is null then return null; end if;
  select u.* into person from app_user u where u.email = invited.email;
  if person.id is distinct from p_person then return null; end if;
  if person.id is null then
    insert into app_user (public_id, email, name, made_by_link)
      values (p_user_public_id, invited.email, p_name, true)
      on conflict (email) do nothing returning * into person;
    if person.id is null then return null; end if;
  elsif person.verified_at is null and not exists (
    select from membership m where m.user_id = person.id and m.organization_id = invited.organization_id)
  then return null;
  end if;
  perform join_by_invitation(invited, person, p_address_prefix);
  return person.id;
end
$$;

-- Deletes expired sessions, links and invitations. Returns the number of deleted sessions.
create or replace function forget_sessions(p_idle interval) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- Only other functions and the operator's commands call the following functions.
revoke execute on function verify_address(bigint, bigint), refuse_unverified(),
  join_by_invitation(invitation, app_user, text) from public;
revoke execute on function find_session(bytea[]), find_memberships(bigint), has_users(), lock_verified(bigint),
  log_person_event(bigint, jsonb), log_refused_sign_in(text, jsonb, text),
  find_project_role(bigint, text), find_organization_role(bigint, text), add_setup_link(bytea, interval),
  read_sign_in_link(bytea), spend_login_link(bytea), find_invitation(bytea),
  accept_invitation(bytea, bigint, text, text, text), forget_sessions(interval),
  set_up(bytea, text, text, text, text, text, text, text, text, text) from public;
grant execute on function find_session(bytea[]), find_memberships(bigint), has_users(), lock_verified(bigint),
  log_person_event(bigint, jsonb), log_refused_sign_in(text, jsonb, text),
  find_project_role(bigint, text), find_organization_role(bigint, text), add_setup_link(bytea, interval),
  read_sign_in_link(bytea), spend_login_link(bytea), find_invitation(bytea),
  accept_invitation(bytea, bigint, text, text, text), forget_sessions(interval),
  set_up(bytea, text, text, text, text, text, text, text, text, text) to octavo_app;
