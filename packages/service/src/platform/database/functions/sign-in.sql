-- Functions for signing in with an account at a provider, an e-mailed code, a passkey or a recovery
-- code, and from the command line.

-- Marks a single-use token as used. Returns false if it was used before.
create or replace function spend_once(p_hash bytea, p_lifetime interval) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into used_token (token_hash, expires_at) values (p_hash, now() + p_lifetime)
    on conflict do nothing;
  return found;
end
$$;

-- Counts one attempt in the current window. If the last window is over, a new one begins.
create or replace function count_sign_in(p_key bytea, p_seconds integer,
  out used integer, out seconds_left integer)
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into sign_in_count as c (key_hash, began_at, used) values (p_key, clock_timestamp(), 1)
  on conflict (key_hash) do update set
    used = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.used + 1 else 1 end,
    began_at = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.began_at else excluded.began_at end
  returning c.used,
    greatest(1, ceil(p_seconds - extract(epoch from clock_timestamp() - c.began_at)))::integer
$$;

-- Creates a user with a verified address if the policy allows it or the address was invited, and
-- accepts the invitations of the address. Returns null if the person may not join. Never creates
-- the first user, who signs up with the setup link in the log.
create or replace function admit_by_email(
  p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text, p_address_prefix text
) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person app_user;
begin
  if not has_users() then return null; end if;
  if not p_may_join and not (p_may_be_invited and exists (
    select from invitation i where i.email = p_email and i.expires_at > now()))
  then return null; end if;
  insert into app_user (public_id, email, name, verified_at) values (p_public_id, p_email, p_name, now())
    on conflict (email) do nothing returning * into person;
  if person.id is null or not p_may_be_invited then return person.id; end if;
  perform join_by_invitation(i, person, p_address_prefix) from invitation i
   where i.email = p_email and i.expires_at > now();
  delete from invitation i where i.email = p_email;
  return person.id;
end
$$;

-- Signs in with an account at a provider. The user is found by the account, or else by an address
-- that the provider has verified (p_email is null if it has not). Accounts are linked only by
-- verified addresses, so signing in with a linked account verifies the address of the user. If a
-- sign-in is rejected, the result contains the user if there is one.
create or replace function sign_in_by_identity(
  p_issuer text, p_subject text, p_email text, p_may_join boolean, p_may_be_invited boolean,
  p_public_id text, p_name text, p_address_prefix text
) returns table (user_id bigint, outcome text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  identity user_identity;
  person app_user;
  admitted bigint;
begin
  update user_identity i set last_used_at = now() where i.issuer = p_issuer and i.subject = p_subject
  returning i.* into identity;
  if identity.id is null then
    -- If the same person signs in for the first time twice at once, the second call waits and finds
    -- the user of the first one.
    perform pg_advisory_xact_lock(lock_class('identity'), 0);
    select i.* into identity from user_identity i where i.issuer = p_issuer and i.subject = p_subject;
  end if;
  select u.* into person from app_user u where u.id = identity.user_id;
  if person.disabled_at is not null then return query select person.id, 'disabled'; return; end if;
  if person.id is not null then
    perform verify_address(person.id, identity.id);
    return query select person.id, 'known';
    return;
  end if;
  if p_email is null then return query select null::bigint, 'unverified'; return; end if;
  select u.* into person from app_user u where u.email = p_email;
  if person.disabled_at is not null then return query select person.id, 'disabled'; return; end if;
  if person.id is null then
    admitted := admit_by_email(p_email, p_may_join, p_may_be_invited, p_public_id, p_name, p_address_prefix);
    if admitted is null then
      return query select null::bigint, case when has_users() then 'closed' else 'not-set-up' end;
      return;
    end if;
    insert into user_identity (user_id, issuer, subject) values (admitted, p_issuer, p_subject);
    return query select admitted, 'new';
    return;
  end if;
  -- The provider has assigned the address to another account, which must not get the user of the first account.
  if exists (select from user_identity i where i.user_id = person.id and i.issuer = p_issuer) then
    return query select person.id, 'other-account';
    return;
  end if;
  perform verify_address(person.id);
  insert into user_identity (user_id, issuer, subject) values (person.id, p_issuer, p_subject);
  return query select person.id, 'linked';
end
$$;

-- Grants the roles that a person gets from groups at a provider, and revokes roles from the same
-- provider that they no longer get. Roles that another person granted are not changed, and the last
-- owner keeps their role.
create or replace function apply_group_roles(
  p_user bigint, p_issuer text, p_grants jsonb, p_actor text, p_address_prefix text
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  place record;
begin
  for place in
    with granted as (
      select o.id as organization_id, p.id as project_id,
             (array_agg(g.role order by role_rank(g.role) desc))[1] as role
        from jsonb_to_recordset(p_grants) as g (organization text, project text, role text)
        join organization o on o.public_id = g.organization
        left join project p on p.organization_id = o.id and p.public_id = g.project
       where g.project is null or p.id is not null
       group by o.id, p.id)
    select coalesce(g.organization_id, m.organization_id) as organization_id,
           coalesce(g.project_id, m.project_id) as project_id, m.id, m.granted_by,
           m.role as before, g.role as after, u.email
      from granted g
      full join (select * from membership where user_id = p_user) m
        on m.organization_id = g.organization_id and m.project_id is not distinct from g.project_id
      join app_user u on u.id = p_user
     where m.role is distinct from g.role
       and (m.id is null or m.granted_by = p_issuer)
     order by 1, 2 nulls first
  loop
    if place.before = 'owner' and place.project_id is null then
      perform from organization o where o.id = place.organization_id for update;
      continue when not exists (
        select from membership m where m.organization_id = place.organization_id
           and m.project_id is null and m.role = 'owner' and m.user_id <> p_user);
    end if;
    if place.after is null then
      delete from membership m where m.organization_id = place.organization_id and m.id = place.id;
    elsif place.id is null then
      insert into membership (organization_id, user_id, project_id, role, granted_by)
        values (place.organization_id, p_user, place.project_id, place.after, p_issuer);
    else
      update membership m set role = place.after
       where m.organization_id = place.organization_id and m.id = place.id;
    end if;
    insert into audit_event (organization_id, project_id, actor, action, object, before, after, address_prefix)
      values (place.organization_id, place.project_id, p_actor,
              case when place.after is null then 'member.remove' else 'member.role' end, place.email,
              case when place.before is not null then jsonb_build_object('role', place.before) end,
              case when place.after is not null then jsonb_build_object('role', place.after) end,
              p_address_prefix);
  end loop;
end
$$;

-- Returns whether an e-mail with a sign-in code may be sent to this address.
create or replace function may_sign_in_by_email(p_email text, p_may_join boolean, p_may_be_invited boolean)
returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select has_users() and coalesce(
    (select u.disabled_at is null from app_user u where u.email = p_email),
    p_may_join or (p_may_be_invited and exists (
      select from invitation i where i.email = p_email and i.expires_at > now())))
$$;

-- Stores a sign-in code for the browser that requested it. It replaces an earlier code of this
-- browser.
create or replace function add_sign_in_code(
  p_browser bytea, p_code bytea, p_link bytea, p_email text, p_next text, p_tries integer, p_lifetime interval
) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into sign_in_code (browser_hash, code_hash, link_hash, email, next_path, tries_left, expires_at)
    values (p_browser, p_code, p_link, p_email, p_next, p_tries, now() + p_lifetime)
  on conflict (browser_hash) do update set code_hash = excluded.code_hash, link_hash = excluded.link_hash,
    email = excluded.email, next_path = excluded.next_path, tries_left = excluded.tries_left,
    expires_at = excluded.expires_at
$$;

-- Checks a sign-in code and counts the attempt. The outcome is `right`, `wrong` with the number of
-- attempts left, or `over` if the code has expired or has no attempts left.
create or replace function try_sign_in_code(p_browser bytea, p_code bytea)
returns table (outcome text, email text, next_path text, tries_left integer)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  row sign_in_code;
begin
  update sign_in_code c set tries_left = c.tries_left - 1
   where c.browser_hash = p_browser and c.tries_left > 0 and c.expires_at > now()
  returning * into row;
  if row.browser_hash is null then
    return query select 'over', null::text, null::text, 0;
  elsif row.code_hash = p_code then
    delete from sign_in_code c where c.browser_hash = p_browser;
    return query select 'right', row.email, row.next_path, 0;
  else
    return query select 'wrong', row.email, row.next_path, row.tries_left;
  end if;
end
$$;

-- Returns the address that a sign-in link was mailed to, without using up the link, because mail
-- scanners open every link.
create or replace function read_mailed_link(p_link bytea)
returns table (email text, seconds_left integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.email, extract(epoch from c.expires_at - now())::integer
    from sign_in_code c where c.link_hash = p_link and c.expires_at > now()
$$;

create or replace function spend_mailed_link(p_link bytea)
returns table (email text, next_path text)
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from sign_in_code c where c.link_hash = p_link and c.expires_at > now()
  returning c.email, c.next_path
$$;

-- Signs in with an e-mail address that the person has just proved to own. Returns null if the
-- person may not sign in.
create or replace function sign_in_by_email(
  p_email text, p_may_join boolean, p_may_be_invited boolean, p_public_id text, p_name text, p_address_prefix text
) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  person app_user;
begin
  select * into person from app_user u where u.email = p_email;
  if person.disabled_at is not null then return null; end if;
  if person.id is not null then
    perform verify_address(person.id);
    return person.id;
  end if;
  return admit_by_email(p_email, p_may_join, p_may_be_invited, p_public_id, p_name, p_address_prefix);
end
$$;

-- Returns the user of a passkey. The caller then binds a transaction to the user to read the rest
-- of the passkey.
create or replace function find_passkey(p_credential bytea) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.user_id from passkey k join app_user u on u.id = k.user_id
   where k.credential_id = p_credential and u.disabled_at is null
$$;

-- Uses up a recovery code and returns the user that it signs in. The other codes are marked as
-- saved, because a person who has one of them has saved all.
create or replace function spend_recovery_code(p_email text, p_code bytea) returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with spent as (
    delete from recovery_code r using app_user u
     where u.email = p_email and u.disabled_at is null and r.user_id = u.id and r.code_hash = p_code
    returning r.user_id),
  saved as (
    update recovery_code r set saved_at = now() from spent s
     where r.user_id = s.user_id and r.code_hash <> p_code and r.saved_at is null)
  select s.user_id from spent s
$$;

create or replace function add_device_request(
  p_device bytea, p_code bytea, p_name text, p_address_prefix text, p_lifetime interval
) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into device_request (device_hash, code_hash, device, address_prefix, expires_at)
    values (p_device, p_code, p_name, p_address_prefix, now() + p_lifetime) on conflict do nothing;
  return found;
end
$$;

-- Returns the device request with the code that a person typed, if it is not decided yet.
create or replace function read_device_request(p_code bytea)
returns table (device text, address_prefix text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.device, d.address_prefix from device_request d
   where d.code_hash = p_code and d.expires_at > now() and d.user_id is null and not d.is_denied
$$;

-- Approves or denies a device request on behalf of a person. Returns false if no undecided request
-- has the code.
create or replace function decide_device_request(p_code bytea, p_user bigint, p_is_denied boolean)
returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update device_request d set user_id = p_user, is_denied = p_is_denied
   where d.code_hash = p_code and d.expires_at > now() and d.user_id is null and not d.is_denied;
  return found;
end
$$;

-- Returns the state of a device request. This call uses up a request that was approved or denied.
create or replace function poll_device_request(p_device bytea, p_interval interval)
returns table (state text, user_id bigint, device text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  row device_request;
begin
  select * into row from device_request d where d.device_hash = p_device and d.expires_at > now() for update;
  if row.device_hash is null then return query select 'expired', null::bigint, ''; return; end if;
  if row.user_id is not null then
    delete from device_request d where d.device_hash = p_device;
    if row.is_denied then return query select 'denied', null::bigint, row.device;
    else return query select 'allowed', row.user_id, row.device;
    end if;
    return;
  end if;
  update device_request d set polled_at = now() where d.device_hash = p_device;
  return query select
    case when row.polled_at > now() - p_interval then 'slow-down' else 'pending' end, null::bigint, row.device;
end
$$;

-- Deletes expired sign-in data. Returns the number of deleted codes.
create or replace function forget_sign_ins() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from used_token where expires_at < now();
  delete from sign_in_count where began_at < now() - interval '1 day';
  delete from device_request where expires_at < now();
  delete from sign_in_code where expires_at < now();
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array[
    'spend_once(bytea, interval)', 'count_sign_in(bytea, integer)',
    'admit_by_email(text, boolean, boolean, text, text, text)',
    'sign_in_by_identity(text, text, text, boolean, boolean, text, text, text)',
    'apply_group_roles(bigint, text, jsonb, text, text)',
    'may_sign_in_by_email(text, boolean, boolean)',
    'add_sign_in_code(bytea, bytea, bytea, text, text, integer, interval)',
    'try_sign_in_code(bytea, bytea)', 'read_mailed_link(bytea)', 'spend_mailed_link(bytea)',
    'sign_in_by_email(text, boolean, boolean, text, text, text)', 'find_passkey(bytea)',
    'spend_recovery_code(text, bytea)', 'add_device_request(bytea, bytea, text, text, interval)',
    'read_device_request(bytea)', 'decide_device_request(bytea, bigint, boolean)',
    'poll_device_request(bytea, interval)', 'forget_sign_ins()'
  ] loop
    execute format('revoke execute on function %s from public', name);
    execute format('grant execute on function %s to octavo_app', name);
  end loop;
end
$$;
