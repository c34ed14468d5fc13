-- The assistant: leases of questions under way, what is known beside a conversation, settings, use.

-- A stream that answers a question has its lease, and renews it with the text so far.
alter table turn
  add column deployment_id   text collate "C",
  add column lease           text,
  add column leased_until    timestamptz,
  add column saved_text      text,
  -- Set aside in assistant_use of that day until the question is published.
  add column reserved_tokens bigint not null default 0,
  add column reserved_on     date;

-- What an owner may know of a conversation beside it: conversations never change, and their export
-- keeps its keys. Partitions and retention are those of conversations.
create table conversation_detail (
  project_id    bigint not null,
  id            text collate "C" not null,
  reason        text check (reason in ('declared', 'no-sources', 'low-support', 'stopped', 'budget',
                                       'provider-error', 'interrupted')),
  deployment_id text collate "C",
  model         text,
  used_tokens   bigint not null default 0,
  is_cached     boolean not null default false,
  -- Pages that came nearest when there was no answer.
  nearest       json,
  primary key (project_id, id)
) partition by range (id);

create table conversation_feedback (
  project_id bigint not null,
  id         text collate "C" not null,
  at         timestamptz not null default clock_timestamp(),
  is_helpful boolean not null,
  reason     text check (length(reason) <= 50),
  note       text check (length(note) <= 1000),
  primary key (project_id, id)
) partition by range (id);

-- What the owner set; its key is in secret. Without a row, or without a model, nothing is set.
create table assistant (
  project_id       bigint primary key references project (id) on delete cascade,
  is_on            boolean not null default true,
  masks            boolean not null default true,
  model            jsonb,
  tokens_per_day   bigint check (tokens_per_day >= 0),
  tokens_per_month bigint check (tokens_per_month >= 0),
  updated_at       timestamptz not null default now()
);

-- What the assistant of a project used on a day (UTC). Half-empty pages keep the updates in place.
create table assistant_use (
  project_id      bigint not null references project (id) on delete cascade,
  day             date not null,
  questions       integer not null default 0,
  cached          integer not null default 0,
  reserved_tokens bigint not null default 0,
  used_tokens     bigint not null default 0,
  saved_tokens    bigint not null default 0,
  primary key (project_id, day)
) with (fillfactor = 50);

do $$
declare
  name text;
begin
  foreach name in array array['conversation_detail', 'conversation_feedback', 'assistant', 'assistant_use'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select, insert, delete on conversation_detail to octavo_app;
grant select, insert, update, delete on conversation_feedback to octavo_app;
grant select, insert, update on assistant, assistant_use to octavo_app;
