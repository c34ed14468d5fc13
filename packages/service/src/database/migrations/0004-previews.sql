-- Previews: each branch of a project that is previewed has an address of its own, which is a secret.

alter table deployment
  add column target text not null default 'production' check (target in ('production', 'preview')),
  add check (target = 'production' or branch is not null);
create index deployment_preview on deployment (project_id, branch, number) where target = 'preview';

create table preview (
  project_id    bigint not null references project (id) on delete cascade,
  -- The label of its host.
  name          text collate "C" not null check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  branch        text not null check (length(branch) between 1 and 250),
  deployment_id text collate "C" not null,
  changed_at    timestamptz not null default clock_timestamp(),
  -- When it is over, the row stays for a while: hosts have to see that.
  expires_at    timestamptz not null,
  primary key (project_id, name),
  foreign key (project_id, deployment_id) references deployment (project_id, id)
);
create unique index preview_name on preview (name);
create index preview_branch on preview (project_id, branch, expires_at);
create index preview_deployment on preview (project_id, deployment_id);
create index preview_changed on preview (changed_at);
create index preview_expires on preview (expires_at);

alter table preview enable row level security;
create policy one_project on preview to octavo_app
  using (project_id = nullif(current_setting('octavo.project_id', true), '')::bigint);
grant select, insert, update on preview to octavo_app;
