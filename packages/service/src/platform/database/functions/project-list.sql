-- The list of a person's projects, with their states and the failed build that needs a fix.

-- Returns the author of the commit that a deployment was built from, or the name of the person or
-- key that uploaded it.
create or replace function deployment_author(d deployment) returns text language sql stable as $$
  select coalesce(
    (select b.author from build b where b.project_id = d.project_id and b.number = d.number),
    (select k.name from api_key k where k.project_id = d.project_id and d.created_by = 'key ' || k.id),
    (select u.name from app_user u where d.created_by = 'user ' || u.public_id))
$$;

-- Returns the newest build of the live branch if it failed. It is no longer returned when a newer
-- build succeeds, a newer deployment is live, or the repository is disconnected. A skipped build
-- does not count, because it has the same pages as the last successful one.
create or replace function failed_build() returns setof build language sql stable rows 1 as $$
  select b.* from (
    select b.* from build b
     where b.project_id = current_project() and b.target = 'production' and b.state in ('finished', 'failed', 'skipped')
     order by b.number desc limit 1) b
   where b.state = 'failed'
     and exists (select from connection c where c.project_id = current_project())
     and not exists (
       select from publication p join deployment d on d.project_id = p.project_id and d.id = p.deployment_id
        where p.project_id = current_project() and d.number > b.number)
$$;

create or replace function describe_build(b build) returns jsonb language sql stable as $$
  select case when b.id is not null then jsonb_build_object(
    'id', b.id, 'number', b.number, 'branch', b.ref, 'message', b.message, 'author', b.author, 'errors', b.error_count,
    'finishedAt', b.finished_at) end
$$;

-- Describes the project that the transaction is bound to. `state` is the state that its owner
-- should see first.
create or replace function describe_project(p project)
returns table (state text, open_gaps integer, deployed_at timestamptz, facts jsonb)
language sql stable rows 1 as $$
  select case
      when p.archived_at is not null then 'archived'
      when p.suspended_reason is not null then 'suspended'
      when f.id is not null then 'failed'
      when o.is_building then 'building'
      when u.lock_reason is not null then 'locked'
      when u.deployment_id is not null then 'live'
      when exists (select from deployment e where e.project_id = current_project()) then 'offline'
      else 'never' end,
    (select count(*)::integer from gap g where g.project_id = current_project() and g.state = 'open' and not is_noise(g)),
    d.published_at,
    jsonb_build_object(
      'id', p.public_id, 'name', p.name, 'slug', p.slug, 'isBuilding', o.is_building,
      'live', case when d.id is not null then jsonb_build_object(
        'id', d.id, 'number', d.number, 'message', d.message, 'author', deployment_author(d), 'publishedAt', d.published_at) end,
      'failedBuild', describe_build(f),
      'domain', (select c.name from domain_claim c
         where c.project_id = current_project() and c.state = 'active' and c.missing_since is null and not c.redirects
           and c.checks #>> '{certificate,state}' = 'ok'
         order by c.created_at, c.name limit 1))
    from (select exists (
        select from build b where b.project_id = current_project() and b.target = 'production'
           and b.state in ('queued', 'fetching', 'building', 'uploading')) as is_building) o
    left join publication u on u.project_id = current_project()
    left join deployment d on d.project_id = u.project_id and d.id = u.deployment_id
    left join failed_build() f on true
$$;

-- Returns all projects of a person in one round trip. The transaction is bound to each project in
-- turn, so row-level security applies here too.
create or replace function list_projects(p_user bigint)
returns table (
  organization text, organization_name text, role text, access text, state text, open_gaps integer,
  deployed_at timestamptz, facts jsonb)
language plpgsql as $$
declare
  own record;
  one project;
begin
  for own in
    select m.organization_id, max(m.role) filter (where m.project_id is null) as role,
           jsonb_object_agg(m.project_id, m.role) filter (where m.project_id is not null) as roles
      from find_memberships(p_user) m group by 1
  loop
    perform set_config('octavo.organization_id', own.organization_id::text, true);
    select o.public_id, o.name into strict organization, organization_name
      from organization o where o.id = current_organization();
    for one in
      select p.* from project p
       where p.organization_id = current_organization() and p.deleted_at is null
         and (own.role is not null or own.roles ? p.id::text)
       order by p.name, p.id limit 1000
    loop
      perform set_config('octavo.project_id', one.id::text, true);
      role := (select r from unnest(array[own.role, own.roles ->> one.id::text]) r
                where r is not null order by role_rank(r) desc limit 1);
      access := one.protection;
      select d.state, d.open_gaps, d.deployed_at, d.facts into list_projects.state, list_projects.open_gaps,
        list_projects.deployed_at, list_projects.facts from describe_project(one) d;
      return next;
    end loop;
    perform set_config('octavo.project_id', '', true);
  end loop;
  perform set_config('octavo.organization_id', '', true);
end
$$;
