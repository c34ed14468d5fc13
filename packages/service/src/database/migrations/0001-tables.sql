-- Tenants, keys, conversations.
--
-- Tables of a project have project_id first in their key, tables of an organisation
-- organisation_id. Row-level security is the second lock: the role of the service sees only rows of
-- the tenant that its transaction is bound to, and none without one.
--
-- The owner of the tables migrates and maintains them; policies do not bind it. The service logs in
-- as a member of octavo_app, and refuses to start as anybody whom policies do not bind.

do $$
begin
  if not exists (select from pg_roles where rolname = 'octavo_app') then
    create role octavo_app nologin;
  end if;
end
$$;
grant usage on schema public to octavo_app;

-- Ids are 60 random bits, so that those of two cells do not collide.
create function random_id() returns bigint
language sql volatile as $$
  select ('x0' || substr(translate(gen_random_uuid()::text, '-', ''), 18, 15))::bit(64)::bigint
$$;

create table organisation (
  id         bigint primary key default random_id(),
  public_id  text not null unique check (public_id ~ '^org_[0-9a-z]{16}$'),
  name       text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table project (
  organisation_id bigint not null references organisation on delete cascade,
  id              bigint not null unique default random_id(),
  public_id       text not null unique check (public_id ~ '^prj_[0-9a-z]{16}$'),
  -- Part of the host name of its site.
  slug            text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$'),
  name            text not null check (length(name) between 1 and 200),
  settings        jsonb not null default '{}',
  protection      text not null default 'public' check (protection in ('public', 'private')),
  -- How long conversations are kept.
  retention_days  integer not null default 730 check (retention_days between 1 and 3660),
  created_at      timestamptz not null default now(),
  primary key (organisation_id, id)
);

-- Admin keys and deploy tokens.
create table api_key (
  project_id   bigint not null references project (id) on delete cascade,
  id           bigint not null default random_id(),
  kind         text not null check (kind in ('admin', 'deploy')),
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

-- Tokens of other services, encrypted by the service (secrets/key-ring.ts).
create table secret (
  project_id bigint not null references project (id) on delete cascade,
  name       text not null check (length(name) between 1 and 100),
  key_id     text not null,
  sealed     bytea not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- How often a project did something expensive since its window began. It may be lost in a crash, so
-- it is not in the log.
create unlogged table act_count (
  project_id bigint not null references project (id) on delete cascade,
  act        text not null,
  began_at   timestamptz not null,
  used       integer not null,
  primary key (project_id, act)
) with (fillfactor = 50);

-- What was done, by whom, to what. Rows are added and never changed.
create table audit_event (
  organisation_id bigint not null references organisation on delete cascade,
  id              bigint not null default random_id(),
  project_id      bigint,
  at              timestamptz not null default clock_timestamp(),
  actor           text not null,
  action          text not null,
  object          text not null default '',
  before          jsonb,
  after           jsonb,
  -- The network that it came from, not the whole address.
  address_prefix  text,
  request_id      text,
  primary key (organisation_id, id)
);
create index audit_event_at on audit_event (organisation_id, at);

-- One row a project: the last id that was given out, as its millisecond and counter.
-- Half-empty pages keep the updates in place.
create table project_sequence (
  project_id   bigint primary key references project (id) on delete cascade,
  last_ms      bigint not null default 0,
  last_counter integer not null default 0
) with (fillfactor = 50);

-- A question from the moment it is accepted until its conversation is published. Then only the id
-- of the conversation stays, so that publishing again gives the same. Ids are ULIDs; one partition
-- a day, dropped after a week.
create table turn (
  project_id      bigint not null,
  id              text collate "C" not null,
  query           text,
  thread_id       text,
  page_url        text,
  reader          text,
  conversation_id text collate "C",
  primary key (project_id, id)
) partition by range (id);
create index turn_open on turn (id) where conversation_id is null;
create index turn_reader on turn (project_id, reader) where reader is not null;

-- Partitioned by id, which begins with the time, so that old months can be dropped at once. History
-- from before the first month is in conversation_history; there is no default partition.
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
create index conversation_reader on conversation (project_id, reader) where reader is not null;

-- Conversations that were deleted and must not come back by an import.
create table erased_conversation (
  project_id bigint not null references project (id) on delete cascade,
  id         text collate "C" not null,
  primary key (project_id, id)
);

-- Imports without a timestamp, so that sending a batch again within a week changes nothing.
create table import_receipt (
  project_id      bigint not null references project (id) on delete cascade,
  turn_id         text not null check (length(turn_id) between 1 and 100),
  conversation_id text collate "C" not null,
  at              timestamptz not null default clock_timestamp(),
  primary key (project_id, turn_id)
);
create index import_receipt_at on import_receipt (at);

-- Each import of history with the range of ids it wrote, so that an incremental client knows what to
-- read again.
create table backfill (
  project_id         bigint not null references project (id) on delete cascade,
  id                 bigint generated always as identity,
  at                 timestamptz not null default clock_timestamp(),
  first_id           text collate "C" not null,
  last_id            text collate "C" not null,
  conversation_count integer not null,
  primary key (project_id, id)
);

do $$
declare
  name text;
begin
  foreach name in array array['api_key', 'secret', 'act_count', 'project_sequence', 'turn', 'conversation',
                              'erased_conversation', 'import_receipt', 'backfill'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
  execute 'alter table organisation enable row level security';
  execute $policy$create policy one_organisation on organisation to octavo_app
    using (id = nullif(current_setting('octavo.organisation_id', true), '')::bigint)$policy$;
  foreach name in array array['project', 'audit_event'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_organisation on %I to octavo_app
      using (organisation_id = nullif(current_setting('octavo.organisation_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select on organisation, project to octavo_app;
grant select, insert on api_key, audit_event, backfill to octavo_app;
grant update (last_used_at, revoked_at) on api_key to octavo_app;
grant select, insert, update, delete on secret to octavo_app;
grant select, insert, update on act_count, project_sequence to octavo_app;
grant select, insert, update, delete on turn to octavo_app;
grant select, insert, delete on conversation to octavo_app;
grant select, insert on erased_conversation, import_receipt to octavo_app;
