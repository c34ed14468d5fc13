-- Gaps: questions that the documentation does not answer. Their texts are read from conversations
-- whenever they are needed, and stored nowhere else.

-- Notes that the gaps of the project have to be looked at.
create or replace function note_gap_work() returns void
language sql as $$
  insert into gap_work as w (project_id) values (current_project())
    on conflict (project_id) do update set since = clock_timestamp()
$$;

-- The same after a deployment, which matters only to a project that has gaps.
create or replace function note_gap_deployment() returns void
language plpgsql as $$
begin
  if exists (select from gap g where g.project_id = current_project()) then
    perform note_gap_work();
  end if;
end
$$;

-- Projects with such notes, the oldest first.
create or replace function find_gap_work(p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, w.project_id from gap_work w
    join project p on p.id = w.project_id and p.archived_at is null and p.deleted_at is null
   order by w.since limit p_limit
$$;
revoke execute on function find_gap_work(integer) from public;
grant execute on function find_gap_work(integer) to octavo_app;

-- Questions that belong to no gap yet, the oldest first. Ids become visible in their order, so none
-- comes later that is older than one that has a gap. Those that ended for other reasons than what is
-- written in the documentation are no gaps.
create or replace function find_unsorted_questions(p_limit integer)
returns table (id text, query text, deployment_id text)
language sql stable as $$
  select c.id, c.query, d.deployment_id
    from conversation_detail d
    join conversation c on c.project_id = d.project_id and c.id = d.id
   where d.project_id = current_project() and d.reason in ('declared', 'no-sources', 'low-support')
     and c.query_category is distinct from 'off-topic'
     and not exists (select from gap_conversation s where s.project_id = d.project_id and s.conversation_id = d.id)
     and d.id > coalesce(
       (select max(g.conversation_id) from gap_conversation g where g.project_id = current_project()), '')
   order by d.id limit p_limit
$$;

-- Puts a question into a gap, a new one if none is named. Gives the id of the gap; nothing if the
-- conversation was erased meanwhile. A reader who gets no answer from the deployment that closed
-- a gap, or from a later one, opens it again.
create or replace function add_to_gap(p_gap text, p_conversation text, p_deployment text)
returns text language plpgsql as $$
declare
  project bigint := lock_project();
  gap_id text := p_gap;
begin
  if not exists (select from conversation c where c.project_id = project and c.id = p_conversation) then
    return null;
  end if;
  if not exists (select from gap g where g.project_id = project and g.id = p_gap) then
    gap_id := make_ulid(now_ms(), (random() * 1048575)::integer);
    insert into gap (project_id, id, open_deployment_id) values (project, gap_id, p_deployment);
  end if;
  insert into gap_conversation (project_id, conversation_id, gap_id)
    values (project, p_conversation, gap_id) on conflict do nothing;
  update gap g
     set state = case when g.linked_page is null then 'open' else 'linked' end, open_deployment_id = p_deployment,
         closed_deployment_id = null, section_url = null, section_sha256 = null, verified_by = null,
         changed_at = case when g.state in ('open', 'linked') then g.changed_at else now() end
   where g.project_id = project and g.id = gap_id and g.state <> 'dismissed'
     and coalesce(g.closed_deployment_id, g.open_deployment_id, '') <= p_deployment;
  return gap_id;
end
$$;

-- Gaps with what is known of their conversations, the newest gap first, from before an id. Examples
-- are the newest questions.
create or replace function read_gaps(p_id text, p_states text[], p_before text, p_limit integer)
returns table (gap json)
language sql stable as $$
  select json_build_object(
      'id', g.id, 'state', g.state, 'linkedPage', g.linked_page, 'openIn', g.open_deployment_id,
      'checkedIn', g.checked_deployment_id, 'closedIn', g.closed_deployment_id, 'sectionUrl', g.section_url,
      'sectionSha256', g.section_sha256, 'verifiedBy', g.verified_by, 'modelAskedIn', g.model_deployment_id,
      'changedAt', g.changed_at, 'count', a.count, 'firstAskedAt', f.recorded_at,
      'lastAskedAt', l.recorded_at, 'nearest', coalesce(d.nearest, json '[]'), 'examples', e.queries)
    from (select * from gap o
           where o.project_id = current_project() and (p_id is null or o.id = p_id)
             and (p_states is null or o.state = any (p_states)) and (p_before is null or o.id < p_before)
           order by o.id desc limit p_limit) g
    cross join lateral (
      select count(*)::integer as count, min(c.conversation_id) as first_id, max(c.conversation_id) as last_id
        from gap_conversation c where c.project_id = current_project() and c.gap_id = g.id) a
    cross join lateral (
      select json_agg(n.query order by n.id desc) as queries from (
        select c.id, c.query from gap_conversation m
          join conversation c on c.project_id = m.project_id and c.id = m.conversation_id
         where m.project_id = current_project() and m.gap_id = g.id
         order by m.conversation_id desc limit 3) n) e
    join conversation f on f.project_id = g.project_id and f.id = a.first_id
    join conversation l on l.project_id = g.project_id and l.id = a.last_id
    left join conversation_detail d on d.project_id = g.project_id and d.id = a.last_id
   order by g.id desc
$$;
