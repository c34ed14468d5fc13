-- Notices: what the owners of a project are told by e-mail and webhook, each once.

create table notice (
  project_id   bigint not null references project (id) on delete cascade,
  kind         text collate "C" not null check (length(kind) between 1 and 50),
  -- What it is about: a build, a key and its expiry, a day or a month. The same is told once.
  subject      text collate "C" not null check (length(subject) between 1 and 100),
  -- What was true when it was found; texts are printed from it.
  facts        jsonb not null,
  at           timestamptz not null default now(),
  -- The webhook of the project was told, by this notice or by another job.
  is_hooked    boolean not null default false,
  -- Who has the mail already, while others do not; empty when all have it.
  mailed       text[] not null default '{}',
  mail_count   integer not null default 0,
  delivered_at timestamptz,
  primary key (project_id, kind, subject)
);
create index notice_newest on notice (project_id, at);
create index notice_undelivered on notice (at) where delivered_at is null;

-- Projects whose assistant may have used most of a budget. Questions note it, since they sum up tokens anyway.
create table notice_work (
  project_id bigint primary key references project (id) on delete cascade,
  since      timestamptz not null default now()
);

do $$
declare
  name text;
begin
  foreach name in array array['notice', 'notice_work'] loop
    execute format('alter table %I enable row level security', name);
    execute format($policy$create policy one_project on %I to octavo_app
      using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint)$policy$, name);
  end loop;
end
$$;

grant select, insert, update, delete on notice to octavo_app;
grant select, insert, delete on notice_work to octavo_app;

-- What is due is found in these, however many projects there are.
create index build_failed on build (finished_at) where state = 'failed' and target = 'production';
create index api_key_expiring on api_key (expires_at) where revoked_at is null and expires_at is not null;
