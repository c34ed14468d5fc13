-- Returns deployments of the project that still need vectors of a model: the live one first, then
-- previews. An unapproved preview of a fork gets no vectors, because its author is untrusted and
-- vectors cost money.
create or replace function pending_vectors(p_model text)
returns table (id text, root bytea, embedded integer, is_recent boolean)
language sql stable as $$
  select d.id, d.root, coalesce(w.embedded, 0),
         greatest(d.published_at, d.finished_at) > now() - interval '1 hour'
    from deployment d
    left join deployment_vectors w
      on w.project_id = current_project() and w.deployment_id = d.id and w.model = p_model
   where d.project_id = current_project() and d.state = 'ready'
     and (w.model is null or w.try_after <= now())
     and (exists (select from publication p where p.project_id = current_project() and p.deployment_id = d.id)
       or exists (select from preview v where v.project_id = current_project() and v.deployment_id = d.id
                     and v.runs_scripts and v.expires_at > now()))
   order by d.target = 'preview', d.number desc
$$;

-- Returns projects with deployments that still need vectors of a model.
create or replace function find_vector_work(p_model text, p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct p.organization_id, p.id
    from (select u.project_id, u.deployment_id from publication u where u.deployment_id is not null
          union all
          select v.project_id, v.deployment_id from preview v where v.runs_scripts and v.expires_at > now()) s
    join project p on p.id = s.project_id and is_served(p)
    join deployment d on d.project_id = s.project_id and d.id = s.deployment_id and d.state = 'ready'
   where not exists (
     select from deployment_vectors w
      where w.project_id = s.project_id and w.deployment_id = s.deployment_id and w.model = p_model
        and (w.try_after is null or w.try_after > now()))
   limit p_limit
$$;
revoke execute on function find_vector_work(text, integer) from public;
grant execute on function find_vector_work(text, integer) to octavo_app;
