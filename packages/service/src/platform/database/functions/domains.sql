-- Custom domains. Whether a name is taken depends on all projects, so these functions run as
-- octavo_definer. Each is for the project of the transaction and reveals at most one word about
-- other projects.

-- Returns how long a site is still served at a custom domain after the DNS record was removed.
create or replace function domain_grace() returns interval language sql immutable as $$ select interval '7 days' $$;

-- Returns how long after the end of a claim the same DNS record can prove the name again.
create or replace function domain_quarantine() returns interval language sql immutable as $$ select interval '30 days' $$;

-- Returns the name with `www.` added or removed.
create or replace function domain_counterpart(p_name text) returns text language sql immutable as $$
  select case when p_name like 'www.%' then substr(p_name, 5) else 'www.' || p_name end
$$;

-- Guards the table as a second check. The functions below run as octavo_definer, which no row-level
-- policy restricts to a project. With this trigger, a transaction can only write claims of its
-- project, mark a claim of another project as lost, or delete a removed claim of its organization.
create or replace function guard_domain_claim() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  own bigint := nullif(current_setting('octavo.project_id', true), '')::bigint;
begin
  if own is null or coalesce(old.project_id, new.project_id) = own then null;
  elsif tg_op = 'UPDATE' and old.state = 'active' and new.state = 'lost' then null;
  elsif tg_op = 'DELETE' and old.state = 'removed' and exists (
    select from project a join project b on a.organization_id = b.organization_id
     where a.id = old.project_id and b.id = own) then null;
  else raise exception 'this domain belongs to another project';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;
create or replace trigger guard before insert or update or delete on domain_claim
  for each row execute function guard_domain_claim();

-- Claims a name for the project. During the quarantine, a project of the same organization gets the
-- same DNS record again. Returns `claimed`, or the reason why the claim is rejected.
create or replace function claim_domain(p_name text, p_token text, p_max integer) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  kept text;
begin
  -- A project makes one claim at a time, so that two claims cannot exceed the limit together.
  perform from project p
   where p.organization_id = current_organization() and p.id = current_project() and p.deleted_at is null for update;
  if not found then return 'not-found'; end if;
  if exists (select from domain_claim c where c.project_id = current_project() and c.name = p_name and c.state <> 'removed')
  then return 'exists'; end if;
  if (select count(*) from domain_claim c where c.project_id = current_project() and c.state <> 'removed') >= p_max
  then return 'too-many'; end if;
  if exists (
    select from domain_claim c join project p on p.id = c.project_id
     where c.name = p_name and c.state <> 'removed' and c.project_id <> current_project()
       and p.organization_id = current_organization() and p.deleted_at is null)
  then return 'elsewhere'; end if;
  select c.token into kept from domain_claim c join project p on p.id = c.project_id
   where c.name = p_name and p.organization_id = current_organization()
     and c.state = 'removed' and c.seen_at is not null and c.ended_at > now() - domain_quarantine()
   order by c.ended_at desc limit 1;
  delete from domain_claim c using project p
   where p.id = c.project_id and p.organization_id = current_organization()
     and c.name = p_name and c.state = 'removed';
  insert into domain_claim (project_id, name, token) values (current_project(), p_name, coalesce(kept, p_token));
  return 'claimed';
end
$$;

-- Decides a claim by the values in DNS, which were queried `p_seconds` ago: `p_common` are the
-- values that every server returned, and `p_any` those of at least one server. Returns the state of
-- the claim, `held` if another project has the name and its record still exists, or `none` if there
-- is no claim.
create or replace function prove_domain(p_name text, p_common text[], p_any text[], p_seconds double precision)
returns text language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  own domain_claim;
  holder domain_claim;
begin
  -- Decisions about a name are made one at a time.
  perform pg_advisory_xact_lock(lock_class('domain'), hashtext(p_name));
  select * into own from domain_claim c
   where c.project_id = current_project() and c.name = p_name and c.state <> 'removed' for update;
  if own.name is null then return 'none'; end if;
  if not own.token = any (p_common) then
    if own.state <> 'active' then return own.state; end if;
    update domain_claim c
       set missing_since = coalesce(c.missing_since, now()),
           state = case when c.missing_since <= now() - domain_grace() then 'lapsed' else c.state end,
           ended_at = case when c.missing_since <= now() - domain_grace() then now() end
     where c.project_id = own.project_id and c.name = p_name
    returning c.state into own.state;
    return own.state;
  end if;
  select * into holder from domain_claim c
   where c.name = p_name and c.state = 'active' and c.project_id <> own.project_id for update;
  if holder.name is not null then
    if exists (select from project p where p.id = holder.project_id and p.deleted_at is null)
       and (holder.token = any (p_any) or holder.seen_at > clock_timestamp() - make_interval(secs => p_seconds))
    then return 'held'; end if;
    update domain_claim c set state = 'lost', ended_at = now(), missing_since = null
     where c.project_id = holder.project_id and c.name = p_name;
    insert into audit_event (organization_id, project_id, actor, action, object)
      select p.organization_id, p.id, 'service', 'domain.lost', p_name from project p where p.id = holder.project_id;
  end if;
  update domain_claim c
     set state = 'active', seen_at = clock_timestamp(), missing_since = null, ended_at = null
   where c.project_id = own.project_id and c.name = p_name;
  return 'active';
end
$$;

-- Ends the claim of the project. Returns false if there is no claim.
create or replace function remove_domain(p_name text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update domain_claim c set state = 'removed', ended_at = now(), missing_since = null, redirects = false
   where c.project_id = current_project() and c.name = p_name and c.state <> 'removed';
  return found;
end
$$;

-- Returns all names at which sites are served, with the slug of the site and the name that readers
-- are redirected to. Hosts keep the list in memory and read it every few seconds. The name to
-- redirect to is looked up by its key, so that no query plan compares all names with each other.
create or replace function find_served_domains()
returns table (name text, slug text, redirect_to text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.name, p.slug, case when c.redirects then (
      select o.name from domain_claim o
       where o.project_id = c.project_id and o.name = domain_counterpart(c.name) and not o.redirects
         and o.state = 'active' and (o.missing_since is null or o.missing_since > now() - domain_grace()))
    end
    from domain_claim c join project p on p.id = c.project_id
   where c.state = 'active' and (c.missing_since is null or c.missing_since > now() - domain_grace()) and is_served(p)
$$;

-- Returns the claims that are due for a check and schedules their next check: a day later, or 15
-- minutes later for a new claim.
create or replace function take_due_domains(p_limit integer)
returns table (organization_id bigint, project_id bigint, name text)
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update domain_claim c
     set next_check_at = now() + case
           when c.state = 'waiting' and c.created_at > now() - interval '2 days' then interval '15 minutes'
           else interval '1 day' end
    from (select d.project_id, d.name, p.organization_id from domain_claim d join project p on p.id = d.project_id
           where d.next_check_at <= now() and d.state <> 'removed' and p.deleted_at is null and p.moving_since is null
           order by d.next_check_at limit p_limit for update of d skip locked) due
   where c.project_id = due.project_id and c.name = due.name
  returning due.organization_id, c.project_id, c.name
$$;

-- Returns when the first certificate of a custom domain expires, according to the last checks, and
-- how many expire soon.
create or replace function count_certificates(p_soon interval, out ends_at timestamptz, out ending integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select min(d.ends_at), count(*) filter (where d.ends_at < now() + p_soon)
    from (select (c.checks #>> '{certificate,endsAt}')::timestamptz as ends_at
            from domain_claim c join project p on p.id = c.project_id
           where c.state = 'active' and is_served(p)) d
$$;

-- Deletes claims that ended more than 30 days ago, and claims that were not proven within 30 days.
-- Returns their number.
create or replace function forget_domains() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from domain_claim c
   where c.ended_at < now() - domain_quarantine()
      or (c.state = 'waiting' and c.created_at < now() - domain_quarantine());
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke execute on function claim_domain(text, text, integer), prove_domain(text, text[], text[], double precision),
  remove_domain(text), find_served_domains(), take_due_domains(integer), forget_domains(), count_certificates(interval) from public;
grant execute on function claim_domain(text, text, integer), prove_domain(text, text[], text[], double precision),
  remove_domain(text), find_served_domains(), take_due_domains(integer), forget_domains(), count_certificates(interval) to octavo_app;
