-- Gaps, which are topics of questions that the documentation does not answer. The texts of the
-- questions are read from conversations when needed, and are not stored anywhere else.

-- Records that the gaps of the project have to be updated.
create or replace function note_gap_work() returns void
language sql as $$
  insert into gap_work as w (project_id) values (current_project())
    on conflict (project_id) do update set since = clock_timestamp()
$$;

-- Records after a deployment that the gaps of the project have to be updated, if it has any, or that
-- readers' questions have to be asked in a preview.
create or replace function note_gap_deployment() returns void
language plpgsql as $$
begin
  if exists (select from gap g where g.project_id = current_project())
     or exists (select from assistant a where a.project_id = current_project() and a.asks_in_previews) then
    perform note_gap_work();
  end if;
end
$$;

-- Returns projects whose gaps have to be updated, the longest waiting project first.
create or replace function find_gap_work(p_limit integer)
returns table (organization_id bigint, project_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.organization_id, w.project_id from gap_work w
    join project p on p.id = w.project_id and p.archived_at is null and p.deleted_at is null
   order by w.since limit p_limit
$$;
revoke execute on function find_gap_work(integer) from public;
grant execute on function find_gap_work(integer) to octavo_app;

-- Returns questions that belong to no gap yet, the oldest first. Before that, removes questions
-- from the queue that are off topic or were unanswered for a reason other than the documentation.
-- Imported questions have no reason and stay in the queue.
create or replace function find_unsorted_questions(p_limit integer)
returns table (id text, query text, deployment_id text)
language plpgsql as $$
begin
  delete from unsorted_question u using conversation_detail d
   where u.project_id = current_project() and d.project_id = u.project_id and d.id = u.conversation_id
     and coalesce(d.reason, '') not in ('declared', 'no-sources', 'low-support');
  delete from unsorted_question u using conversation c
   where u.project_id = current_project() and c.project_id = u.project_id and c.id = u.conversation_id
     and c.query_category = 'off-topic';
  return query
    select c.id, c.query, d.deployment_id
      from unsorted_question u
      join conversation c on c.project_id = u.project_id and c.id = u.conversation_id
      left join conversation_detail d on d.project_id = u.project_id and d.id = u.conversation_id
     where u.project_id = current_project()
     order by u.conversation_id limit p_limit;
end
$$;

-- Returns answered questions of readers with their sources, each question once and the newest first,
-- if the owner wants them to be asked in previews.
create or replace function find_answered_questions(p_conversations integer, p_limit integer)
returns table (id text, query text, sources json)
language sql stable as $$
  select q.id, q.query, q.sources
    from (select n.*, row_number() over (partition by lower(btrim(n.query)) order by n.id desc) as nth
            from (select c.id, c.query, c.sources, c.resolution_status from conversation c
                   where c.project_id = current_project() order by c.id desc limit p_conversations) n
           where n.resolution_status = 'answered') q
   where q.nth = 1
     and exists (select from assistant a where a.project_id = current_project() and a.asks_in_previews)
   order by q.id desc limit p_limit
$$;

-- Adds a question to a gap, or to a new gap if p_gap does not exist. Returns the id of the gap, or
-- null if the conversation was erased meanwhile. A closed gap is opened again if the question was
-- asked in the deployment that closed the gap or in a later one.
create or replace function add_to_gap(p_gap text, p_conversation text, p_deployment text, p_has_words boolean)
returns text language plpgsql as $$
declare
  project bigint := lock_project();
  found_id text;
begin
  if not exists (select from conversation c where c.project_id = project and c.id = p_conversation) then
    return null;
  end if;
  delete from unsorted_question u where u.project_id = project and u.conversation_id = p_conversation;
  select m.gap_id into found_id from gap_conversation m where m.project_id = project and m.conversation_id = p_conversation;
  if found_id is not null then return found_id; end if;
  select g.id into found_id from gap g where g.project_id = project and g.id = p_gap;
  if found_id is null then
    found_id := make_ulid(now_ms(), (random() * 1048575)::integer);
    insert into gap (project_id, id, open_deployment_id, has_words) values (project, found_id, p_deployment, p_has_words);
  end if;
  insert into gap_conversation (project_id, conversation_id, gap_id) values (project, p_conversation, found_id);
  update gap g
     set question_count = g.question_count + 1, has_words = g.has_words or p_has_words,
         last_conversation_id = greatest(g.last_conversation_id, p_conversation)
   where g.project_id = project and g.id = found_id;
  update gap g
     set state = case when g.linked_page is null then 'open' else 'linked' end, open_deployment_id = p_deployment,
         closed_deployment_id = null, section_url = null, section_sha256 = null, verified_by = null,
         changed_at = case when g.state in ('open', 'linked') then g.changed_at else now() end
   where g.project_id = project and g.id = found_id and g.state <> 'dismissed'
     and coalesce(g.closed_deployment_id, g.open_deployment_id, '') <= p_deployment;
  return found_id;
end
$$;

-- Updates the number of conversations of gaps after some were deleted, and deletes gaps that have
-- none left.
create or replace function recount_gaps(p_project bigint, p_gaps text[]) returns void
language sql as $$
  delete from gap g where g.project_id = p_project and g.id = any (p_gaps) and not exists (
    select from gap_conversation m where m.project_id = g.project_id and m.gap_id = g.id);
  update gap g set question_count = m.count, last_conversation_id = m.last_id
    from (select c.gap_id, count(*)::integer as count, max(c.conversation_id) as last_id
            from gap_conversation c where c.project_id = p_project and c.gap_id = any (p_gaps) group by 1) m
   where g.project_id = p_project and g.id = m.gap_id;
$$;

-- Returns whether a gap is noise: a single question without a real word.
create or replace function is_noise(g gap) returns boolean
language sql immutable as $$ select not g.has_words and g.question_count <= 1 $$;

-- Returns the sort key of a gap for a list. If the list is sorted by state, gaps of the same state
-- are sorted by their number of questions, then by id.
create or replace function gap_sort_key(g gap, p_sort text) returns text
language sql immutable as $$
  select case p_sort
    when 'questions' then lpad(g.question_count::text, 10, '0') || '.'
    when 'lastAsked' then g.last_conversation_id || '.'
    when 'state' then array_position(array['open', 'linked', 'likely', 'verified', 'dismissed'], g.state)
      || lpad((9999999999 - g.question_count)::text, 10, '0') || '.'
    else '' end || g.id
$$;

-- Returns gaps with facts about their conversations, starting after the sort key p_after. A '-'
-- before the sort order reverses it. The examples are the newest questions.
create or replace function read_gaps(
  p_ids text[], p_states text[], p_is_noise boolean, p_count_min integer, p_asked_from text, p_sort text,
  p_after text, p_limit integer)
returns table (gap json)
language sql stable as $$
  select json_build_object(
      'id', g.id, 'state', g.state, 'linkedPage', g.linked_page, 'openIn', g.open_deployment_id,
      'checkedIn', g.checked_deployment_id, 'closedIn', g.closed_deployment_id, 'sectionUrl', g.section_url,
      'sectionSha256', g.section_sha256, 'verifiedBy', g.verified_by, 'modelAskedIn', g.model_deployment_id,
      'changedAt', g.changed_at, 'count', g.question_count, 'firstAskedAt', f.recorded_at,
      'lastAskedAt', l.recorded_at, 'nearest', coalesce(d.nearest, l.sources, json '[]'), 'examples', e.queries,
      'sortKey', g.key)
    from (select o.*, k.key collate "C" as key
            from gap o cross join lateral gap_sort_key(o, ltrim(p_sort, '-')) k (key)
           where o.project_id = current_project() and (p_ids is null or o.id = any (p_ids))
             and (p_states is null or o.state = any (p_states))
             and (p_is_noise is null or is_noise(o) = p_is_noise) and o.question_count >= p_count_min
             and o.last_conversation_id >= p_asked_from
             and (p_after is null
               or case when p_sort like '-%' then k.key collate "C" < p_after else k.key collate "C" > p_after end)
           order by case when p_sort like '-%' then k.key collate "C" end desc, k.key collate "C"
           limit p_limit) g
    cross join lateral (
      select min(c.conversation_id) as first_id, max(c.conversation_id) as last_id
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
   order by case when p_sort like '-%' then g.key end desc, g.key
$$;

-- Counts the questions of gaps in each of the last 12 weeks, the oldest week first.
create or replace function count_gap_weeks(p_ids text[]) returns table (id text, weeks integer[])
language sql stable as $$
  select i.id, array(
      select (select count(*)::integer from gap_conversation c
               where c.project_id = current_project() and c.gap_id = i.id
                 and c.conversation_id >= ulid_floor(now() - (week + 1) * interval '7 days')
                 and (week = 0 or c.conversation_id < ulid_floor(now() - week * interval '7 days')))
        from generate_series(11, 0, -1) week order by week desc)
    from unnest(p_ids) i (id)
$$;

-- Changes the gaps that are still in the state in which the caller read them. Returns the id of the
-- change, which can be undone for a day, or null if no gap was changed.
create or replace function change_gaps(p_action text, p_changes json, out change_id text, out changed_ids text[])
language plpgsql as $$
declare
  project bigint := current_project();
  was jsonb;
begin
  delete from gap_change c where c.project_id = project and c.at < now() - interval '1 day';
  with wanted as (
    select * from json_to_recordset(p_changes) as w (id text, was text, state text, "linkedPage" text, "openIn" text,
      "closedIn" text, "sectionUrl" text, "sectionSha256" text, "verifiedBy" text)
  ), held as (
    select g.* from gap g join wanted w on w.id = g.id and w.was = g.state where g.project_id = project for update of g
  ), changed as (
    update gap g set state = w.state, linked_page = w."linkedPage", open_deployment_id = w."openIn",
           closed_deployment_id = w."closedIn", section_url = w."sectionUrl", section_sha256 = w."sectionSha256",
           verified_by = w."verifiedBy", changed_at = now()
      from wanted w join held h on h.id = w.id
     where g.project_id = project and g.id = w.id returning g.id
  )
  select jsonb_agg(to_jsonb(h) order by h.id), array_agg(h.id order by h.id) into was, changed_ids
    from held h join changed c on c.id = h.id;
  if was is null then return; end if;
  change_id := make_ulid(now_ms(), (random() * 1048575)::integer);
  insert into gap_change (project_id, id, action, before) values (project, change_id, p_action, was);
end
$$;

-- Undoes a change: restores its gaps, except those that were changed again since. Returns the
-- number of restored gaps, or null if the change does not exist or was already undone.
create or replace function undo_gap_change(p_id text) returns integer
language plpgsql as $$
declare
  change gap_change;
  undone integer;
begin
  update gap_change c set undone_at = now()
   where c.project_id = current_project() and c.id = p_id and c.undone_at is null returning c.* into change;
  if change.id is null then return null; end if;
  update gap g set state = o.state, linked_page = o.linked_page, open_deployment_id = o.open_deployment_id,
         closed_deployment_id = o.closed_deployment_id, section_url = o.section_url, section_sha256 = o.section_sha256,
         verified_by = o.verified_by, changed_at = o.changed_at
    from jsonb_populate_recordset(null::gap, change.before) o
   where g.project_id = current_project() and g.id = o.id and g.changed_at = change.at;
  get diagnostics undone = row_count;
  return undone;
end
$$;
