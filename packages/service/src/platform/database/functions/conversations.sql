-- Conversations and their export. An export that is paged by id is complete because of three rules:
--   1. A conversation gets its id under the lock of its project, and the lock is held until commit.
--      So the ids of a project become visible in ascending order, a snapshot never contains an id
--      without all smaller ones, and paging by id cannot skip a row.
--   2. The clock is read once, after the lock is taken. The id and the timestamp of the row contain
--      the same millisecond.
--   3. Rows never change. They are written once and can only be deleted.
-- All functions in this file are for the project that the transaction is bound to.

-- Takes the lock of the project, which waits for its other writers. It is an advisory lock, because
-- a reader can wait for it without writing; locking a row would write.
create or replace function lock_project() returns bigint
language plpgsql as $$
declare
  project bigint := current_project();
begin
  if project is null then raise exception 'no project is set'; end if;
  perform pg_advisory_xact_lock(lock_class('conversations'), lock_key(project));
  return project;
end
$$;

-- Returns the millisecond and counter of the next id. They always increase, even if the clock was
-- set back.
create or replace function next_position(last_ms bigint, last_counter integer, at_ms bigint,
  out ms bigint, out counter integer)
language plpgsql immutable parallel safe as $$
begin
  ms := case when at_ms > last_ms then at_ms when last_counter < 1048575 then last_ms else last_ms + 1 end;
  counter := case when at_ms > last_ms or last_counter >= 1048575 then 0 else last_counter + 1 end;
end
$$;

-- Stores a question that was just asked, and returns its id.
create or replace function accept_question(p_query text, p_thread text, p_page text, p_reader text)
returns text language plpgsql as $$
declare
  new_id text := make_ulid(now_ms(), (random() * 1048575)::integer);
begin
  insert into question (project_id, id, query, thread_id, page_url, reader)
    values (current_project(), new_id, p_query, p_thread, p_page, p_reader);
  return new_id;
end
$$;

-- Applies a change to the usage of a day. A question without a lease has reserved no tokens, so its
-- change has no day and is ignored.
create or replace function settle_usage(change assistant_usage) returns void
language plpgsql as $$
begin
  update assistant_usage u
     set reserved_tokens = u.reserved_tokens + change.reserved_tokens, used_tokens = u.used_tokens + change.used_tokens,
         saved_tokens = u.saved_tokens + change.saved_tokens, cached = u.cached + change.cached
   where u.project_id = current_project() and u.day = change.day;
end
$$;

-- Publishes answers to accepted questions, in their order and in one transaction. Each has the id of
-- the question, the lease of the caller, and the parts of the answer. Returns the ids of the conversations. A
-- repeated call returns the same ids. During a lease, only its holder can publish the answer. After
-- the lease, any caller can, but the saved text is published as unanswered, and a caller that lost
-- its lease gets null. Also returns null if a question does not exist. The reserved tokens are
-- settled: all of them count as used if the cost of an answer is unknown. Rows and counts are
-- written once for all answers. Most calls have one answer, so each statement and each reading of
-- the JSON counts.
create or replace function publish_answers(p_answers json) returns json
language plpgsql
-- Otherwise, each call would plan over all partitions again.
set plan_cache_mode = force_generic_plan
as $$
declare
  project bigint := lock_project();
  sequence conversation_sequence;
  at_now bigint := now_ms();
  entry record;
  asked question;
  new_id text;
  ids text[] := '{}';
  usage assistant_usage;
  conversations conversation[] := '{}';
  details conversation_detail[] := '{}';
  unanswered text[] := '{}';
begin
  select * into strict sequence from conversation_sequence where project_id = project;
  for entry in select * from json_to_recordset(p_answers) a(
      question text, lease text, response text, sources json, status text, reason text, category text,
      nearest json, model text, "usedTokens" bigint, "savedTokens" bigint, "isCached" boolean) loop
    select * into asked from question where project_id = project and id = entry.question;
    if asked.id is null then
      ids := ids || null::text;
      continue;
    end if;
    if asked.conversation_id is not null then
      ids := ids || case when entry.lease is null or entry.lease = asked.lease then asked.conversation_id end;
      continue;
    end if;
    if asked.lease is distinct from entry.lease then
      if entry.lease is not null or asked.leased_until > clock_timestamp() then
        ids := ids || null::text;
        continue;
      end if;
      select entry.question, entry.lease, coalesce(asked.saved_text, '') as response, json '[]' as sources,
             'unanswered' as status, 'interrupted' as reason, null::text as category, null::json as nearest, null::text as model,
             asked.reserved_tokens as "usedTokens", bigint '0' as "savedTokens", false as "isCached"
        into entry;
    end if;
    -- Almost all answers of a call were asked on the same day.
    if usage.day is distinct from asked.reserved_on then
      if usage.day is not null then perform settle_usage(usage); end if;
      usage := row(project, asked.reserved_on, 0, 0, 0, 0, 0);
    end if;
    usage.reserved_tokens := usage.reserved_tokens - asked.reserved_tokens;
    usage.used_tokens := usage.used_tokens + coalesce(entry."usedTokens", 0);
    usage.saved_tokens := usage.saved_tokens + coalesce(entry."savedTokens", 0);
    if entry."isCached" then usage.cached := usage.cached + 1; end if;
    -- The conversation of a preview is not recorded.
    if asked.query is null then
      delete from question where project_id = project and id = entry.question;
      ids := ids || entry.question;
      continue;
    end if;
    select n.ms, n.counter into sequence.last_ms, sequence.last_counter
      from next_position(sequence.last_ms, sequence.last_counter, at_now) n;
    new_id := make_ulid(sequence.last_ms, sequence.last_counter);
    ids := ids || new_id;
    conversations := conversations || row(project, new_id, to_timestamp(sequence.last_ms / 1000.0), asked.query,
      entry.response, entry.sources, entry.status, entry.category, asked.thread_id, asked.page_url,
      asked.reader)::conversation;
    if asked.lease is not null then
      details := details || row(project, new_id, entry.reason, asked.deployment_id, entry.model,
        coalesce(entry."usedTokens", 0), coalesce(entry."isCached", false), entry.nearest)::conversation_detail;
      if entry.status = 'unanswered' then unanswered := unanswered || new_id; end if;
    end if;
    -- A question that occurs twice among the answers finds its conversation.
    update question set conversation_id = new_id, query = null, thread_id = null, page_url = null, reader = null,
        saved_text = null, lease = entry.lease, reserved_tokens = 0
     where project_id = project and id = entry.question;
  end loop;
  if usage.day is not null then perform settle_usage(usage); end if;
  if cardinality(conversations) > 0 then
    update conversation_sequence set last_ms = sequence.last_ms, last_counter = sequence.last_counter
     where project_id = project;
    insert into conversation select * from unnest(conversations);
    if cardinality(details) > 0 then insert into conversation_detail select * from unnest(details); end if;
  end if;
  if cardinality(unanswered) > 0 then
    insert into unsorted_question (project_id, conversation_id) select project, id from unnest(unanswered) id;
    perform note_gap_work();
  end if;
  return array_to_json(ids);
end
$$;

-- Publishes the answer to a question that has no lease, or whose lease has expired.
create or replace function publish_question(
  p_question text, p_response text, p_sources json, p_status text, p_category text
) returns text language sql as $$
  select publish_answers(json_build_array(json_build_object('question', p_question, 'response', p_response,
    'sources', p_sources, 'status', p_status, 'category', p_category))) ->> 0
$$;

-- Imports a batch of conversations under one lock. Conversations with atMs are historical: they are
-- inserted at that millisecond, before the newest published row. The others are published now.
create or replace function import_conversations(
  p_questions json,
  out ids text[], out first_id text, out last_id text, out backfilled integer, out problem text
) language plpgsql as $$
declare
  project bigint := lock_project();
  sequence conversation_sequence;
  at_now bigint;
  t record;
  existing text;
  new_id text;
  at_ms bigint;
  has_gap_work boolean := false;
begin
  ids := '{}';
  backfilled := 0;
  select * into strict sequence from conversation_sequence where project_id = project;
  at_now := now_ms();
  -- A project without published conversations can import history of any age.
  if sequence.last_ms = 0 then sequence.last_ms := at_now; end if;

  select format('The timestamp of question %s is not before the newest conversation of the project; leave `timestamp` out to record it now.', j->>'questionId')
    into problem
    from json_array_elements(p_questions) as j
   where (j->>'atMs')::bigint >= least(sequence.last_ms, at_now)
     and not exists (select from conversation c
       where c.project_id = project and c.id = history_id((j->>'atMs')::bigint, j->>'questionId'))
   limit 1;
  if problem is not null then return; end if;

  for t in select j from json_array_elements(p_questions) as j loop
    at_ms := (t.j->>'atMs')::bigint;
    if at_ms is null then
      select r.conversation_id into existing
        from import_receipt r where r.project_id = project and r.question_id = t.j->>'questionId';
      if existing is not null then
        ids := ids || existing;
        continue;
      end if;
      select n.ms, n.counter into sequence.last_ms, sequence.last_counter
        from next_position(sequence.last_ms, sequence.last_counter, at_now) n;
      new_id := make_ulid(sequence.last_ms, sequence.last_counter);
      at_ms := sequence.last_ms;
      insert into import_receipt (project_id, question_id, conversation_id)
        values (project, t.j->>'questionId', new_id);
    else
      new_id := history_id(at_ms, t.j->>'questionId');
      ids := ids || new_id;
      if exists (select from erased_conversation e where e.project_id = project and e.id = new_id)
        or exists (select from conversation c where c.project_id = project and c.id = new_id)
      then continue; end if;
      backfilled := backfilled + 1;
      first_id := least(first_id, new_id);
      last_id := greatest(last_id, new_id);
    end if;
    insert into conversation (project_id, id, recorded_at, query, response, sources,
        resolution_status, query_category, thread_id, page_url)
      values (project, new_id, to_timestamp(at_ms / 1000.0), t.j->>'query', t.j->>'response',
        t.j->'sources', t.j->>'resolutionStatus', t.j->>'queryCategory', t.j->>'threadId', t.j->>'pageUrl');
    if t.j->>'resolutionStatus' = 'unanswered' then
      insert into unsorted_question (project_id, conversation_id) values (project, new_id);
      has_gap_work := true;
    end if;
    if (t.j->>'atMs') is null then ids := ids || new_id; end if;
  end loop;
  update conversation_sequence set last_ms = sequence.last_ms, last_counter = sequence.last_counter
   where project_id = project;
  if has_gap_work then perform note_gap_work(); end if;
  if backfilled > 0 then
    insert into backfill (project_id, first_id, last_id, conversation_count)
      values (project, first_id, last_id, backfilled);
  end if;
end
$$;

-- Permanently deletes conversations by id or by reader, with the questions of the reader. A later
-- import does not restore them.
create or replace function erase_conversations(p_id text, p_reader text) returns integer
language plpgsql as $$
declare
  project bigint := lock_project();
  ids text[];
  erased integer;
begin
  with gone as (
    delete from conversation c
     where c.project_id = project and (c.id = p_id or c.reader = p_reader) returning c.id
  ), noted as (
    insert into erased_conversation (project_id, id) select project, g.id from gone g
    on conflict do nothing
  )
  select array_agg(g.id), count(*) into ids, erased from gone g;
  perform forget_details(ids);
  -- For questions that are still being answered, the reserved tokens count as used.
  perform settle_usage(row(project, t.reserved_on, 0, 0, -sum(t.reserved_tokens), sum(t.reserved_tokens), 0)::assistant_usage)
     from question t where t.project_id = project and t.reader = p_reader and t.conversation_id is null
    group by t.reserved_on;
  delete from question t where t.project_id = project and t.reader = p_reader;
  return erased;
end
$$;

-- Deletes everything that belongs to deleted conversations, and gaps that have no conversations
-- left.
create or replace function forget_details(p_ids text[]) returns void
language plpgsql as $$
declare
  project bigint := current_project();
  gap_ids text[];
begin
  delete from conversation_detail d where d.project_id = project and d.id = any (p_ids);
  delete from conversation_feedback f where f.project_id = project and f.id = any (p_ids);
  delete from unsorted_question u where u.project_id = project and u.conversation_id = any (p_ids);
  with gone as (
    delete from gap_conversation m where m.project_id = project and m.conversation_id = any (p_ids) returning m.gap_id
  )
  select array_agg(distinct g.gap_id) into gap_ids from gone g;
  perform recount_gaps(project, gap_ids);
end
$$;

-- Deletes at most p_limit conversations that are older than the retention period of the project,
-- the oldest first. Returns their number.
create or replace function expire_conversations(p_limit integer) returns integer
language plpgsql as $$
declare
  project bigint := current_project();
  days integer := (select p.retention_days from project p
                    where p.organization_id = current_organization() and p.id = project);
  ids text[] := array(
    select o.id from conversation o
     where o.project_id = project and o.id < ulid_floor(now() - days * interval '1 day')
     order by o.id limit p_limit);
  expired integer;
begin
  delete from conversation c where c.project_id = project and c.id = any (ids);
  get diagnostics expired = row_count;
  perform forget_details(ids);
  return expired;
end
$$;

-- Returns a conversation as JSON for the export, with exactly the keys of the API contract.
create or replace function conversation_json(c conversation) returns text
language sql stable parallel safe as $$
  select '{"id":"' || c.id
    || '","timestamp":"' || to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","query":' || to_json(c.query)
    || ',"response":' || to_json(c.response)
    || ',"sources":' || c.sources
    || ',"resolutionStatus":"' || c.resolution_status || '"'
    || coalesce(',"queryCategory":' || to_json(c.query_category), '')
    || coalesce(',"threadId":' || to_json(c.thread_id), '')
    || coalesce(',"pageUrl":' || to_json(c.page_url), '')
    || '}'
$$;

-- Returns the size in bytes at which a page of conversations ends, even if more rows were
-- requested. An imported answer can have a megabyte.
create or replace function page_bytes() returns integer
language sql immutable parallel safe as $$ select 8000000 $$;

-- Returns one page of the export: the conversations as joined text, their number, the last id, and
-- whether more follow. p_after, p_from and p_to are ids (p_from inclusive, the others exclusive).
-- The function takes no lock, because the response may be large, and a slow client must not block
-- publishing.
create or replace function conversations_page(
  p_after text, p_from text, p_to text, p_limit integer, p_separator text,
  out rows text, out row_count integer, out last_id text, out has_more boolean
) language plpgsql
-- Planning over all partitions takes as long as reading 100 rows, so each connection plans only
-- once. The plan has to use the primary key even if the statistics suggest another one, because it
-- may have been made when a month was still empty.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  project bigint := current_project();
  bytes bigint;
begin
  select string_agg(conversation_json(page.c), p_separator order by page.id), count(*)::integer, max(page.id), max(page.total)
    into rows, row_count, last_id, bytes
    from (
      select one.c, one.id, one.bytes, sum(one.bytes) over (order by one.id rows unbounded preceding) as total
        from (
          select c, c.id, octet_length(c.query) + octet_length(c.response) + octet_length(c.sources::text) as bytes
            from conversation c
           where c.project_id = project and c.id > p_after and c.id >= p_from and c.id < p_to
           order by c.id limit p_limit
        ) as one
    ) as page
   where page.total - page.bytes < page_bytes();
  has_more := (row_count = p_limit or bytes >= page_bytes()) and exists (
    select from conversation c
     where c.project_id = project and c.id > last_id and c.id >= p_from and c.id < p_to);
end
$$;

-- Returns one page of the list in the dashboard: newest first, with the ratings of readers. It
-- scans at most p_scan conversations for any filter, and stops at page_bytes(). last_id is where
-- the scan stopped, and has_more says whether there are older ones. The query uses the index of the
-- most selective filter that has one, and checks the other filters row by row.
create or replace function conversations_list(
  p_before text, p_from text, p_to text, p_status text, p_category text, p_feedback text, p_text text,
  p_limit integer, p_scan integer, p_separator text,
  out rows text, out row_count integer, out last_id text, out has_more boolean
) language plpgsql
-- Each connection plans only once, as in conversations_page.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  project bigint := current_project();
  one conversation;
  needle text := lower(p_text);
  scanned integer := 0;
  bytes bigint := 0;
  helpful boolean;
  found_rows text[] := '{}';
  drive refcursor;
  began timestamptz := clock_timestamp();
begin
  row_count := 0;
  if p_feedback in ('helpful', 'unhelpful') then
    open drive for
      select c.* from conversation_feedback f
        join conversation c on c.project_id = f.project_id and c.id = f.id
       where f.project_id = project and f.is_helpful = (p_feedback = 'helpful')
         and f.id < p_before and f.id >= p_from and f.id < p_to
       order by f.id desc limit p_scan + 1;
  elsif p_category is not null then
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.query_category = p_category
         and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  elsif p_status = 'unanswered' then
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.resolution_status = 'unanswered'
         and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  else
    open drive for
      select c.* from conversation c
       where c.project_id = project and c.id < p_before and c.id >= p_from and c.id < p_to
       order by c.id desc limit p_scan + 1;
  end if;
  loop
    fetch drive into one;
    has_more := found;
    exit when not has_more or row_count = p_limit or scanned = p_scan or bytes >= page_bytes()
      -- A search in long texts takes long, so the time is checked every 100 rows.
      or (needle is not null and scanned > 0 and scanned % 100 = 0
        and clock_timestamp() - began > interval '250 milliseconds');
    scanned := scanned + 1;
    last_id := one.id;
    continue when one.resolution_status <> p_status or one.query_category is distinct from coalesce(p_category, one.query_category)
      or (needle is not null and strpos(lower(one.query), needle) = 0 and strpos(lower(one.response), needle) = 0);
    select f.is_helpful into helpful from conversation_feedback f where f.project_id = project and f.id = one.id;
    continue when p_feedback = 'none' and helpful is not null;
    row_count := row_count + 1;
    bytes := bytes + octet_length(one.query) + octet_length(one.response) + octet_length(one.sources::text);
    found_rows := found_rows || (left(conversation_json(one), -1) || case helpful
      when true then ',"feedback":"helpful"}' when false then ',"feedback":"unhelpful"}' else '}' end);
  end loop;
  close drive;
  rows := array_to_string(found_rows, p_separator);
end
$$;

-- Returns the sorted question categories of a project. Each is found through the index, so the cost
-- does not depend on the number of conversations.
create or replace function conversation_categories(p_limit integer) returns setof text
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  project bigint := current_project();
  known text := '';
begin
  for place in 1 .. p_limit loop
    select c.query_category into known from conversation c
     where c.project_id = project and c.query_category > known order by c.query_category limit 1;
    exit when known is null;
    return next known;
  end loop;
end
$$;

-- The fence of the export, which makes sure that a page is the last one. If a page is not full, the
-- caller runs this function in a separate statement and reads the page again in a new snapshot. The
-- function waits until publishes in progress have ended. If the requested time window is over
-- (p_seal_ms is its end), it also moves the sequence past that end, so that no later id can fall
-- into the window, even if the clock is set back. Returns the position in the write-ahead log that
-- a replica has to reach to show the same rows.
create or replace function fence_conversations(p_seal_ms bigint) returns pg_lsn
language plpgsql as $$
declare
  project bigint := current_project();
begin
  if project is null then raise exception 'no project is set'; end if;
  if exists (select from conversation_sequence s where s.project_id = project and s.last_ms < p_seal_ms) then
    perform pg_advisory_xact_lock(lock_class('conversations'), lock_key(project));
    update conversation_sequence set last_ms = p_seal_ms, last_counter = 0
     where project_id = project and last_ms < p_seal_ms;
  else
    perform pg_advisory_xact_lock_shared(lock_class('conversations'), lock_key(project));
  end if;
  return pg_current_wal_insert_lsn();
end
$$;

-- Returns how many milliseconds the newest id of any project is ahead of the clock. The result is
-- more than 0 after the clock was set back.
create or replace function clock_ahead_ms() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select greatest(0, coalesce(max(last_ms), 0) - now_ms()) from conversation_sequence
$$;
revoke execute on function clock_ahead_ms() from public;
grant execute on function clock_ahead_ms() to octavo_app;
