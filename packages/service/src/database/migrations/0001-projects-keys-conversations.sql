-- Projects, API keys, conversations and their export.
--
-- The promise of the export rests on three rules that this file keeps:
--   1. A conversation gets its id under the lock of its project's row in project_sequence, and the
--      lock is held until commit. So ids of one project become visible in their own order, every
--      snapshot sees a prefix of them, and paging by id cannot skip a row.
--   2. The clock is read once, after the lock. The id carries that millisecond, and the timestamp
--      of the row is that millisecond.
--   3. Rows never change. They are written once and can only be deleted.
--
-- Tenant tables have project_id first in their key. Row-level security is the second lock: the
-- service works as role octavo_app, which sees only rows of the project in octavo.project_id.

do $$
begin
  if not exists (select from pg_roles where rolname = 'octavo_app') then
    create role octavo_app nologin;
  end if;
end
$$;
do $$
begin
  -- On a shared cluster the role may be there already, and whoever migrates a member of it.
  if not pg_has_role(current_user, 'octavo_app', 'member') then
    execute format('grant octavo_app to %I', current_user);
  end if;
end
$$;

create table project (
  id         bigint generated always as identity primary key,
  public_id  text not null unique check (public_id ~ '^prj_[0-9a-z]{16}$'),
  name       text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

-- One row a project: the last id that was given out, as its millisecond and counter.
-- Half-empty pages keep the updates in place.
create table project_sequence (
  project_id   bigint primary key references project on delete cascade,
  last_ms      bigint not null default 0,
  last_counter integer not null default 0
) with (fillfactor = 50);

create table api_key (
  project_id   bigint not null references project on delete cascade,
  id           bigint generated always as identity,
  token_hash   bytea not null unique,
  last_four    text not null,
  name         text not null default '',
  scopes       text[] not null,
  allowed_from cidr[],
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  primary key (project_id, id)
);

create table audit_event (
  project_id bigint not null references project on delete cascade,
  id         bigint generated always as identity,
  at         timestamptz not null default now(),
  actor      text not null,
  action     text not null,
  details    jsonb not null default '{}',
  primary key (project_id, id)
);

-- A question from the moment it is accepted until its conversation is published. It also keeps
-- publishing idempotent: a turn has one conversation, whatever is retried.
create table turn (
  project_id      bigint not null references project on delete cascade,
  turn_id         text not null check (length(turn_id) between 1 and 100),
  asked_at        timestamptz not null default clock_timestamp(),
  query           text not null,
  thread_id       text,
  page_url        text,
  reader          text,
  conversation_id text collate "C",
  primary key (project_id, turn_id)
);
create index turn_open on turn (asked_at) where conversation_id is null;
create index turn_reader on turn (project_id, reader) where reader is not null;

-- Partitioned by id, which begins with the time, so that old months can be dropped at once.
create table conversation (
  project_id        bigint not null,
  id                text collate "C" not null,
  recorded_at       timestamptz(3) not null,
  query             text not null,
  response          text not null,
  sources           json not null,
  resolution_status text not null check (resolution_status in ('answered', 'unanswered')),
  query_category    text,
  thread_id         text,
  page_url          text,
  reader            text,
  primary key (project_id, id)
) partition by range (id);
create table conversation_other partition of conversation default;
create index conversation_reader on conversation (project_id, reader) where reader is not null;

-- Each backfill with the range of ids it wrote, so that an incremental client knows what to read again.
create table backfill (
  project_id   bigint not null references project on delete cascade,
  id           bigint generated always as identity,
  at           timestamptz not null default clock_timestamp(),
  first_id     text collate "C" not null,
  last_id      text collate "C" not null,
  conversation_count integer not null,
  primary key (project_id, id)
);

-- Crockford's base 32, most significant digit first.
create function base32(value bigint, digits integer) returns text
language sql immutable strict parallel safe as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((value >> (5 * place)) & 31)::integer + 1, 1), '' order by place desc)
  from generate_series(0, digits - 1) as place
$$;

-- The smallest id of a millisecond: a date filter is a range of ids.
create function ulid_floor(ms bigint) returns text
language sql immutable strict parallel safe as $$
  select base32(ms, 10) || '0000000000000000'
$$;

-- An id: 10 digits of time, 4 of the counter, 12 of chance.
create function make_ulid(ms bigint, counter integer) returns text
language sql volatile strict as $$
  select base32(ms, 10) || base32(counter, 4)
      || base32(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::bit(60)::bigint, 12)
$$;

-- Monthly partitions from the current month on. Made ahead of time, since rows of a month that has
-- no partition go to conversation_other.
create function ensure_conversation_partitions(months_ahead integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  month date := date_trunc('month', now() at time zone 'UTC');
  made integer := 0;
  from_id text;
  to_id text;
  name text;
begin
  for step in 0 .. months_ahead loop
    name := 'conversation_' || to_char(month, 'YYYY_MM');
    if to_regclass(name) is null then
      from_id := ulid_floor((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint);
      to_id := ulid_floor((extract(epoch from (month + interval '1 month')::timestamp at time zone 'UTC') * 1000)::bigint);
      execute format('create table %I partition of conversation for values from (%L) to (%L)', name, from_id, to_id);
      made := made + 1;
    end if;
    month := (month + interval '1 month')::date;
  end loop;
  return made;
end
$$;
select ensure_conversation_partitions(3);

-- Publishes one turn. Called in autocommit, or as the last statement of its transaction.
create function publish_conversation(
  p_project bigint, p_turn text, p_query text, p_response text, p_sources json, p_status text,
  p_category text, p_thread text, p_page text, p_reader text
) returns text language plpgsql as $$
declare
  s record;
  now_ms bigint;
  existing text;
  new_id text;
begin
  perform set_config('octavo.project_id', p_project::text, true);
  select last_ms, last_counter into strict s
    from project_sequence where project_id = p_project for update;
  select conversation_id into existing
    from turn where project_id = p_project and turn_id = p_turn;
  if existing is not null then return existing; end if;

  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  if now_ms > s.last_ms then s.last_ms := now_ms; s.last_counter := 0;
  elsif s.last_counter < 1048575 then s.last_counter := s.last_counter + 1;
  else s.last_ms := s.last_ms + 1; s.last_counter := 0;
  end if;
  update project_sequence set last_ms = s.last_ms, last_counter = s.last_counter
    where project_id = p_project;

  new_id := make_ulid(s.last_ms, s.last_counter);
  insert into conversation values (
    p_project, new_id, to_timestamp(s.last_ms / 1000.0), p_query, p_response, p_sources, p_status,
    p_category, p_thread, p_page, p_reader);
  insert into turn (project_id, turn_id, query, thread_id, page_url, reader, conversation_id)
    values (p_project, p_turn, p_query, p_thread, p_page, p_reader, new_id)
    on conflict (project_id, turn_id) do update set conversation_id = excluded.conversation_id;
  return new_id;
end
$$;

-- One conversation as the export shows it. The keys of the contract, and no others.
create function conversation_json(c conversation) returns text
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

-- One page of the export: the conversations as text, joined; how many; the last id; is there more.
-- p_after, p_from and p_to are ids (p_from inclusive, the others exclusive). It takes no lock: its
-- reply may be large, and a client that is slow to take it must not keep anyone from publishing.
create function conversations_page(
  p_project bigint, p_after text, p_from text, p_to text, p_limit integer, p_separator text,
  out rows text, out row_count integer, out last_id text, out has_more boolean
) language plpgsql
-- Planning over all partitions takes as long as reading 100 rows, so a connection plans once. That
-- plan walks the primary key whatever the statistics say: it was perhaps made in an empty month.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
begin
  perform set_config('octavo.project_id', p_project::text, true);
  select string_agg(page.json, p_separator order by page.id), count(*)::integer, max(page.id)
    into rows, row_count, last_id
    from (
      select c.id, conversation_json(c) as json
        from conversation c
       where c.project_id = p_project and c.id > p_after and c.id >= p_from and c.id < p_to
       order by c.id limit p_limit
    ) as page;
  has_more := row_count = p_limit and exists (
    select from conversation c
     where c.project_id = p_project and c.id > last_id and c.id >= p_from and c.id < p_to);
end
$$;

-- The fence. A page that is not full is the last one; before it is believed, this is called in a
-- statement of its own, and the page is read again in a new snapshot. It waits for the one publish
-- that may be under way. When the window has closed (p_seal_ms is its end), the sequence is moved
-- past that end, so that no later id can fall into it, even if the clock is set back.
create function fence_conversations(p_project bigint, p_seal_ms bigint) returns void
language plpgsql as $$
begin
  perform set_config('octavo.project_id', p_project::text, true);
  if p_seal_ms is null then
    perform 1 from project_sequence where project_id = p_project for share;
    return;
  end if;
  perform 1 from project_sequence where project_id = p_project and last_ms >= p_seal_ms for share;
  if not found then
    update project_sequence set last_ms = p_seal_ms, last_counter = 0
      where project_id = p_project and last_ms < p_seal_ms;
  end if;
end
$$;

alter table project_sequence enable row level security;
alter table turn enable row level security;
alter table conversation enable row level security;
alter table backfill enable row level security;
alter table project_sequence force row level security;
alter table turn force row level security;
alter table conversation force row level security;
alter table backfill force row level security;
create policy one_project on project_sequence using (project_id = current_setting('octavo.project_id')::bigint);
create policy one_project on turn using (project_id = current_setting('octavo.project_id')::bigint);
create policy one_project on conversation using (project_id = current_setting('octavo.project_id')::bigint);
create policy one_project on backfill using (project_id = current_setting('octavo.project_id')::bigint);

grant usage on schema public to octavo_app;
grant select, insert, update on project_sequence, turn to octavo_app;
grant select, insert, delete on conversation to octavo_app;
grant delete on turn to octavo_app;
grant select, insert on backfill to octavo_app;
grant select on project, api_key to octavo_app;
grant update (last_used_at) on api_key to octavo_app;
grant insert on audit_event to octavo_app;

-- Imports a batch under one lock. Turns with atMs are history: they go before the newest published
-- row, with the millisecond they happened in. The others are published now.
create function import_conversations(
  p_project bigint, p_turns json,
  out ids text[], out first_id text, out last_id text, out backfilled integer, out problem text
) language plpgsql as $$
declare
  s record;
  t record;
  now_ms bigint;
  existing text;
  new_id text;
  at_ms bigint;
begin
  perform set_config('octavo.project_id', p_project::text, true);
  ids := '{}';
  backfilled := 0;
  select last_ms, last_counter into strict s
    from project_sequence where project_id = p_project for update;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  -- A project that has published nothing takes all history there is.
  if s.last_ms = 0 then s.last_ms := now_ms; end if;

  select format('The timestamp of turn %s is not before the newest conversation of the project; leave `timestamp` out to record it now.', j->>'turnId')
    into problem
    from json_array_elements(p_turns) as j
   where (j->>'atMs')::bigint >= least(s.last_ms, now_ms)
     and not exists (select from turn where project_id = p_project and turn_id = j->>'turnId' and conversation_id is not null)
   limit 1;
  if problem is not null then return; end if;

  for t in select j from json_array_elements(p_turns) as j loop
    select conversation_id into existing
      from turn where project_id = p_project and turn_id = t.j->>'turnId';
    if existing is not null then
      ids := ids || existing;
      continue;
    end if;
    at_ms := (t.j->>'atMs')::bigint;
    if at_ms is null then
      if now_ms > s.last_ms then s.last_ms := now_ms; s.last_counter := 0;
      elsif s.last_counter < 1048575 then s.last_counter := s.last_counter + 1;
      else s.last_ms := s.last_ms + 1; s.last_counter := 0;
      end if;
      new_id := make_ulid(s.last_ms, s.last_counter);
      at_ms := s.last_ms;
    else
      new_id := make_ulid(at_ms, (random() * 1048575)::integer);
      backfilled := backfilled + 1;
      first_id := least(first_id, new_id);
      last_id := greatest(last_id, new_id);
    end if;
    insert into conversation values (
      p_project, new_id, to_timestamp(at_ms / 1000.0), t.j->>'query', t.j->>'response', t.j->'sources',
      t.j->>'resolutionStatus', t.j->>'queryCategory', t.j->>'threadId', t.j->>'pageUrl', null);
    insert into turn (project_id, turn_id, query, thread_id, page_url, conversation_id)
      values (p_project, t.j->>'turnId', t.j->>'query', t.j->>'threadId', t.j->>'pageUrl', new_id)
      on conflict (project_id, turn_id) do update set conversation_id = excluded.conversation_id;
    ids := ids || new_id;
  end loop;
  update project_sequence set last_ms = s.last_ms, last_counter = s.last_counter where project_id = p_project;
  if backfilled > 0 then
    insert into backfill (project_id, first_id, last_id, conversation_count)
      values (p_project, first_id, last_id, backfilled);
  end if;
end
$$;

-- Turns that were accepted long ago and never finished, of all projects. The caller publishes each
-- in a transaction of its own: the lock of a project is held until commit.
create function stuck_turns(older_than_ms bigint)
returns table (project_id bigint, turn_id text, query text, thread_id text, page_url text, reader text)
language sql security definer set search_path from current as $$
  select t.project_id, t.turn_id, t.query, t.thread_id, t.page_url, t.reader
    from turn t
   where t.conversation_id is null
     and t.asked_at < clock_timestamp() - older_than_ms * interval '1 millisecond'
   order by t.asked_at limit 500
$$;

-- The owner of the tables migrates and maintains them; the policies above bind everyone else.
do $$
declare
  name text;
begin
  foreach name in array array['project_sequence', 'turn', 'conversation', 'backfill'] loop
    execute format('create policy maintenance on %I to %I using (true)', name, current_user);
  end loop;
end
$$;
