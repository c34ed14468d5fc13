-- Written by `npm test -- -u` from the migrated database. Read it in the diff.

create table api_key (
  project_id bigint not null,
  id bigint not null generated always as identity,
  token_hash bytea not null,
  last_four text not null,
  name text not null default ''::text,
  scopes text[] not null,
  allowed_from cidr[],
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone
);

create table audit_event (
  project_id bigint not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  details jsonb not null default '{}'::jsonb
);

create table backfill (
  project_id bigint not null,
  id bigint not null generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  first_id text not null,
  last_id text not null,
  conversation_count integer not null
);

create table conversation (
  project_id bigint not null,
  id text not null,
  recorded_at timestamp(3) with time zone not null,
  query text not null,
  response text not null,
  sources json not null,
  resolution_status text not null,
  query_category text,
  thread_id text,
  page_url text,
  reader text
) RANGE (id);

create table conversation_other (
  project_id bigint not null,
  id text not null,
  recorded_at timestamp(3) with time zone not null,
  query text not null,
  response text not null,
  sources json not null,
  resolution_status text not null,
  query_category text,
  thread_id text,
  page_url text,
  reader text
);

create table project (
  id bigint not null generated always as identity,
  public_id text not null,
  name text not null,
  created_at timestamp with time zone not null default now()
);

create table project_sequence (
  project_id bigint not null,
  last_ms bigint not null default 0,
  last_counter integer not null default 0
);

create table turn (
  project_id bigint not null,
  turn_id text not null,
  asked_at timestamp with time zone not null default clock_timestamp(),
  query text not null,
  thread_id text,
  page_url text,
  reader text,
  conversation_id text
);

alter table api_key add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table api_key add PRIMARY KEY (project_id, id);

alter table api_key add UNIQUE (token_hash);

alter table audit_event add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table audit_event add PRIMARY KEY (project_id, id);

alter table backfill add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table backfill add PRIMARY KEY (project_id, id);

alter table conversation add CHECK ((resolution_status = ANY (ARRAY['answered'::text, 'unanswered'::text])));

alter table conversation add PRIMARY KEY (project_id, id);

alter table project add CHECK (((length(name) >= 1) AND (length(name) <= 200)));

alter table project add CHECK ((public_id ~ '^prj_[0-9a-z]{16}$'::text));

alter table project add PRIMARY KEY (id);

alter table project add UNIQUE (public_id);

alter table project_sequence add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table project_sequence add PRIMARY KEY (project_id);

alter table turn add CHECK (((length(turn_id) >= 1) AND (length(turn_id) <= 100)));

alter table turn add FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE;

alter table turn add PRIMARY KEY (project_id, turn_id);

CREATE INDEX conversation_reader ON ONLY public.conversation USING btree (project_id, reader) WHERE (reader IS NOT NULL);

CREATE INDEX turn_open ON public.turn USING btree (asked_at) WHERE (conversation_id IS NULL);

CREATE INDEX turn_reader ON public.turn USING btree (project_id, reader) WHERE (reader IS NOT NULL);

create policy maintenance on backfill to owner using (true);

create policy one_project on backfill to public using ((project_id = (current_setting('octavo.project_id'::text))::bigint));

create policy maintenance on conversation to owner using (true);

create policy one_project on conversation to public using ((project_id = (current_setting('octavo.project_id'::text))::bigint));

create policy maintenance on project_sequence to owner using (true);

create policy one_project on project_sequence to public using ((project_id = (current_setting('octavo.project_id'::text))::bigint));

create policy maintenance on turn to owner using (true);

create policy one_project on turn to public using ((project_id = (current_setting('octavo.project_id'::text))::bigint));

grant select on api_key to octavo_app;

grant insert on audit_event to octavo_app;

grant insert, select on backfill to octavo_app;

grant delete, insert, select on conversation to octavo_app;

grant select on project to octavo_app;

grant insert, select, update on project_sequence to octavo_app;

grant delete, insert, select, update on turn to octavo_app;

CREATE OR REPLACE FUNCTION public.base32(value bigint, digits integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((value >> (5 * place)) & 31)::integer + 1, 1), '' order by place desc)
  from generate_series(0, digits - 1) as place
$function$
;

CREATE OR REPLACE FUNCTION public.conversation_json(c conversation)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.conversations_page(p_project bigint, p_after text, p_from text, p_to text, p_limit integer, p_separator text, OUT rows text, OUT row_count integer, OUT last_id text, OUT has_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.ensure_conversation_partitions(months_ahead integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.fence_conversations(p_project bigint, p_seal_ms bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.import_conversations(p_project bigint, p_turns json, OUT ids text[], OUT first_id text, OUT last_id text, OUT backfilled integer, OUT problem text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.make_ulid(ms bigint, counter integer)
 RETURNS text
 LANGUAGE sql
 STRICT
AS $function$
  select base32(ms, 10) || base32(counter, 4)
      || base32(('x' || substr(replace(gen_random_uuid()::text, '-', ''), 17, 15))::bit(60)::bigint, 12)
$function$
;

CREATE OR REPLACE FUNCTION public.publish_conversation(p_project bigint, p_turn text, p_query text, p_response text, p_sources json, p_status text, p_category text, p_thread text, p_page text, p_reader text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.stuck_turns(older_than_ms bigint)
 RETURNS TABLE(project_id bigint, turn_id text, query text, thread_id text, page_url text, reader text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
  select t.project_id, t.turn_id, t.query, t.thread_id, t.page_url, t.reader
    from turn t
   where t.conversation_id is null
     and t.asked_at < clock_timestamp() - older_than_ms * interval '1 millisecond'
   order by t.asked_at limit 500
$function$
;

CREATE OR REPLACE FUNCTION public.ulid_floor(ms bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select base32(ms, 10) || '0000000000000000'
$function$
;
