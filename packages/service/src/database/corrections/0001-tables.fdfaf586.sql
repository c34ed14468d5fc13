-- The first text of this migration had no table of secrets and none of counted acts.

create table secret (
  project_id bigint not null references project (id) on delete cascade,
  name       text not null check (length(name) between 1 and 100),
  key_id     text not null,
  sealed     bytea not null,
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

create unlogged table act_count (
  project_id bigint not null references project (id) on delete cascade,
  act        text not null,
  began_at   timestamptz not null,
  used       integer not null,
  primary key (project_id, act)
) with (fillfactor = 50);

alter table secret enable row level security;
create policy one_project on secret to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
alter table act_count enable row level security;
create policy one_project on act_count to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);

grant select, insert, update, delete on secret to octavo_app;
grant select, insert, update on act_count to octavo_app;
